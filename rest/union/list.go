package union

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"calbridge/wpstore/guard"
)

const (
	// sitePage is the largest page that a site's list returns.
	sitePage = 50
	// ahead is the time that an event may start in UTC before the local time of its zone.
	ahead = 14 * time.Hour
	// maxBody limits a page of a site in bytes.
	maxBody = 16 << 20
	// maxRestarts limits how often a list is read again because it changed while it was read.
	maxRestarts = 3
	totalHeader = "X-TEC-Total"
)

// event is an event of a site's list.
type event struct {
	key  key
	raw  json.RawMessage
	list *list
}

// list reads the events of one site in the order of the keys.
type list struct {
	site    *Site
	query   url.Values
	terms   map[string][]string
	after   *key
	perPage int
	guard   *guard.Guard

	page     int
	total    string
	restarts int
	ready    []event // those not taken yet, by key
	taken    map[int64]bool
	held     map[key]bool // those that are not proven
	// bound is a time before which no event of the pages that follow starts.
	bound int64
	ended bool

	reason string // for which the site does not take part; "" if it does
	err    error
}

// newList returns the list of one of a number of sites.
func (h *Handler) newList(s *Site, q *query, sites int) *list {
	return &list{
		site: s, query: q.narrowed(h.Now()), terms: maps.Clone(q.terms), after: q.after,
		perPage: min(sitePage, max(10, 4*q.perPage/max(sites, 1))), guard: h.Guard,
		taken: map[int64]bool{}, held: map[key]bool{}, bound: math.MinInt64,
	}
}

// low returns a time before which this list has no further event. ok is false at the end.
func (l *list) low() (start int64, ok bool) {
	switch {
	case len(l.ready) > 0 && (l.ended || l.ready[0].key.start < l.bound):
		return l.ready[0].key.start, true
	case l.ended:
		return 0, false
	}
	return l.bound, true
}

// settled reports whether the first event that is ready is the next one of the list.
func (l *list) settled() bool {
	return len(l.ready) > 0 && (l.ended || l.ready[0].key.start < l.bound)
}

// take removes and returns the first event that is ready.
func (l *list) take() event {
	e := l.ready[0]
	l.ready[0] = event{}
	l.ready = l.ready[1:]
	l.taken[e.key.id] = true
	return e
}

// leaveOut ends the list. The site does not take part in the response.
func (l *list) leaveOut(reason string, err error) {
	l.reason, l.err, l.ended, l.ready = reason, err, true, nil
}

// heldUntil returns the number of events that are not proven, among those of the response that ends with
// last. It is nil for the end of all lists.
func (l *list) heldUntil(last *key) (n int) {
	for k := range l.held {
		if (l.after == nil || k.compare(*l.after) > 0) && (last == nil || k.compare(*last) <= 0) {
			n++
		}
	}
	return n
}

// fetch reads the next page. Its error is a refusal that concerns the whole request, or that of
// the context; otherwise a site that cannot answer is left out.
func (l *list) fetch(ctx context.Context) error {
	l.page++
	answer, err := l.get(ctx, l.page, l.perPage, l.terms)
	if err != nil {
		return err
	}
	if l.page == 1 && answer.Status == http.StatusBadRequest {
		empty, err := l.dropUnknownTerms(ctx, answer)
		switch {
		case err != nil:
			return err
		case l.reason != "":
			return nil
		case empty:
			l.ended = true
			return nil
		}
		if answer, err = l.get(ctx, l.page, l.perPage, l.terms); err != nil {
			return err
		}
	}
	switch {
	case l.reason != "":
	case l.page > 1 && answer.Status == http.StatusNotFound && answer.code() == "event-archive-page-not-found":
		l.ended = true
	case answer.Status != http.StatusOK:
		l.leaveOut(failed, fmt.Errorf("the list answered with status %d", answer.Status))
	default:
		l.add(answer)
	}
	return nil
}

// code returns the code of an error response.
func (a *Answer) code() string {
	var e struct{ Code string }
	if json.Unmarshal(a.Body, &e) != nil {
		return ""
	}
	return e.Code
}

// get returns the response to a page of the list. It leaves the site out if that is not a response
// of its API.
func (l *list) get(ctx context.Context, page, perPage int, terms map[string][]string) (*Answer, error) {
	v := maps.Clone(l.query)
	for name, slugs := range terms {
		v.Set(name, strings.Join(slugs, ","))
	}
	v.Set("page", strconv.Itoa(page))
	v.Set("per_page", strconv.Itoa(perPage))
	a, err := l.ask(ctx, "events", v)
	if err == nil && len(a.Body) > maxBody {
		l.leaveOut(failed, fmt.Errorf("a page of the list has %d bytes", len(a.Body)))
	}
	return a, err
}

// ask returns the response to a GET below the site's namespace, as get does.
func (l *list) ask(ctx context.Context, path string, v url.Values) (*Answer, error) {
	a := &Answer{}
	err := l.guard.Do("answering for the calendar over many sites", func() error {
		got, err := l.site.Get(ctx, l.site.API+"/"+path+"?"+v.Encode())
		if err == nil {
			a = got
		}
		return err
	})
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("read the list of site %d: %w", l.site.ID, context.Cause(ctx))
	case err != nil:
		l.leaveOut(failed, err)
	case a.NotProven:
		l.leaveOut(notProven, nil)
	case a.Status == http.StatusUnauthorized || a.Status == http.StatusForbidden || a.Status == http.StatusGone:
		l.leaveOut(closed, nil)
	case a.Status >= 500:
		l.leaveOut(failed, fmt.Errorf("the list answered with status %d", a.Status))
	}
	return a, nil
}

// dropUnknownTerms removes the slugs that the site does not have after it refused the query. empty
// reports that no slug of a parameter is left. If the site refused something else, the error is
// the site's own response.
func (l *list) dropUnknownTerms(ctx context.Context, refused *Answer) (empty bool, err error) {
	var e struct {
		Data struct{ Params map[string]json.RawMessage }
	}
	if json.Unmarshal(refused.Body, &e) != nil || len(e.Data.Params) == 0 {
		l.leaveOut(failed, errors.New("the list refused the query without naming a parameter"))
		return false, nil
	}
	names := slices.Sorted(maps.Keys(e.Data.Params))
	for _, name := range names {
		if l.terms[name] == nil {
			return false, &refusal{status: http.StatusBadRequest, body: refused.Body}
		}
	}
	for _, name := range names {
		var known []string
		for _, slug := range l.terms[name] {
			if len(l.terms[name]) == 1 {
				break // the refusal was about this one
			}
			a, err := l.get(ctx, 1, 1, map[string][]string{name: {slug}})
			if err != nil || l.reason != "" {
				return false, err
			}
			if a.Status == http.StatusOK {
				known = append(known, slug)
			}
		}
		if len(known) == 0 {
			return true, nil
		}
		l.terms[name] = known
	}
	return false, nil
}

// add adds the events of a page.
func (l *list) add(a *Answer) {
	var page struct {
		Events     []json.RawMessage `json:"events"`
		TotalPages int               `json:"total_pages"`
	}
	if err := json.Unmarshal(a.Body, &page); err != nil {
		l.leaveOut(failed, fmt.Errorf("read a page of the list: %w", err))
		return
	}
	if total := a.Header.Get(totalHeader); l.page == 1 {
		l.total = total
	} else if total != l.total { // an event that was created or deleted has moved the pages
		if l.restarts++; l.restarts > maxRestarts {
			l.leaveOut(failed, errors.New("the list changed each time it was read"))
			return
		}
		l.page, l.ready, l.bound = 0, nil, math.MinInt64
		clear(l.held)
		return
	}
	for _, raw := range a.Held {
		if k, local, ok := keyOf(raw, l.site.ID); ok {
			l.bound = max(l.bound, local.Add(-ahead).Unix())
			l.held[k] = true
		}
	}
	for _, raw := range page.Events {
		k, local, ok := keyOf(raw, l.site.ID)
		if !ok {
			continue
		}
		l.bound = max(l.bound, local.Add(-ahead).Unix())
		if l.after != nil && k.compare(*l.after) <= 0 || l.taken[k.id] {
			continue
		}
		e := event{k, raw, l}
		if at, found := slices.BinarySearchFunc(l.ready, e, func(a, b event) int { return a.key.compare(b.key) }); !found {
			l.ready = slices.Insert(l.ready, at, e)
		}
	}
	l.ended = page.TotalPages == 0 || l.page >= page.TotalPages
}

// keyOf returns the key of an event, and its start in its own zone as if that were UTC.
func keyOf(raw json.RawMessage, site int64) (k key, local time.Time, ok bool) {
	var e struct {
		ID    int64  `json:"id"`
		Local string `json:"start_date"`
		UTC   string `json:"utc_start_date"`
	}
	if trimmed := bytes.TrimSpace(raw); len(trimmed) == 0 || trimmed[0] != '{' || json.Unmarshal(raw, &e) != nil {
		return key{}, time.Time{}, false
	}
	start, err := time.Parse(time.DateTime, e.UTC)
	if err != nil {
		return key{}, time.Time{}, false
	}
	if local, err = time.Parse(time.DateTime, e.Local); err != nil {
		return key{}, time.Time{}, false
	}
	return key{start.Unix(), site, e.ID}, local, true
}
