package webhook

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// unchanged is the kind of an event that a target was told of as it is.
const unchanged = ""

// page is a page of events/changes.
type page struct {
	items []pageItem
	token string // the query that asks for the next page
	last  bool   // the list is complete
}

// pageItem is an event of a page, or one that isn't in the list any more.
type pageItem struct {
	id      int64
	deleted bool
	json    json.RawMessage
	hash    []byte // fingerprint of json
}

// parsePage parses the body of a response of events/changes.
func parsePage(body []byte) (*page, error) {
	var answer struct {
		Events    []json.RawMessage `json:"events"`
		PageToken string            `json:"page_token"`
		SyncToken string            `json:"sync_token"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, fmt.Errorf("read a page of changes: %w", err)
	}
	p := &page{token: "page_token=" + answer.PageToken}
	if answer.SyncToken != "" {
		p.token, p.last = "sync_token="+answer.SyncToken, true
	} else if answer.PageToken == "" {
		return nil, errors.New("read a page of changes: it has no token")
	}
	for _, raw := range answer.Events {
		var item struct {
			ID      int64 `json:"id"`
			Deleted bool  `json:"deleted"`
		}
		if err := json.Unmarshal(raw, &item); err != nil {
			return nil, fmt.Errorf("read a page of changes: %w", err)
		}
		sum := sha256.Sum256(raw)
		p.items = append(p.items, pageItem{item.ID, item.Deleted, raw, sum[:16]})
	}
	return p, nil
}

// nothing reports that the list has not changed.
func (p *page) nothing() bool { return p.last && len(p.items) == 0 }

// ids returns the ids of a page's items.
func (p *page) ids() []int64 {
	ids := make([]int64, len(p.items))
	for i := range p.items {
		ids[i] = p.items[i].id
	}
	return ids
}

// change describes an event that differs from what a target was told of it.
type change struct {
	kind  string
	event int64
	hash  []byte
	data  json.RawMessage
}

// differ compares a page with the fingerprints of the events that a target was told of. It returns a
// change of each event, in the order of the page.
func differ(known map[int64]string, items []pageItem) []change {
	var out []change
	for _, i := range items {
		before, had := known[i.id]
		if i.deleted {
			if had {
				delete(known, i.id)
				out = append(out, change{kind: Deleted, event: i.id, data: tombstone(i.id)})
			}
			continue
		}
		c := change{kind: Updated, event: i.id, hash: i.hash, data: i.json}
		switch {
		case !had:
			c.kind = Created
		case before == string(c.hash):
			c.kind = unchanged
		}
		known[i.id] = string(c.hash)
		out = append(out, c)
	}
	return out
}

// tombstone returns the data of an event that has left the list, as events/changes writes it.
func tombstone(id int64) json.RawMessage {
	return append(strconv.AppendInt([]byte(`{"id":`), id, 10), `,"deleted":true}`...)
}
