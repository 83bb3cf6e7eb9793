package eventindex

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"testing"

	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/wptest"
)

// TestLoadedInBlocks: a calendar of several blocks, dense or not, answers as looking at every
// event does, whether marks are read at once or, where that fails, block by block.
func TestLoadedInBlocks(t *testing.T) {
	for name, c := range map[string]struct {
		events  int
		gap     int64
		refused bool
	}{
		"few": {2000, 9, false}, "dense": {manyEvents + 7000, 1, false}, "sparse": {manyEvents, 5, false}, "refused": {manyEvents, 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			r := random{rand.New(rand.NewPCG(5, uint64(c.events)))}
			s := &memorySource{events: map[int64]event{}, refused: c.refused}
			for id := range int64(3) {
				s.terms = append(s.terms, TermRow{id, id, placeLanguage})
			}
			for i := range c.events {
				e := r.event(1000 + int64(i)*c.gap)
				e.Published, e.Dates = e.Published+20260101000000, []dates{{date(20260101000000 + r.IntN(5000)), 20270101000000, 20260101000000, 20270101000000}}
				s.put(e)
			}
			o := byStart
			x, err := load(t.Context(), nil, s, true, o, &progress{})
			if err != nil {
				t.Fatal(err)
			}
			if once := s.marksRead.Load() > 0; once != (c.events >= manyEvents) {
				t.Errorf("marks read at once: %v", once)
			}
			for range 60 {
				q := r.query()
				q.Occurrences = true
				want := naive(s.events, &q)
				if got, outcome := x.rows.search(&q); outcome != FromIndex || got.Total != want.Total || !slices.Equal(got.IDs, want.IDs) {
					t.Fatalf("%.500s\n got %d of %d %s\nwant %d of %d", fmt.Sprintf("%+v", q), len(got.IDs), got.Total, outcome, len(want.IDs), want.Total)
				}
			}
		})
	}
}

func TestBlocks(t *testing.T) {
	ids := func(n int, gap int64) (ids []int64) {
		for i := range n {
			ids = append(ids, int64(i)*gap)
		}
		return ids
	}
	for _, c := range []struct {
		ids  []int64
		want []int
	}{
		{nil, nil}, {ids(1, 1), []int{1}}, {ids(10_000, 3), []int{denseBlock, 10_000 - denseBlock}}, {ids(2000, 100), []int{900, 900, 200}},
		{append(ids(denseBlock, 1), 1<<40, 1<<41), []int{denseBlock, 2}},
	} {
		var got []int
		var all []int64
		for _, block := range blocksOf(c.ids) {
			got, all = append(got, len(block)), append(all, block...)
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) || !slices.Equal(all, c.ids) {
			t.Errorf("%d ids: blocks of %v, want %v", len(c.ids), got, c.want)
		}
	}
}

// TestFailingLoad: the error of a block is that of the load.
func TestFailingLoad(t *testing.T) {
	failed := errors.New("failed")
	s := failingSource{&memorySource{events: map[int64]event{}}, failed}
	for id := range int64(5000) {
		s.put(event{ID: 10 * id, Dates: []dates{{1, 2, 3, 4}}})
	}
	if _, err := load(t.Context(), nil, s, true, byStart, &progress{}); !errors.Is(err, failed) {
		t.Errorf("got %v", err)
	}
}

// failingSource fails to read occurrences.
type failingSource struct {
	*memorySource
	err error
}

func (s failingSource) Occurrences(context.Context, []int64, func(OccurrenceRow)) error { return s.err }

// TestDatabaseAnswersWhileLoading: no list waits for the index.
func TestDatabaseAnswersWhileLoading(t *testing.T) {
	s := &memorySource{events: map[int64]event{}, gate: make(chan struct{})}
	s.put(event{ID: 1, Status: "publish", Dates: []dates{{1, 2, 3, 4}}})
	tracker := invalidation.NewTracker()
	x := Open(t.Context(), Config{Tracker: tracker, Source: func() Source { return s }, Logger: slog.New(slog.DiscardHandler)})
	tracker.Resume(true)
	q := wpstore.EventQuery{Occurrences: true, Limit: 10}
	for range 3 {
		if _, outcome := x.Find(t.Context(), s, q, nil); outcome != Loading {
			t.Fatalf("while loading: %s", outcome)
		}
		tracker.Invalidate(invalidation.Tag{Kind: invalidation.Post, ID: 1})
		if err := x.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	close(s.gate)
	wptest.AwaitRows(t, x)
	if page, outcome := x.Find(t.Context(), s, q, nil); outcome != FromIndex || !slices.Equal(page.IDs, []int64{1}) {
		t.Errorf("%v %s", page, outcome)
	}
}
