package proof

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// PageCapRule is the largest page size of a route where WordPress shows more than by default.
type PageCapRule struct {
	Route   string `json:"route"`
	Entries int64  `json:"entries"`
}

// maxCap bounds what is learned, and maxCaps for how many routes.
const (
	maxCap  = 1000
	maxCaps = 16
)

// pageCaps records the largest pages by route. It is safe for concurrent use.
type pageCaps struct {
	settings *Settings
	rules    atomic.Pointer[map[string]int64]

	mu         sync.Mutex
	candidates map[string]*largerPages
}

// largerPages are pages that were larger than calbridge's.
type largerPages struct {
	entries     int64 // of the largest
	count       int
	first, last time.Time
	requests    map[uint64]struct{}
}

func newPageCaps(s *Settings) *pageCaps {
	c := &pageCaps{settings: s}
	c.reset()
	return c
}

// of returns the most entries of a page.
func (c *pageCaps) of(route string) int64 {
	if entries, learned := (*c.rules.Load())[route]; learned {
		return entries
	}
	return maxPerPage
}

// list lists the rules, sorted by route.
func (c *pageCaps) list() []PageCapRule {
	rules := *c.rules.Load()
	all := make([]PageCapRule, 0, len(rules))
	for _, route := range slices.Sorted(maps.Keys(rules)) {
		all = append(all, PageCapRule{route, rules[route]})
	}
	return all
}

// restore adopts rules if none have been recorded, and reports whether there are any.
func (c *pageCaps) restore(rules []PageCapRule) (any bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(*c.rules.Load()) > 0 {
		return false
	}
	for _, r := range rules[:min(len(rules), maxCaps)] {
		if r.Route != "" && r.Entries > maxPerPage && r.Entries <= maxCap {
			c.set(r.Route, r.Entries)
			any = true
		}
	}
	return any
}

// reset forgets all rules, and reports whether there were any.
func (c *pageCaps) reset() (any bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.rules.Load(); old != nil {
		any = len(*old) > 0
	}
	c.rules.Store(&map[string]int64{})
	c.candidates = map[string]*largerPages{}
	return any
}

// learn compares two pages of a route that begin alike, of a request for asked entries. A larger
// one of WordPress's becomes a rule after as many requests, in as much time, as prove a shape. A
// smaller one refutes a rule. changed reports that the rules have changed.
func (c *pageCaps) learn(route string, asked, ours, theirs int64, request uint64, now time.Time) (changed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	limit := c.of(route)
	switch {
	case theirs < ours && ours > maxPerPage && limit > maxPerPage:
		c.set(route, 0)
		delete(c.candidates, route)
		return true
	case theirs <= ours || ours != limit || theirs > asked || theirs > maxCap:
		return false
	}
	l := c.candidates[route]
	if l == nil {
		if len(c.candidates) >= maxCaps {
			return false
		}
		l = &largerPages{first: now, requests: map[uint64]struct{}{}}
		c.candidates[route] = l
	}
	l.entries = max(l.entries, theirs)
	_, again := l.requests[request]
	if again && now.Sub(l.last) < c.settings.interval() {
		return false
	}
	if len(l.requests) < c.settings.Comparisons {
		l.requests[request] = struct{}{}
	}
	l.count++
	l.last = now
	if l.count < c.settings.Comparisons || now.Sub(l.first) < c.settings.Time {
		return false
	}
	c.set(route, l.entries)
	delete(c.candidates, route)
	return true
}

// set makes a rule, or with 0 removes it.
func (c *pageCaps) set(route string, entries int64) {
	rules := maps.Clone(*c.rules.Load())
	if rules[route] = entries; entries == 0 {
		delete(rules, route)
	}
	c.rules.Store(&rules)
}

// pages returns the sizes of two pages of which the shorter is the beginning of the longer, and the
// number of requested entries. ok is false for other responses.
func (r *Result) pages() (asked, ours, theirs int64, ok bool) {
	if r.Ours.Status != r.Theirs.Status || !strings.Contains(r.Query, "per_page=") {
		return 0, 0, 0, false
	}
	query, err := url.ParseQuery(r.Query)
	if err != nil {
		return 0, 0, 0, false
	}
	if asked, err = strconv.ParseInt(query.Get("per_page"), 10, 64); err != nil || asked <= maxPerPage {
		return 0, 0, 0, false
	}
	own, other := readIDs(r.Ours.Body).lists, readIDs(r.Theirs.Body).lists
	if len(own) != 1 || len(other) != 1 {
		return 0, 0, 0, false
	}
	for name, ids := range own {
		shorter := min(len(ids), len(other[name]))
		return asked, int64(len(ids)), int64(len(other[name])), shorter > 0 && slices.Equal(ids[:shorter], other[name][:shorter])
	}
	return 0, 0, 0, false
}
