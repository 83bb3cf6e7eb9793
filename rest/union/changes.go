package union

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// maxChangeSites limits the sites of one copy: the token holds one of each of them.
const maxChangeSites = 64

// fromNow is the token of a client that needs no list. Sites know it too.
const fromNow = "now"

// changesResponse is the body of a response of ChangesPath.
type changesResponse struct {
	Events    []json.RawMessage `json:"events"`
	PageToken string            `json:"page_token,omitempty"`
	SyncToken string            `json:"sync_token,omitempty"`
	LeftOut   leftOut           `json:"left_out"`
	Missing   int               `json:"missing"`
}

// Changes answers a request for what has changed.
func (h *Handler) Changes(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	h.serve(w, r, jsonType, func() ([]byte, error) { return h.changes(r.Context(), r.URL.RawQuery) })
}

func (h *Handler) changes(ctx context.Context, rawQuery string) ([]byte, error) {
	q, text, err := parseChanges(rawQuery)
	if err != nil {
		return nil, err
	}
	from := text
	if text == fromNow {
		from = ""
	}
	at, err := parsePosition(from)
	if err != nil {
		return nil, err
	}
	q.resumes = from != ""
	p, err := h.follow(ctx, q, at, text == fromNow)
	if err != nil {
		return nil, err
	}
	out := changesResponse{Events: []json.RawMessage{}, LeftOut: p.leftOut, Missing: p.missing()}
	for _, c := range p.changes {
		out.Events = append(out.Events, c.data)
	}
	if token := p.to.token(); p.more {
		out.PageToken = token
	} else {
		out.SyncToken = token
	}
	return encode(out), nil
}

// parseChanges returns the query of a request for changes, and its token.
func parseChanges(raw string) (q *query, token string, err error) {
	q, err = parse(raw)
	if err != nil {
		return nil, "", err
	}
	if q.after != nil {
		return nil, "", invalid("cursor", "Changes have tokens.")
	}
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil, "", refuse(http.StatusBadRequest, "calbridge_invalid_query", "The query cannot be read.", nil)
	}
	if token = values.Get("page_token"); token == "" {
		token = values.Get("sync_token")
	}
	return q, token, nil
}

// change is an entry of a page of changes.
type change struct {
	data    json.RawMessage
	deleted bool
	// listed reports that the event belongs to a list that the client did not have.
	listed bool
}

// changePage is a part of what has changed.
type changePage struct {
	changes []change
	to      position
	more    bool // in this round
	leftOut leftOut
}

// missing returns the number of chosen sites that could not answer.
func (p *changePage) missing() int { return p.leftOut.Closed + p.leftOut.Failed + p.leftOut.NotProven }

// follow returns the page behind a position. A round goes through the sites in the order of their ids. With
// fromNow the lists of sites without a place are not sent: the client has them.
func (h *Handler) follow(ctx context.Context, q *query, at position, fromNow bool) (*changePage, error) {
	lists, hidden, err := h.lists(ctx, q)
	if err != nil {
		return nil, err
	}
	if len(lists) > maxChangeSites {
		return nil, refuse(http.StatusBadRequest, "calbridge_too_many_sites", "Choose up to "+strconv.Itoa(maxChangeSites)+" sites.", nil)
	}
	slices.SortFunc(lists, func(a, b *list) int { return cmp.Compare(a.site.ID, b.site.ID) })
	p := &changePage{to: position{next: at.next}}
	p.leftOut.NotPublic = hidden
	for _, old := range at.places {
		if old.token != nil && !slices.ContainsFunc(lists, func(l *list) bool { return l.site.ID == old.site }) {
			p.removeSite(old.site)
		}
	}
	for _, l := range lists {
		f := following{list: l, page: p, perPage: q.perPage, place: at.of(l.site.ID), fromNow: fromNow}
		if !p.more && l.site.ID >= at.next {
			if err := f.run(ctx); err != nil {
				return nil, err
			}
		}
		p.to.places = append(p.to.places, f.place)
		switch f.place.reason {
		case closed:
			p.leftOut.Closed++
		case failed:
			p.leftOut.Failed++
		case notProven:
			p.leftOut.NotProven++
		}
		if l.err != nil {
			h.Log.Info("the changes of a site are missing in the calendar over many sites", "site", l.site.ID, "reason", f.place.reason, "error", l.err)
		}
	}
	if !p.more {
		p.to.next = 0
	}
	return p, nil
}

// removeSite adds the entry that removes all events of a site.
func (p *changePage) removeSite(id int64) {
	p.changes = append(p.changes, change{data: fmt.Appendf(nil, `{"deleted":true,"site":{"id":%d}}`, id), deleted: true})
}

// following reads the changes of one site.
type following struct {
	list    *list
	page    *changePage
	perPage int
	place   place
	fromNow bool
}

// run reads until the client has everything of the site, or the page is full. Its error concerns the whole
// request.
func (f *following) run(ctx context.Context) error {
	for narrowed := false; ; {
		left := f.perPage - len(f.page.changes)
		if left <= 0 {
			f.page.more, f.page.to.next = true, f.list.site.ID
			return nil
		}
		a, err := f.get(ctx, min(left, sitePage))
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("read the changes of site %d: %w", f.list.site.ID, context.Cause(ctx))
		case err != nil:
			f.fail(err)
			return nil
		case a.NotProven:
			f.drop(notProven)
			return nil
		case a.Status == http.StatusGone && a.code() == tokenGone:
			f.drop("")
			continue
		case a.Status == http.StatusUnauthorized || a.Status == http.StatusForbidden || a.Status == http.StatusGone:
			f.drop(closed)
			return nil
		case a.Status == http.StatusBadRequest && !narrowed:
			empty, err := f.list.dropUnknownTerms(ctx, a)
			switch {
			case err != nil:
				return err
			case f.list.reason != "":
				f.fail(f.list.err)
				return nil
			case empty:
				f.drop("")
				return nil
			}
			narrowed = true
			continue
		case a.Status != http.StatusOK:
			f.fail(fmt.Errorf("the changes answered with status %d", a.Status))
			return nil
		}
		if done, err := f.add(a); done || err != nil {
			if err != nil {
				f.fail(err)
			}
			return nil
		}
	}
}

// tokenGone is the code of a site's response to a token that can't be used any more.
const tokenGone = "calbridge_sync_token_gone"

// get requests the next page of the site.
func (f *following) get(ctx context.Context, perPage int) (a *Answer, err error) {
	l := f.list
	v := maps.Clone(l.query)
	for name, slugs := range l.terms {
		v.Set(name, strings.Join(slugs, ","))
	}
	v.Set("per_page", strconv.Itoa(perPage))
	switch {
	case f.place.token == nil && f.fromNow:
		v.Set("sync_token", fromNow)
	case f.place.token != nil:
		v.Set(map[bool]string{true: "page_token", false: "sync_token"}[f.place.within], string(f.place.token))
	}
	err = l.guard.Do("answering for the calendar over many sites", func() (err error) {
		a, err = l.site.Get(ctx, l.site.API+"/events/changes?"+v.Encode())
		return err
	})
	return a, err
}

// fail records that the site could not answer. The client keeps what it has of it.
func (f *following) fail(err error) { f.place.reason, f.list.err = failed, err }

// drop removes the site's events from the copy of the client, if it may have some.
func (f *following) drop(reason string) {
	if f.place.token != nil {
		f.page.removeSite(f.list.site.ID)
	}
	f.place = place{site: f.list.site.ID, reason: reason}
}

// add adds a page of the site. done reports that it was the last one.
func (f *following) add(a *Answer) (done bool, err error) {
	var page struct {
		Events    []json.RawMessage `json:"events"`
		PageToken string            `json:"page_token"`
		SyncToken string            `json:"sync_token"`
	}
	if err := json.Unmarshal(a.Body, &page); err != nil {
		return false, fmt.Errorf("read the changes: %w", err)
	}
	if page.PageToken == "" && page.SyncToken == "" {
		return false, errors.New("read the changes: the response has no token")
	}
	listing := f.place.token == nil || f.place.listing
	for _, raw := range page.Events {
		var e struct{ Deleted bool }
		if err := json.Unmarshal(raw, &e); err != nil {
			return false, fmt.Errorf("read the changes: %w", err)
		}
		f.page.changes = append(f.page.changes, change{withSite(raw, f.list.site), e.Deleted, listing})
	}
	f.place.reason = ""
	if done = page.SyncToken != ""; done {
		f.place.token, f.place.within, f.place.listing = []byte(page.SyncToken), false, false
	} else {
		f.place.token, f.place.within, f.place.listing = []byte(page.PageToken), true, listing
	}
	return done, nil
}
