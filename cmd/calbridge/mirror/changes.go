package mirror

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
)

// page is one answer of the route of changes.
type page struct {
	items []item
	next  position
}

// changes asks for the page after a position.
func (r *remote) changes(ctx context.Context, from position) (page, error) {
	ctx, cancel := context.WithTimeout(ctx, pageTime)
	defer cancel()
	arguments := url.Values{"per_page": {r.source.perPage}}
	switch {
	case from.page != "":
		arguments.Set("page_token", from.page)
	case !from.listing:
		arguments.Set("sync_token", from.sync)
	}
	resp, err := r.get(ctx, "changes", arguments, nil)
	if err != nil {
		return page{}, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxPage+1))
	if err != nil {
		return page{}, fmt.Errorf("a page of changes was cut off: %w", err)
	}
	if len(body) > maxPage {
		return page{}, errors.New("a page of changes is too long: request fewer events with --filter per_page=10")
	}
	return parsePage(ctx, body, from)
}

// eventList is a list of items, read one after another: it ends with the context, and is refused
// with more than maxItems.
type eventList struct {
	ctx   context.Context
	items []item
}

// UnmarshalJSON implements json.Unmarshaler.
func (l *eventList) UnmarshalJSON(text []byte) error {
	l.items = nil
	d := json.NewDecoder(bytes.NewReader(text))
	if begin, err := d.Token(); err != nil || begin == nil {
		return err
	} else if begin != json.Delim('[') {
		return errors.New("its events are not a list")
	}
	for d.More() {
		if err := l.ctx.Err(); err != nil {
			return err
		}
		if len(l.items) == maxItems {
			return fmt.Errorf("it has more than %d events", maxItems)
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return err
		}
		it, err := parseItem(raw)
		if err != nil {
			return err
		}
		l.items = append(l.items, it)
	}
	return nil
}

// parsePage reads the page that follows a position.
func parsePage(ctx context.Context, body []byte, from position) (page, error) {
	var answer struct {
		Events    eventList `json:"events"`
		PageToken string    `json:"page_token"`
		SyncToken string    `json:"sync_token"`
	}
	answer.Events.ctx = ctx
	if err := json.Unmarshal(body, &answer); err != nil {
		return page{}, fmt.Errorf("a page of changes can't be read: %w", err)
	}
	var p page
	switch more, end := answer.PageToken, answer.SyncToken; {
	case isToken(more) && end == "" && more != from.page: // the same again would never end
		p.next = position{sync: from.sync, page: more, listing: from.listing}
	case isToken(end) && more == "":
		p.next = position{sync: end}
	default:
		return p, errors.New("a page of changes has no valid token: is another program than calbridge at --url?")
	}
	p.items = answer.Events.items
	return p, nil
}
