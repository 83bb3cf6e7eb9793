package mirror

import (
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
		return page{}, fmt.Errorf("a page of changes breaks off: %w", err)
	}
	if len(body) > maxPage {
		return page{}, errors.New("a page of changes is too long: ask for fewer events by --filter per_page=10")
	}
	return parsePage(body, from)
}

// parsePage reads the page that follows a position.
func parsePage(body []byte, from position) (page, error) {
	var answer struct {
		Events    []json.RawMessage `json:"events"`
		PageToken string            `json:"page_token"`
		SyncToken string            `json:"sync_token"`
	}
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
	for _, raw := range answer.Events {
		it, err := parseItem(raw)
		if err != nil {
			return page{}, fmt.Errorf("a page of changes can't be read: %w", err)
		}
		p.items = append(p.items, it)
	}
	return p, nil
}
