package eventindex

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"calbridge/i18n"
	"calbridge/wpstore"
)

// naive answers a query by looking at every event, as its documentation says.
func naive(events map[int64]event, q *wpstore.EventQuery) answer {
	var found []key
	for _, e := range events {
		if !matching(q, &e) {
			continue
		}
		best, some := key{published: e.Published, id: e.ID}, false
		for _, d := range e.Dates {
			start := d.Start
			if q.Order.UTC {
				start = d.StartUTC
			}
			if start == missing || !within(q, d) {
				continue
			}
			if start == garbled {
				start = null
			}
			if !some || start >= 0 && (best.start < 0 || q.Order.Descending == (start > best.start)) {
				best.start, some = start, true
			}
		}
		if some {
			found = append(found, best)
		}
	}
	slices.SortFunc(found, func(a, b key) int {
		published, id := cmp.Compare(a.published, b.published), cmp.Compare(a.id, b.id)
		start := cmp.Compare(a.start, b.start)
		if q.Order.Descending {
			start = -start
		}
		if q.Order.ByPublication {
			if start = 0; q.Order.Descending {
				published, id = -published, -id
			}
		}
		return cmp.Or(start, published, id)
	})
	a := answer{Total: int64(len(found))}
	for i, k := range found {
		if int64(i) >= q.Offset && int64(len(a.IDs)) < q.Limit {
			a.IDs = append(a.IDs, k.id)
		}
	}
	return a
}

func matching(q *wpstore.EventQuery, e *event) bool {
	overlap := func(wanted, has []int64) bool {
		return wanted == nil || slices.ContainsFunc(has, func(id int64) bool { return slices.Contains(wanted, id) })
	}
	status := slices.Contains(q.Statuses, e.Status) || q.Statuses == nil && e.Status != "trash" && e.Status != "auto-draft"
	if q.Own != nil && q.Own.Author == e.Author {
		status = slices.Contains(q.Own.Statuses, e.Status)
	}
	language := q.Language.Plugin == i18n.NoPlugin || q.Language.Plugin == i18n.WPML && slices.Contains(e.Languages, q.Language.Code) ||
		q.Language.Plugin == i18n.Polylang && slices.Contains(e.LanguageTerms, q.Language.Posts)
	return status && language &&
		(!e.Protected || !q.UnprotectedOnly && (q.Passwords == nil || q.UnlockedFor != 0 && q.UnlockedFor == e.Author)) &&
		overlap(q.Categories, e.Categories) && overlap(q.Tags, e.Tags) &&
		overlap(q.Venues, e.Venues) && overlap(q.Organizers, e.Organizers) &&
		!slices.ContainsFunc(q.Filters, func(f wpstore.EventFilter) bool {
			meets := f.Name == wpstore.FilterFeatured && e.Featured || f.Name == wpstore.FilterParent && slices.Contains(f.IDs, e.Parent)
			return meets == f.Lacks
		}) &&
		overlap(q.Include, []int64{e.ID})
}

func within(q *wpstore.EventQuery, d dates) bool {
	start, end := d.Start, d.End
	if q.UTC {
		start, end = d.StartUTC, d.EndUTC
	}
	for _, b := range q.Bounds {
		date := start
		if b.End {
			date = end
		}
		if date == garbled {
			date = 0
		}
		bound, _ := parseDate(b.Date())
		holds := map[string]bool{">=": date >= bound, ">": date > bound, "<=": date <= bound, "<": date < bound}[b.Op]
		if date < 0 || !holds {
			return false
		}
	}
	return true
}

// checked is an index beside the events that it should hold.
type checked struct {
	t *testing.T
	r random
	x *sortedRows
	// unprepared is the index with one tree alone: the others' order is sorted.
	unprepared *sortedRows
	events     map[int64]event
}

func newChecked(t *testing.T, seed uint64, n int) *checked {
	c := &checked{t: t, r: random{rand.New(rand.NewPCG(seed, 2))}, events: map[int64]event{}}
	c.unprepared = sortEvents(n, []int{runRows, 1000, 90}[seed%3], func(i int) event {
		e := c.r.event(int64(i) + 1)
		c.events[e.ID] = e
		return e
	})
	c.x = c.unprepared
	for o := range orders {
		c.x = c.x.prepare(o)
	}
	return c
}

func (c *checked) compare(queries int) {
	c.t.Helper()
	for range queries {
		q := c.r.query()
		want := naive(c.events, &q)
		for name, x := range map[string]*sortedRows{"prepared": c.x, "unprepared": c.unprepared} {
			got, reason := x.search(&q)
			if reason != FromIndex || got.Total != want.Total || !slices.Equal(got.IDs, want.IDs) {
				c.t.Fatalf("%s: %+v\n got %v %s\nwant %v", name, q, got, reason, want)
			}
			if name == "prepared" && got.sorted != 0 {
				c.t.Fatalf("%+v was sorted", q)
			}
		}
	}
}

// change replaces some events: near each other or anywhere, few or many.
func (c *checked) change() {
	c.t.Helper()
	n := []int{0, 1, 2, 30, 700}[c.r.IntN(5)]
	from, span := c.r.Int64N(6000), []int64{1, 50, 6000}[c.r.IntN(3)]
	var ids []int64
	fresh := map[int64]event{}
	differs := false
	for range n {
		id := 1 + from + c.r.Int64N(span)
		ids = append(ids, id)
		switch old, was := c.events[id]; {
		case was && c.r.chance(20):
			fresh[id] = old
		case !c.r.chance(20):
			fresh[id] = c.r.event(id)
		}
	}
	var events []event
	for _, id := range ids {
		old, e := c.events[id], fresh[id]
		differs = differs || fmt.Sprint(old) != fmt.Sprint(e)
		if delete(c.events, id); e.ID != 0 && len(e.Dates) > 0 {
			c.events[id] = e
		}
	}
	for _, e := range fresh {
		events = append(events, e)
	}
	var changed bool
	if c.x, changed = c.x.replace(ids, events); changed && !differs {
		c.t.Fatal("the same events, and yet something changed")
	}
	c.unprepared, _ = c.unprepared.replace(ids, events)
}

// sound checks what the trees promise.
func (c *checked) sound() {
	c.t.Helper()
	for o, t := range c.x.trees {
		var last key
		small := 0
		for i, chunk := range t.chunks {
			n := len(chunk.ids)
			if n == 0 || n > chunkRows {
				c.t.Fatalf("a chunk of %d rows", n)
			}
			if n < chunkFill/4 {
				small++
			}
			for row := range n {
				k := order(o).keyAt(chunk, row)
				if (i > 0 || row > 0) && k.compare(last) < 0 {
					c.t.Fatalf("chunk %d of tree %d is out of order", i, o)
				}
				last = k
			}
		}
		if small > 1 {
			c.t.Fatalf("%d small chunks of %d", small, len(t.chunks))
		}
	}
}

func TestSearchEqualsLookingAtEveryEvent(t *testing.T) {
	sizes, changes := []int{0, 1, 300, 5000}, 60
	if testing.Short() {
		sizes, changes = []int{0, 1, 300}, 10
	}
	for _, n := range sizes {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			c := newChecked(t, uint64(n), n)
			c.sound()
			c.compare(200)
			for range changes {
				c.change()
				c.sound()
				c.compare(6)
			}
		})
	}
}

// FuzzReplace makes any series of changes.
func FuzzReplace(f *testing.F) {
	f.Add(uint64(1), uint8(10))
	f.Fuzz(func(t *testing.T, seed uint64, changes uint8) {
		c := newChecked(t, seed, int(seed%3000))
		for range changes % 16 {
			c.change()
		}
		c.sound()
		c.compare(5)
	})
}

func TestReplacedIndexLeavesTheOldOneAlone(t *testing.T) {
	c := newChecked(t, 3, 3000)
	old, events := c.x, c.events
	q := wpstore.EventQuery{Limit: 10_000}
	before, _ := old.search(&q)
	c.events = map[int64]event{}
	for id, e := range events {
		c.events[id] = e
	}
	for range 10 {
		c.change()
	}
	if after, _ := old.search(&q); !slices.Equal(before.IDs, after.IDs) {
		t.Error("an index changed")
	}
	shared := 0
	one := c.r.event(1)
	next, changed := c.x.replace([]int64{1}, []event{one})
	for _, chunk := range next.trees[byStart].chunks {
		if slices.Contains(c.x.trees[byStart].chunks, chunk) {
			shared++
		}
	}
	if all := len(c.x.trees[byStart].chunks); !changed || shared < all-1-2*len(one.Dates)-7*2 || shared == all {
		t.Errorf("%d of %d chunks are shared", shared, all)
	}
}

func wpml(code string) wpstore.InLanguage {
	return wpstore.InLanguage{Plugin: i18n.WPML, Code: code}
}

func TestUndecidable(t *testing.T) {
	build := func(change func(*event)) *sortedRows {
		return sortEvents(2000, runRows, func(id int) event {
			e := event{ID: int64(id), Status: "publish", Dates: []dates{{1, 2, 3, 4}}, Languages: []string{"cs"}}
			if id == 1500 {
				change(&e)
			}
			return e
		})
	}
	nothing := func(*event) {}
	for name, c := range map[string]struct {
		event func(*event)
		q     wpstore.EventQuery
		want  Outcome
	}{
		"plain":                {nothing, wpstore.EventQuery{Statuses: []string{"publish"}, Passwords: []string{"x"}}, FromIndex},
		"odd status asked":     {nothing, wpstore.EventQuery{Statuses: []string{"Publish"}}, OddText},
		"odd status stored":    {func(e *event) { e.Status = "veřejné" }, wpstore.EventQuery{Statuses: []string{"publish"}}, OddText},
		"odd own status":       {nothing, wpstore.EventQuery{Own: &wpstore.Own{Author: 1, Statuses: []string{"publish "}}}, OddText},
		"odd language asked":   {nothing, wpstore.EventQuery{Language: wpml("CS")}, OddText},
		"odd language stored":  {func(e *event) { e.Languages = []string{"CS"} }, wpstore.EventQuery{Language: wpml("cs")}, OddText},
		"odd language aside":   {func(e *event) { e.Languages = []string{"CS"} }, wpstore.EventQuery{}, FromIndex},
		"password":             {func(e *event) { e.Protected = true }, wpstore.EventQuery{Passwords: []string{"x"}}, Password},
		"no password asked":    {func(e *event) { e.Protected = true }, wpstore.EventQuery{UnprotectedOnly: true}, FromIndex},
		"negative id":          {nothing, wpstore.EventQuery{Venues: []int64{-1}}, OddID},
		"huge id":              {nothing, wpstore.EventQuery{Categories: []int64{maxID}}, OddID},
		"huge id included":     {nothing, wpstore.EventQuery{Include: []int64{1 << 62, -5}}, FromIndex},
		"unreadable":           {func(e *event) { e.Unreadable = true }, wpstore.EventQuery{}, Unreadable},
		"negative author":      {nothing, wpstore.EventQuery{Own: &wpstore.Own{Author: -1}}, OddID},
		"negative unlocker":    {nothing, wpstore.EventQuery{Passwords: []string{}, UnlockedFor: -1}, OddID},
		"unknown language":     {nothing, wpstore.EventQuery{Language: wpml("xx")}, FromIndex},
		"huge id stored aside": {func(e *event) { e.Venues = []int64{1 << 50} }, wpstore.EventQuery{Venues: []int64{1}}, FromIndex},
	} {
		if _, reason := build(c.event).search(&c.q); reason != c.want {
			t.Errorf("%s: %q, want %q", name, reason, c.want)
		}
	}
}

func TestParseDate(t *testing.T) {
	for text, want := range map[string]date{
		"2026-11-21 12:34:56": 20261121123456, "0000-00-00 00:00:00": 0, "9999-12-31 23:59:59": 99991231235959, "2026-00-10 00:00:00": 20260010000000,
	} {
		if got, ok := parseDate(text); !ok || got != want {
			t.Errorf("%s: %d %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "2026-11-21", "2026-11-21T12:34:56", "2026-11-21 12:34:5x", "2026-11-21 12:34:56.0", "+026-11-21 12:34:56"} {
		if got, ok := parseDate(text); ok {
			t.Errorf("%q is %d", text, got)
		}
	}
}
