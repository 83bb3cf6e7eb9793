package proof

import (
	"context"
	"net/http"
	"testing"

	"calbridge/wpstore/invalidation"
)

// handOver lets a successor take over.
func (r *rig) handOver(catchUp error) (*rig, Taken) {
	r.t.Helper()
	next := newRig(r.t, r)
	return next, r.succeed(next, catchUp)
}

func (r *rig) succeed(next *rig, catchUp error) Taken {
	r.t.Helper()
	taken, err := HandOver(r.t.Context(), r.Prover, next.Prover, func(context.Context) error { return catchUp })
	if err != nil {
		r.t.Fatal(err)
	}
	return taken
}

// TestSucceed: a successor has all proofs, and its predecessor none.
func TestSucceed(t *testing.T) {
	old := newRig(t, nil)
	old.prove("/events", 1, 2)
	old.same("/tags", 1)
	old.Record(&Result{Site: testSite, Begun: old.Begin(), Target: "/venues/3", Summary: draft("/venues/{id}", 3), Verdict: Different,
		Ours: Side{Status: http.StatusOK, Body: []byte(`{"id":3}`)}, Theirs: Side{Status: http.StatusNotFound}})
	old.tracker.Invalidate(invalidation.Tag{Kind: invalidation.Post, ID: 2})
	next, taken := old.handOver(nil)
	if taken.Shapes != 3 || taken.Objects != 1 {
		t.Errorf("%+v", taken)
	}
	next.expect("/events", None, 1)
	next.expect("/events", NotSeen, 1, 2)
	next.expect("/events", Closed, 1, 3)
	next.tracker.Invalidate(invalidation.Tag{Kind: invalidation.Post, ID: 1})
	next.expect("/events", NotSeen, 1)
	old.expect("/events", NotFollowed, 1)
	old.learnsNothing("/organizers")
	next.same("/tags", 2)
	next.same("/tags", 3)
	next.expect("/tags", None)
}

// learnsNothing compares, and expects that nothing is remembered.
func (r *rig) learnsNothing(route string) {
	r.t.Helper()
	for n := range 3 {
		r.same(route, n)
	}
	if r.book.find(Shape{Route: route, Site: testSite, Answer: "application/json"}) != nil {
		r.t.Error("who has a successor learns")
	}
}

// TestSucceedDoubt: what a successor has found out itself counts more.
func TestSucceedDoubt(t *testing.T) {
	for name, c := range map[string]struct {
		before          func(next *rig)
		catchUp         error
		shapes, objects int
		want            Reason
	}{
		"nothing":              {func(*rig) {}, nil, 1, 1, None},
		"changes may be due":   {func(*rig) {}, context.DeadlineExceeded, 1, 0, NotSeen},
		"other facts":          {func(n *rig) { n.facts["wordpress"] = "7.1"; n.refresh() }, nil, 0, 0, NotProven},
		"a difference":         {func(n *rig) { n.differs("/events") }, nil, 0, 0, Differs},
		"everything has ended": {func(n *rig) { n.Change("site"); n.refresh() }, nil, 0, 0, NotProven},
		"a refusal": {func(n *rig) {
			n.Record(&Result{Site: testSite, Begun: n.Begin(), Target: "/events/1", Summary: draft("/events/{id}", 1), Verdict: Different,
				Ours: Side{Status: http.StatusOK, Body: []byte(`{"id":1}`)}, Theirs: Side{Status: http.StatusUnauthorized}})
		}, nil, 1, 0, Closed},
	} {
		old := newRig(t, nil)
		old.prove("/events", 1)
		next := newRig(t, old)
		c.before(next)
		if taken := old.succeed(next, c.catchUp); taken.Shapes != c.shapes || taken.Objects != c.objects {
			t.Errorf("%s: %+v", name, taken)
		}
		if why := next.Release(asked{}, draft("/events", 1)).Why; why != c.want {
			t.Errorf("%s: %q, want %q", name, why, c.want)
		}
	}
}

// TestSucceedTable: a table that changes while objects are taken over ends their proofs.
func TestSucceedTable(t *testing.T) {
	old := newRig(t, nil)
	old.prove("/events", 1)
	next := newRig(t, old)
	taken, err := HandOver(t.Context(), old.Prover, next.Prover, func(context.Context) error { next.Others([]string{"guards"}); return nil })
	if err != nil || taken.Shapes != 1 || taken.Objects != 0 {
		t.Errorf("%+v %v", taken, err)
	}
	next.expect("/events", NotSeen, 1)
}

// TestSucceedRow: so does a row of an object.
func TestSucceedRow(t *testing.T) {
	old := newRig(t, nil)
	old.prove("/events", 1)
	next := newRig(t, old)
	_, err := HandOver(t.Context(), old.Prover, next.Prover, func(context.Context) error {
		next.tracker.Invalidate(invalidation.Tag{Kind: invalidation.Post, ID: 1}) // the old one receives it later
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	next.expect("/events", NotSeen, 1)
}
