package proof

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"testing"
	"time"

	"calbridge/rest/api"
	"calbridge/wpstore/invalidation"
)

// rig is a prover with a clock, a tracker and facts that a test sets.
type rig struct {
	*Prover
	t       *testing.T
	tracker *invalidation.Tracker
	at      *time.Time
	facts   Facts
	ended   []Ending
}

// Ended and Decided implement Observer.
func (r *rig) Ended(why Ending) { r.ended = append(r.ended, why) }
func (r *rig) Decided(Reason)   {}

// newRig returns a prover that follows changes, at the time of another, or its own for nil.
func newRig(t *testing.T, before *rig) *rig {
	t.Helper()
	at := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	r := &rig{t: t, tracker: invalidation.NewTracker(), at: &at, facts: Facts{"wordpress": "7.0", CodeFact: "1"}}
	if before != nil {
		r.at, r.facts = before.at, maps.Clone(before.facts)
	}
	r.Prover = New(Config{
		Settings: Settings{Comparisons: 3, Time: time.Minute, Bytes: 1 << 20}, Tracker: r.tracker, Now: func() time.Time { return *r.at },
		Facts: func(context.Context) (Facts, error) { return r.facts, nil }, Observer: r, Logger: slog.New(slog.DiscardHandler),
	})
	r.tracker.Resume(true)
	r.refresh()
	return r
}

func (r *rig) refresh() {
	r.t.Helper()
	if err := r.Refresh(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
}

func draft(route string, posts ...int64) *api.Summary {
	d := &api.Summary{Route: route, ContentType: "application/json", Shared: true, Tags: []invalidation.Tag{{Kind: invalidation.Posts}}}
	for _, id := range posts {
		d.Tags = append(d.Tags, invalidation.Tag{Kind: invalidation.Post, ID: id})
	}
	return d
}

// same and differs compare a request to a route, whose response shows posts.
func (r *rig) same(route string, request int, posts ...int64) {
	*r.at = r.at.Add(time.Minute)
	r.Record(&Result{Site: testSite, Begun: r.Begin(), Target: fmt.Sprint(route, request), Summary: draft(route, posts...)})
}

func (r *rig) differs(route string) {
	r.Record(&Result{Site: testSite, Begun: r.Begin(), Target: route, Summary: draft(route), Verdict: Different, Fields: []string{"body title"}, Theirs: Side{Status: http.StatusOK}})
}

// prove makes a shape proven.
func (r *rig) prove(route string, posts ...int64) {
	r.t.Helper()
	for n := range 3 {
		r.same(route, n, posts...)
	}
	r.expect(route, None, posts...)
}

// expect checks how a request would be answered.
func (r *rig) expect(route string, want Reason, posts ...int64) {
	r.t.Helper()
	if got := r.Release(asked{}, draft(route, posts...)).Why; got != want {
		r.t.Errorf("%s: %q, want %q", route, got, want)
	}
}

func (r *rig) keep() Saved {
	r.t.Helper()
	k, ok := Keep(r.Prover)
	if !ok {
		r.t.Fatal("nothing can be kept")
	}
	return k
}

func (r *rig) restore(k Saved, want int) {
	r.t.Helper()
	if n, _, err := Restore(r.t.Context(), r.Prover, k); err != nil || n != want {
		r.t.Errorf("%d shapes restored, want %d: %v", n, want, err)
	}
}

// TestRestore checks that one identical response proves a proven shape again, that proofs of
// objects start over, and that unproven shapes are not kept.
func TestRestore(t *testing.T) {
	before := newRig(t, nil)
	before.prove("/events", 1)
	before.prove("/venues", 2)
	before.same("/tags", 1)
	before.differs("/organizers")
	k := before.keep()
	if len(k.Shapes) != 2 {
		t.Errorf("%+v", k.Shapes)
	}
	after := newRig(t, before)
	after.expect("/events", NotProven, 1) // a request that comes before the proofs
	after.restore(k, 2)
	after.expect("/events", NotProven, 1)
	if again := after.keep(); !slices.Equal(again.Shapes, k.Shapes) {
		t.Errorf("what isn't proven again yet is forgotten: %+v", again.Shapes)
	}
	after.same("/events", 9, 1)
	after.expect("/events", None, 1)
	after.expect("/events", NotSeen, 2)
	after.differs("/venues")
	after.expect("/venues", Differs, 2)
	if again := after.keep(); len(again.Shapes) != 1 || !slices.Contains(after.ended, EndDifference) {
		t.Errorf("after a difference %+v is kept; ended %v", again.Shapes, after.ended)
	}
}

// TestRestoreNothing: what was proven under other facts isn't taken up, nor what something has
// ended since the start, nor what could not have been proved.
func TestRestoreNothing(t *testing.T) {
	before := newRig(t, nil)
	before.prove("/events", 1)
	k := before.keep()
	for name, change := range map[string]func(*rig, *Saved){
		"another version":   func(r *rig, _ *Saved) { r.facts["wordpress"] = "7.1" },
		"a new fact":        func(r *rig, _ *Saved) { r.facts["plugin"] = "1" },
		"no facts":          func(_ *rig, k *Saved) { k.Facts = nil },
		"other code since":  func(r *rig, _ *Saved) { r.Change("site"); r.refresh() },
		"too few answers":   func(_ *rig, k *Saved) { k.Shapes[0].Identical = 2 },
		"too little time":   func(_ *rig, k *Saved) { k.Shapes[0].First = *before.at },
		"a difference here": func(r *rig, _ *Saved) { r.differs("/events") },
	} {
		after := newRig(t, before)
		changed := k
		changed.Shapes = slices.Clone(k.Shapes)
		change(after, &changed)
		after.restore(changed, 0)
		for n := range 2 {
			after.same("/events", n, 1)
		}
		if why := after.Release(asked{}, draft("/events", 1)).Why; why == None {
			t.Errorf("%s: it is answered natively", name)
		}
	}
	unread := New(Config{Now: time.Now, Observer: before})
	if _, ok := Keep(unread); ok {
		t.Error("something is kept without facts")
	}
}

// TestRestoreRules: rules come back, unless they can't be followed.
func TestRestoreRules(t *testing.T) {
	r := newRig(t, nil)
	k := r.keep()
	k.Headers = []HeaderRule{{Name: "X-Shop", Value: "open", Site: testSite}, {Name: "Set-Cookie", Value: "a=b", Site: testSite}, {Name: "X-Line", Value: "a\r\nb", Site: testSite}, {Name: "X-Line", Value: "a", Site: testSite, Instead: "a\nb"}, {Value: "x", Site: testSite}}
	k.PageCaps = []PageCapRule{{"/events", 100}, {"/venues", 1}, {"/tags", 1e9}, {"", 60}}
	r.restore(k, 0)
	want := Rules{[]HeaderRule{{Name: "X-Shop", Value: "open", Site: testSite}}, []PageCapRule{{"/events", 100}}}
	if got := r.adjustments.rules(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	r.refresh() // answers of before had other pages
	r.prove("/venues", 1)
	next, _ := r.handOver(nil)
	if got := next.adjustments.rules(); !reflect.DeepEqual(got, want) {
		t.Errorf("handed over: %+v", got)
	}
}

// TestInconclusive: answers that differ while rows change suspend a proof until the next
// identical response. They don't end it, and add nothing to a shape that isn't proven.
func TestInconclusive(t *testing.T) {
	r := newRig(t, nil)
	inconclusive := func(route string) {
		r.Record(&Result{Site: testSite, Begun: r.Begin(), Target: route, Summary: draft(route), Verdict: Inconclusive, Theirs: Side{Status: http.StatusOK}})
	}
	r.prove("/events", 45)
	compared := lastCompared(r.Prover)
	*r.at = r.at.Add(time.Second)
	inconclusive("/events")
	inconclusive("/venues")
	r.expect("/events", NotProven, 45)
	if k := r.keep(); len(k.Shapes) != 1 || k.Shapes[0].Identical != 3 || !lastCompared(r.Prover).Equal(compared) || len(r.ended) > 0 {
		t.Errorf("%+v, compared %s, ended %v", k.Shapes, lastCompared(r.Prover), r.ended)
	}
	r.same("/events", 9, 45)
	r.expect("/events", None, 45)
	r.same("/venues", 1)
	r.expect("/venues", NotProven)

	inconclusive("/events")
	next := newRig(t, r)
	next.differs("/events")
	if taken := r.succeed(next, nil); taken.Objects > 0 {
		t.Errorf("%+v taken over although a difference contradicts a proof that is suspended", taken)
	}
	r = newRig(t, nil)
	r.prove("/events", 45)
	inconclusive("/events")
	r.differs("/events")
	if !slices.Equal(r.ended, []Ending{EndDifference}) {
		t.Errorf("a difference after an inconclusive comparison: %v", r.ended)
	}
}
