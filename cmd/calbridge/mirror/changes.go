package mirror

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
)

// page is one response of the changes route.
type page struct {
	items []item
	next  position
	bytes int64 // number of bytes that were read
}

// changes requests the page after a position.
func (r *remote) changes(ctx context.Context, from position) (page, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, r.pageTime, errSlow)
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
	p, err := parsePage(ctx, resp.Body, from)
	if err != nil && ctx.Err() != nil {
		return page{}, context.Cause(ctx)
	}
	if err != nil {
		return page{}, fmt.Errorf("a page of changes can't be read: %w", err)
	}
	return p, nil
}

// boundedBody is a body from which a limited number of bytes can be read.
type boundedBody struct {
	io.Reader
	left  int64 // bytes left of the body
	value int64 // bytes left of the current value
}

// Read implements io.Reader.
func (b *boundedBody) Read(p []byte) (int, error) {
	switch {
	case b.left <= 0:
		return 0, errors.New("it is too long: ask for fewer events by --filter per_page=10")
	case b.value <= 0:
		return 0, fmt.Errorf("an event or another value in it has more than %d bytes", maxMessage)
	}
	n, err := b.Reader.Read(p[:min(int64(len(p)), b.left, b.value)])
	b.left -= int64(n)
	b.value -= int64(n)
	return n, err
}

// pageDecoder decodes a page value by value, so that memory holds only one value besides the
// page's items.
type pageDecoder struct {
	*json.Decoder
	ctx    context.Context
	body   *boundedBody
	unused json.RawMessage
}

// next returns the next token.
func (d *pageDecoder) next() (json.Token, error) {
	d.body.value = maxMessage
	return d.Token()
}

// value decodes the next value.
func (d *pageDecoder) value(to any) error {
	if err := d.ctx.Err(); err != nil {
		return err
	}
	d.body.value = maxMessage
	return d.Decode(to)
}

// items decodes a list of items. It returns an error for more than maxItems.
func (d *pageDecoder) items() (items []item, err error) {
	if begin, err := d.next(); err != nil || begin == nil {
		return nil, err
	} else if begin != json.Delim('[') {
		return nil, errors.New("its events are not a list")
	}
	for d.More() {
		if len(items) == maxItems {
			return nil, fmt.Errorf("it has more than %d events", maxItems)
		}
		if err := d.value(&d.unused); err != nil {
			return nil, err
		}
		it, err := parseItem(d.unused)
		if err != nil {
			return nil, err
		}
		items = append(items, it)
	}
	_, err = d.next()
	return items, err
}

// parsePage reads the page that follows a position. It stops when the context ends.
func parsePage(ctx context.Context, body io.Reader, from position) (page, error) {
	bounded := &boundedBody{Reader: body, left: maxPage + 1}
	d := &pageDecoder{Decoder: json.NewDecoder(bounded), ctx: ctx, body: bounded}
	if begin, err := d.next(); err != nil {
		return page{}, err
	} else if begin != json.Delim('{') {
		return page{}, errors.New("it is not an object")
	}
	var p page
	var more, end string
	seen := map[json.Token]bool{}
	for {
		key, err := d.next()
		if seen[key] || len(seen) > maxMembers {
			return page{}, fmt.Errorf("it has a member twice, or more than %d", maxMembers)
		}
		seen[key] = true
		switch key {
		case "events":
			p.items, err = d.items()
		case "page_token":
			err = d.value(&more)
		case "sync_token":
			err = d.value(&end)
		case json.Delim('}'):
			if _, err := d.next(); err != io.EOF {
				return page{}, cmp.Or(err, errors.New("something follows its end"))
			}
			p.bytes = maxPage + 1 - bounded.left
			return p, p.moveOn(from, more, end)
		default:
			if err == nil {
				err = d.value(&d.unused)
			}
		}
		if err != nil {
			return page{}, err
		}
	}
}

// moveOn sets the position after a page from the page's tokens.
func (p *page) moveOn(from position, more, end string) error {
	switch {
	case isToken(more) && end == "" && more != from.page: // the same token again would never end
		p.next = position{sync: from.sync, page: more, listing: from.listing}
	case isToken(end) && more == "":
		p.next = position{sync: end}
	default:
		return errors.New("it has no valid token: is another program than calbridge at --url?")
	}
	return nil
}
