package eventindex

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
)

// TestIndexAdaptsToTheOrder: the index is prepared for the order that lists have, while
// changes go on.
func TestIndexAdaptsToTheOrder(t *testing.T) {
	const n = 1500
	_, nth := calendar(n)
	s := &memorySource{events: map[int64]event{}}
	for i := range n {
		s.put(nth(i))
	}
	x, tracker := open(t, s)
	readyFor := func(o order) bool {
		current := x.state.current.Load()
		return current != nil && current.rows.trees[o] != nil
	}
	q := wpstore.EventQuery{Occurrences: true, Order: wpstore.EventOrder{UTC: true, Descending: true}, Limit: 40, Offset: 700}
	want := naive(s.events, &q)
	for deadline := time.Now().Add(time.Minute); ; {
		ready := readyFor(byStartUTC)
		got, outcome := x.Find(t.Context(), s, q, nil)
		if outcome != FromIndex || !slices.Equal(got.IDs, want.IDs) || got.Total != want.Total {
			t.Fatalf("got %v (%s), want %v (ready: %v)", got, outcome, want, ready)
		}
		if ready {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the index does not adapt")
		}
		tracker.Invalidate(invalidation.Tag{Kind: invalidation.Post, ID: 10_001})
		time.Sleep(time.Millisecond)
	}
	if readyFor(byPublication) {
		t.Error("ready for an order that nobody asked for")
	}
}

// databaseOnly are the fields that the index leaves aside on purpose, and why.
var databaseOnly = map[string]string{
	"Language.Also":  "asks for two languages in one statement; the index is asked twice",
	"Language.Scan":  "describes how the server reads a table",
	"Language.Terms": "is about terms, not events",
}

// TestEveryFieldIsTreated asks, for each field of a query, for a list with the field
// and for one without: the index must give another answer, or refuse to answer.
func TestEveryFieldIsTreated(t *testing.T) {
	type change func(*wpstore.EventQuery)
	bounds := []wpstore.Bound{{Op: ">=", Value: "2026-12-01 11:00:00"}}
	samples := map[string][2]change{ // without, with
		"Statuses":            {nil, func(q *wpstore.EventQuery) { q.Statuses = []string{"publish"} }},
		"Own":                 {nil, func(q *wpstore.EventQuery) { q.Own = &wpstore.Own{Author: 7, Statuses: []string{"draft"}} }},
		"Bounds":              {nil, func(q *wpstore.EventQuery) { q.Bounds = bounds }},
		"UTC":                 {func(q *wpstore.EventQuery) { q.Bounds = bounds }, func(q *wpstore.EventQuery) { q.Bounds, q.UTC = bounds, true }},
		"Order.ByPublication": {nil, func(q *wpstore.EventQuery) { q.Order.ByPublication = true }},
		"Order.UTC":           {nil, func(q *wpstore.EventQuery) { q.Order.UTC = true }},
		"Order.Descending":    {nil, func(q *wpstore.EventQuery) { q.Order.Descending = true }},
		"Search":              {nil, func(q *wpstore.EventQuery) { q.Search = []wpstore.SearchTerm{{Text: "x"}} }},
		"UnprotectedOnly":     {nil, func(q *wpstore.EventQuery) { q.UnprotectedOnly = true }},
		"Passwords":           {nil, func(q *wpstore.EventQuery) { q.Passwords = []string{"x"} }},
		"UnlockedFor":         {func(q *wpstore.EventQuery) { q.Passwords = []string{} }, func(q *wpstore.EventQuery) { q.Passwords, q.UnlockedFor = []string{}, 7 }},
		"Categories":          {nil, func(q *wpstore.EventQuery) { q.Categories = []int64{1} }},
		"Tags":                {nil, func(q *wpstore.EventQuery) { q.Tags = []int64{2} }},
		"Venues":              {nil, func(q *wpstore.EventQuery) { q.Venues = []int64{3} }},
		"Organizers":          {nil, func(q *wpstore.EventQuery) { q.Organizers = []int64{4} }},
		"Filters":             {nil, func(q *wpstore.EventQuery) { q.Filters = []wpstore.EventFilter{{Name: wpstore.FilterFeatured}} }},
		"Tickets":             {nil, func(q *wpstore.EventQuery) { q.Tickets = &wpstore.TicketFilter{} }},
		"Hidden":              {nil, func(q *wpstore.EventQuery) { q.Hidden = true }},
		"Include":             {nil, func(q *wpstore.EventQuery) { q.Include = []int64{1} }},
		"Order.ByDuration":    {nil, func(q *wpstore.EventQuery) { q.Order.ByDuration = true }},
		"Language.Plugin":     {nil, func(q *wpstore.EventQuery) { q.Language.Plugin = i18n.Polylang }},
		"Language.Code":       {func(q *wpstore.EventQuery) { q.Language = wpml("cs") }, func(q *wpstore.EventQuery) { q.Language = wpml("en") }},
		"Language.Posts": {func(q *wpstore.EventQuery) { q.Language = wpstore.InLanguage{Plugin: i18n.Polylang, Posts: 8} },
			func(q *wpstore.EventQuery) { q.Language = wpstore.InLanguage{Plugin: i18n.Polylang, Posts: 9} }},
		"Occurrences": {nil, func(q *wpstore.EventQuery) { q.Occurrences = false }},
		"Limit":       {nil, func(q *wpstore.EventQuery) { q.Limit = 1 }},
		"Offset":      {nil, func(q *wpstore.EventQuery) { q.Offset = 1 }},
	}
	s := &memorySource{events: map[int64]event{}, terms: []TermRow{{8, 8, placeLanguage}, {9, 9, placeLanguage}}}
	hour := func(h date) date { return 20261201000000 + h*10000 }
	s.put(event{ID: 1, Status: "publish", Published: hour(3), Dates: []dates{{hour(10), hour(12), hour(14), hour(15)}}, Languages: []string{"cs"}, LanguageTerms: []int64{8}})
	s.put(event{ID: 2, Author: 7, Parent: 77, Status: "private", Published: hour(2), Protected: true, Featured: true, Dates: []dates{{hour(11), hour(12), hour(11), hour(12)}},
		Categories: []int64{1}, Tags: []int64{2}, Venues: []int64{3}, Organizers: []int64{4}, Languages: []string{"en"}, LanguageTerms: []int64{9}})
	s.put(event{ID: 3, Status: "publish", Published: hour(1), Dates: []dates{{hour(12), hour(13), hour(9), hour(10)}}})
	x, _ := open(t, s)
	ask := func(c change) (wpstore.EventPage, Outcome) {
		q := wpstore.EventQuery{Occurrences: true, Limit: 10}
		if c != nil {
			c(&q)
		}
		return x.Find(t.Context(), s, q, nil)
	}
	for _, field := range fieldsOf(reflect.TypeFor[wpstore.EventQuery](), "") {
		sample, ok := samples[field]
		switch _, leftAside := databaseOnly[field]; {
		case leftAside:
			continue
		case !ok:
			t.Errorf("wpstore.EventQuery.%s is unknown to the event index: let compile.go take it or Index.Find refuse it, and add a sample to this test", field)
			continue
		}
		without, outcome := ask(sample[0])
		if outcome != FromIndex {
			t.Fatalf("%s: the list without it is answered by %q", field, outcome)
		}
		if with, outcome := ask(sample[1]); outcome == FromIndex && reflect.DeepEqual(with, without) {
			t.Errorf("the event index ignores wpstore.EventQuery.%s: let compile.go take it or Index.Find refuse it", field)
		}
	}
}

// TestFilters: each filter gives another answer than its absence and than its opposite, or is
// refused, as one is that the index doesn't know.
func TestFilters(t *testing.T) {
	s := &memorySource{events: map[int64]event{}}
	day := dates{20261201100000, 20261201120000, 20261201090000, 20261201110000}
	s.put(event{ID: 1, Status: "publish", Dates: []dates{day}})
	s.put(event{ID: 2, Status: "publish", Parent: 77, Dates: []dates{day}})
	s.put(event{ID: 3, Status: "publish", Featured: true, Dates: []dates{day}})
	x, _ := open(t, s)
	for _, c := range []struct {
		filters []wpstore.EventFilter
		want    []int64
		outcome Outcome
	}{
		{nil, []int64{1, 2, 3}, FromIndex},
		{[]wpstore.EventFilter{{Name: wpstore.FilterFeatured}}, []int64{3}, FromIndex},
		{[]wpstore.EventFilter{{Name: wpstore.FilterFeatured, Lacks: true}}, []int64{1, 2}, FromIndex},
		{[]wpstore.EventFilter{{Name: wpstore.FilterParent, IDs: []int64{77}}}, []int64{2}, FromIndex},
		{[]wpstore.EventFilter{{Name: wpstore.FilterParent, IDs: []int64{77}, Lacks: true}}, []int64{1, 3}, FromIndex},
		{[]wpstore.EventFilter{{Name: wpstore.FilterFeatured, Lacks: true}, {Name: wpstore.FilterParent, IDs: []int64{77}, Lacks: true}}, []int64{1}, FromIndex},
		{[]wpstore.EventFilter{{Name: wpstore.FilterIDs, IDs: []int64{1}, Lacks: true}}, nil, Filtered},
		{[]wpstore.EventFilter{{Name: wpstore.FilterFeatured}, {Name: "unknown"}}, nil, Filtered},
	} {
		q := wpstore.EventQuery{Occurrences: true, Limit: 10, Filters: c.filters}
		page, outcome := x.Find(t.Context(), s, q, nil)
		if outcome != c.outcome || !slices.Equal(page.IDs, c.want) {
			t.Errorf("%+v: %v from %q, want %v from %q", c.filters, page.IDs, outcome, c.want, c.outcome)
		}
		if _, other := x.Find(t.Context(), s, wpstore.EventQuery{Occurrences: true, Limit: 10}, &q); other != c.outcome {
			t.Errorf("%+v: counted from %q, want %q", c.filters, other, c.outcome)
		}
	}
}

// fieldsOf returns the fields of a struct and of the structs in it.
func fieldsOf(of reflect.Type, prefix string) (names []string) {
	for i := range of.NumField() {
		if f := of.Field(i); f.Type.Kind() == reflect.Struct {
			names = append(names, fieldsOf(f.Type, prefix+f.Name+".")...)
		} else {
			names = append(names, prefix+f.Name)
		}
	}
	return names
}
