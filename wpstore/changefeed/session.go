package changefeed

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/singleflight"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/invalidation"
)

// The pause between two questions whether transactions are visible doubles from
// minVisiblePause to maxVisiblePause. Most are visible at once; replicas that confirm
// each transaction take longer.
const (
	minVisiblePause = 50 * time.Microsecond
	maxVisiblePause = 5 * time.Millisecond
)

// session follows the log of one server.
//
// A transaction arrives before its rows can be read (see package binlog). If its tags
// were invalidated at once, a response made from the old rows right afterwards would
// count as made after the change, forever. So read collects what arrives, and apply
// invalidates once the server says that the transactions are visible: a reader that
// sees the tracker's new generation reads the new rows. Until then the cached responses
// are served, which is what the database answers too.
//
// While one question about visibility is under way more transactions arrive, and the
// next question is about all of them.
//
// Some changes aren't in the log: those of sessions with sql_log_bin=0, and rows that a
// foreign key changes along with others, of which WordPress has none.
type session struct {
	source   *source
	stream   *binlog.Stream
	layouts  *layouts  // used by read only
	resolver *resolver // used by apply only
	progress *progress
	tracker  *invalidation.Tracker
	complete func([]invalidation.Tag) []invalidation.Tag
	observer Observer
	watcher  Watcher // may be nil

	events    atomic.Uint64 // that have arrived
	positions singleflight.Group
	asking    sync.Mutex // held while the primary is asked for its position
}

// follow follows the log from a mark, or from now, until something fails. It returns
// where to resume.
func (s *session) follow(ctx context.Context, at mark) (mark, error) {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return s.read(ctx, at.position) })
	group.Go(func() error { return s.apply(ctx, at.position) })
	group.Go(func() error { return s.source.watch(ctx) })
	group.Go(func() error { return s.watchHistory(ctx) })
	err := group.Wait()
	s.tracker.Suspend()
	if s.watcher != nil {
		s.watcher.End()
	}
	return mark{s.source.server, s.progress.end()}.resumable(err), err
}

// primaryPosition asks the primary for its position, on behalf of all callers that
// arrive before the query is sent: an answer to an earlier query proves nothing to a
// later caller.
func (s *session) primaryPosition(ctx context.Context) <-chan singleflight.Result {
	ctx = context.WithoutCancel(ctx) // shared; each query has its own deadline
	return s.positions.DoChan("", func() (any, error) {
		s.asking.Lock()
		defer s.asking.Unlock()
		s.positions.Forget("")
		position, err := s.source.primaryPosition(ctx)
		if errors.Is(err, errNotPrimary) {
			s.source.leave(err)
		}
		return position, err
	})
}

// read collects the changes of transactions. It waits for no answers of the server,
// except for a table's columns after it was altered.
func (s *session) read(ctx context.Context, at binlog.Position) error {
	if at == nil {
		at, _ = s.stream.Start()
	}
	for b := newBatch(); ; {
		event, err := s.stream.Next(ctx)
		if err != nil {
			return err
		}
		s.events.Add(1)
		if b.arrived.IsZero() {
			b.arrived = time.Now()
		}
		switch event := event.(type) {
		case *binlog.Rows:
			b.watched = b.watched || s.layouts.watches(event.Table)
			if !b.everything {
				s.layouts.note(&b.Changes, event)
			}
		case *binlog.Unknown:
			b.everything = true
		case *binlog.Statement:
			if s.layouts.noteStatement(&b.Changes, event.Schema, event.SQL) {
				s.layouts.forget()
				s.stream.Forget()
			}
		case *binlog.Commit:
			if event.GTID == nil || at.Contains(event.GTID) {
				return errWentBack
			}
			at = at.Merge(event.GTID)
			b.gtid, b.end, b.transactions = event.GTID, event.End, 1
			if b.watched || b.everything {
				b.seen = []string{event.GTID.String()}
			}
			s.progress.put(b)
			b = newBatch()
		}
	}
}

// apply invalidates what has changed, once it is visible.
func (s *session) apply(ctx context.Context, at binlog.Position) error {
	start, place := s.stream.Start()
	missed := at == nil
	if missed {
		// The last transactions before the start may not be visible yet, and won't arrive.
		if err := s.untilVisible(ctx, start, place); err != nil {
			return err
		}
		at = start
	}
	s.progress.advance(at)
	for following := false; ; {
		if !following && at.Contains(start) {
			following = true
			s.tracker.Resume(missed)
			if s.watcher != nil {
				s.watcher.Begin()
			}
			if s.observer.Following != nil {
				s.observer.Following(true, nil)
			}
		}
		b, err := s.progress.take(ctx)
		if err != nil {
			return err
		}
		if err := s.untilVisible(ctx, b.gtid, b.end); err != nil {
			return err
		}
		if s.watcher != nil && len(b.seen) > 0 {
			s.watcher.Seen(b.seen)
		}
		if err := s.resolver.resolve(ctx, &b.Changes); err != nil {
			return err
		}
		if b.everything {
			s.tracker.InvalidateAll()
		} else {
			s.tracker.Invalidate(s.complete(slices.Collect(maps.Keys(b.tags)))...)
		}
		at = at.Merge(b.gtid)
		s.progress.advance(at)
		if s.observer.Applied != nil {
			s.observer.Applied(b.transactions, time.Since(b.arrived))
		}
	}
}

// untilVisible waits until everyone who reads sees the transactions.
func (s *session) untilVisible(ctx context.Context, gtid binlog.Position, end binlog.Place) error {
	for pause := minVisiblePause; ; pause = min(2*pause, maxVisiblePause) {
		if visible, err := s.source.visible(ctx, gtid, end); err != nil || visible {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}
