package proof

import (
	"testing"
	"time"

	"calbridge/wpstore/invalidation"
)

// TestArguments: shapes have names and kinds, never values.
func TestArguments(t *testing.T) {
	known := map[string]bool{"page": true, "per_page": true, "start_date": true, "search": true, "categories": true, "password": true}
	for _, c := range []struct {
		query, want string
		ok          bool
	}{
		{"", "", true},
		{"page=2&per_page=10", "page=number per_page=number", true},
		{"per_page=51", "per_page=large number", true},
		{"start_date=2026-01-01+10:00&search=jazz", "search=text start_date=date", true},
		{"categories[]=1&categories[]=2", "categories=list", true},
		{"search=", "search=empty", true},
		{"key=secret", "", false},
		{"password=sesame", "", false},
		{"page=%zz", "", false},
	} {
		if got, ok := arguments(c.query, known); got != c.want || ok != c.ok {
			t.Errorf("%s: %q %t, want %q %t", c.query, got, ok, c.want, c.ok)
		}
	}
}

// TestBook: a proof takes different requests and time, and one difference ends it.
func TestBook(t *testing.T) {
	s := &Settings{Comparisons: 3, Time: 10 * time.Minute, Bytes: 1 << 20}
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	e := newBook(s).open(Shape{Route: "/events"})
	for i, c := range []struct {
		request uint64
		minute  int
		proven  bool
	}{{1, 0, false}, {1, 1, false}, {2, 2, false}, {3, 3, false}, {4, 9, false}, {5, 10, true}} {
		e.same(s, c.request, at.Add(time.Duration(c.minute)*time.Minute))
		if e.proven.Load() != c.proven {
			t.Errorf("step %d: proven %t", i, !c.proven)
		}
	}
	if !e.differs([]string{"status"}, false, at) || e.proven.Load() || e.snapshot().State != Differing || e.snapshot().Identical != 0 {
		t.Errorf("after a difference: %+v", e.snapshot())
	}
}

// TestObjects: what was seen in one place is open there until its rows change, WordPress refuses
// it, or everything ends.
func TestObjects(t *testing.T) {
	tracker := invalidation.NewTracker()
	tracker.Resume(true)
	o := newObjects(tracker, 100, time.Now)
	here, there := place{"/events/{id}", "", testSite}, place{"/events", "", testSite}
	post := invalidation.Tag{Kind: invalidation.Post, ID: 7}
	tags := []invalidation.Tag{post, {Kind: invalidation.Posts}}
	expect := func(what string, at place, want openness) {
		t.Helper()
		if got, _ := o.check(at, tags, 0); got != want {
			t.Errorf("%s: %d, want %d", what, got, want)
		}
	}
	expect("at first", here, unseen)
	o.show(here, o.stamp(), tags)
	expect("seen", here, allOpen)
	expect("elsewhere", there, unseen)
	begun := o.stamp()
	tracker.Invalidate(post)
	expect("changed", here, unseen)
	o.show(here, begun, tags)
	expect("compared before the change", here, unseen)
	o.show(here, o.stamp(), tags)
	expect("seen again", here, allOpen)
	if !o.refuse(here, o.stamp(), []invalidation.Tag{post}) {
		t.Error("a refusal of what was open contradicts nothing")
	}
	expect("refused", here, closed)
	o.show(here, o.stamp(), tags)
	expect("refused and seen", here, closed)
	tracker.Invalidate(post)
	o.show(here, o.stamp(), tags)
	expect("refused before the change", here, allOpen)
	begun = o.stamp()
	o.end()
	expect("ended", here, unseen)
	o.show(here, begun, tags)
	expect("compared before the end", here, unseen)
}

// TestBounds: what is remembered is bounded.
func TestBounds(t *testing.T) {
	tracker := invalidation.NewTracker()
	tracker.Resume(true)
	o := newObjects(tracker, 100, time.Now)
	for id := range int64(1000) {
		o.show(place{"/events", "", testSite}, o.stamp(), []invalidation.Tag{{Kind: invalidation.Post, ID: id + 1}})
	}
	if n, _ := o.Sizes(); n > 100 {
		t.Errorf("%d objects", n)
	}
	s := &Settings{Comparisons: 1, Bytes: 1}
	b := newBook(s)
	proven := b.open(Shape{Route: "/venues"})
	proven.same(s, 1, time.Unix(1, 0))
	for i := range 1000 {
		b.open(Shape{Route: "/events", Arguments: string(rune('a' + i))})
	}
	if n := len(b.Proofs()); n > s.maxShapes() || b.find(Shape{Route: "/venues"}) == nil || !proven.proven.Load() {
		t.Errorf("%d shapes", n)
	}
}
