package eventindex

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"

	"calbridge/wpstore/invalidation"
)

// steppedSource reads a block of occurrences for each value of step.
type steppedSource struct {
	*memorySource
	step chan struct{}
}

func (s steppedSource) Occurrences(ctx context.Context, ids []int64, each func(OccurrenceRow)) error {
	select {
	case <-s.step:
	case <-ctx.Done():
		return ctx.Err()
	}
	return s.memorySource.Occurrences(ctx, ids, each)
}

func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := steppedSource{&memorySource{events: map[int64]event{}}, make(chan struct{})}
		for id := range int64(2*loadBlock + 100) {
			s.put(event{ID: 10 * (id + 1), Dates: []dates{{1, 2, 3, 4}}})
		}
		tracker := invalidation.NewTracker()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		x := Open(ctx, Config{Tracker: tracker, Source: func() Source { return s }, Logger: slog.New(slog.DiscardHandler)})
		want := func(read, total int64) {
			t.Helper()
			synctest.Wait()
			if r, n := x.Progress(); r != read || n != total {
				t.Errorf("%d of %d, want %d of %d", r, n, read, total)
			}
		}
		want(0, 0)
		tracker.Resume(true)
		want(0, 2*loadBlock+100)
		s.step <- struct{}{}
		want(loadBlock, 2*loadBlock+100)
		s.step <- struct{}{}
		want(2*loadBlock, 2*loadBlock+100)
		s.step <- struct{}{}
		want(0, 0) // loaded
		if x.Rows() != 2*loadBlock+100 {
			t.Errorf("%d rows", x.Rows())
		}
	})
}
