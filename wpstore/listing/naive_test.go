package listing

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// naive answers a query by looking at every event, as its documentation says.
func naive(events map[int64]Event, q *Query) Answer {
	var found []key
	for _, e := range events {
		if !q.matches(&e) {
			continue
		}
		best, some := key{published: e.Published, id: e.ID}, false
		for _, d := range e.Dates {
			start := d.Start
			if q.OrderUTC {
				start = d.StartUTC
			}
			if start == Missing || !q.within(d) {
				continue
			}
			if start == Garbled {
				start = Null
			}
			if !some || start >= 0 && (best.start < 0 || q.Descending == (start > best.start)) {
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
		if q.Descending {
			start = -start
		}
		if q.OrderByPublication {
			if start = 0; q.Descending {
				published, id = -published, -id
			}
		}
		return cmp.Or(start, published, id)
	})
	a := Answer{Total: int64(len(found))}
	for i, k := range found {
		if int64(i) >= q.Offset && int64(len(a.IDs)) < q.Limit {
			a.IDs = append(a.IDs, k.id)
		}
	}
	return a
}

func (q *Query) matches(e *Event) bool {
	overlap := func(wanted, has []int64) bool {
		return wanted == nil || slices.ContainsFunc(has, func(id int64) bool { return slices.Contains(wanted, id) })
	}
	status := slices.Contains(q.Statuses, e.Status) || q.Statuses == nil && e.Status != "trash" && e.Status != "auto-draft"
	if q.Own != nil && q.Own.Author == e.Author {
		status = slices.Contains(q.Own.Statuses, e.Status)
	}
	language := q.Languages == nil || slices.ContainsFunc(e.Languages, func(code string) bool { return slices.Contains(q.Languages, code) })
	return status && language &&
		(!q.UnprotectedOnly || !e.Protected || q.UnlockedFor != 0 && q.UnlockedFor == e.Author) &&
		overlap(q.Categories, e.Categories) && overlap(q.Tags, e.Tags) &&
		overlap(q.Venues, e.Venues) && overlap(q.Organizers, e.Organizers) && overlap(q.LanguageTerms, e.LanguageTerms) &&
		(q.Featured == nil || *q.Featured == e.Featured) && (q.Parent == nil || *q.Parent == e.Parent) &&
		overlap(q.Include, []int64{e.ID})
}

func (q *Query) within(d Dates) bool {
	start, end := d.Start, d.End
	if q.UTC {
		start, end = d.StartUTC, d.EndUTC
	}
	for _, b := range q.Bounds {
		date := start
		if b.End {
			date = end
		}
		if date == Garbled {
			date = 0
		}
		holds := map[string]bool{">=": date >= b.Date, ">": date > b.Date, "<=": date <= b.Date, "<": date < b.Date}[b.Op]
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
	x *Index
	// unprepared is the index with one tree alone: the others' order is sorted.
	unprepared *Index
	events     map[int64]Event
}

func newChecked(t *testing.T, seed uint64, n int) *checked {
	c := &checked{t: t, r: random{rand.New(rand.NewPCG(seed, 2))}, events: map[int64]Event{}}
	var b Builder
	for id := range int64(n) {
		e := c.r.event(id + 1)
		c.events[e.ID] = e
		b.Add(e)
	}
	c.unprepared = b.Build(ByStart)
	c.x = c.unprepared
	for o := range orders {
		c.x = c.x.Prepare(o)
	}
	return c
}

func (c *checked) compare(queries int) {
	c.t.Helper()
	for range queries {
		q := c.r.query()
		want := naive(c.events, &q)
		for name, x := range map[string]*Index{"prepared": c.x, "unprepared": c.unprepared} {
			got, reason := x.Search(&q)
			if reason != Answered || got.Total != want.Total || !slices.Equal(got.IDs, want.IDs) {
				c.t.Fatalf("%s: %+v\n got %v %s\nwant %v", name, q, got, reason, want)
			}
			if name == "prepared" && got.Sorted != 0 {
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
	fresh := map[int64]Event{}
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
	var events []Event
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
	if c.x, changed = c.x.Replace(ids, events); changed && !differs {
		c.t.Fatal("the same events, and yet something changed")
	}
	c.unprepared, _ = c.unprepared.Replace(ids, events)
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
				k := Order(o).keyAt(chunk, row)
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
	q := Query{Limit: 10_000}
	before, _ := old.Search(&q)
	c.events = map[int64]Event{}
	for id, e := range events {
		c.events[id] = e
	}
	for range 10 {
		c.change()
	}
	if after, _ := old.Search(&q); !slices.Equal(before.IDs, after.IDs) {
		t.Error("an index changed")
	}
	shared := 0
	one := c.r.event(1)
	next, changed := c.x.Replace([]int64{1}, []Event{one})
	for _, chunk := range next.trees[ByStart].chunks {
		if slices.Contains(c.x.trees[ByStart].chunks, chunk) {
			shared++
		}
	}
	if all := len(c.x.trees[ByStart].chunks); !changed || shared < all-1-2*len(one.Dates)-7*2 || shared == all {
		t.Errorf("%d of %d chunks are shared", shared, all)
	}
}

func TestUndecidable(t *testing.T) {
	build := func(change func(*Event)) *Index {
		var b Builder
		for id := range int64(2000) {
			e := Event{ID: id, Status: "publish", Dates: []Dates{{1, 2, 3, 4}}, Languages: []string{"cs"}}
			if id == 1500 {
				change(&e)
			}
			b.Add(e)
		}
		return b.Build(ByStart)
	}
	nothing := func(*Event) {}
	for name, c := range map[string]struct {
		event func(*Event)
		q     Query
		want  Reason
	}{
		"plain":                {nothing, Query{Statuses: []string{"publish"}, Passwords: true, UnprotectedOnly: true}, Answered},
		"odd status asked":     {nothing, Query{Statuses: []string{"Publish"}}, OddText},
		"odd status stored":    {func(e *Event) { e.Status = "veřejné" }, Query{Statuses: []string{"publish"}}, OddText},
		"odd own status":       {nothing, Query{Own: &Own{1, []string{"publish "}}}, OddText},
		"odd language asked":   {nothing, Query{Languages: []string{"CS"}}, OddText},
		"odd language stored":  {func(e *Event) { e.Languages = []string{"CS"} }, Query{Languages: []string{"cs"}}, OddText},
		"odd language aside":   {func(e *Event) { e.Languages = []string{"CS"} }, Query{}, Answered},
		"password":             {func(e *Event) { e.Protected = true }, Query{Passwords: true, UnprotectedOnly: true}, Password},
		"no password asked":    {func(e *Event) { e.Protected = true }, Query{UnprotectedOnly: true}, Answered},
		"negative id":          {nothing, Query{Venues: []int64{-1}}, OddID},
		"huge id":              {nothing, Query{Categories: []int64{maxID}}, OddID},
		"huge id included":     {nothing, Query{Include: []int64{1 << 62, -5}}, Answered},
		"unreadable":           {func(e *Event) { e.Unreadable = true }, Query{}, Unreadable},
		"negative author":      {nothing, Query{Own: &Own{-1, nil}}, OddID},
		"negative unlocker":    {nothing, Query{UnprotectedOnly: true, UnlockedFor: -1}, OddID},
		"unknown language":     {nothing, Query{Languages: []string{"xx"}}, Answered},
		"huge id stored aside": {func(e *Event) { e.Venues = []int64{1 << 50} }, Query{Venues: []int64{1}}, Answered},
	} {
		if _, reason := build(c.event).Search(&c.q); reason != c.want {
			t.Errorf("%s: %q, want %q", name, reason, c.want)
		}
	}
}

func TestParseDate(t *testing.T) {
	for text, want := range map[string]Date{
		"2026-11-21 12:34:56": 20261121123456, "0000-00-00 00:00:00": 0, "9999-12-31 23:59:59": 99991231235959, "2026-00-10 00:00:00": 20260010000000,
	} {
		if got, ok := ParseDate(text); !ok || got != want {
			t.Errorf("%s: %d %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "2026-11-21", "2026-11-21T12:34:56", "2026-11-21 12:34:5x", "2026-11-21 12:34:56.0", "+026-11-21 12:34:56"} {
		if got, ok := ParseDate(text); ok {
			t.Errorf("%q is %d", text, got)
		}
	}
}
