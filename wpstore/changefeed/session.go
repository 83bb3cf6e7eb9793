package changefeed

import (
	"context"
	"maps"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/invalidation"
)

const (
	// visiblePause is the first pause between two questions whether transactions are
	// visible; it doubles, up to longestVisiblePause. They mostly are at once; longer
	// waits are for replicas that confirm each transaction.
	visiblePause        = 50 * time.Microsecond
	longestVisiblePause = 5 * time.Millisecond
)

// session follows the log of one server.
//
// A transaction arrives before its rows can be read (see package binlog). Was the
// tracker told at once, a response made from the old rows right afterwards would count
// as made after the change, for ever. So read collects what arrives, and apply tells
// the tracker once the server says that those transactions are visible: whoever sees
// the tracker's new sequence reads the new rows. Until then responses of before the
// change are served, which is what the database answers too.
//
// While one question is on its way more transactions arrive, and the next question is
// about all of them.
//
// What the log does not hold does not arrive: the changes of sessions with
// sql_log_bin=0, and rows that a foreign key changes along with others, of which
// WordPress has none.
type session struct {
	link      *link
	stream    *binlog.Stream
	tables    *tables   // read's alone
	resolver  *resolver // apply's alone
	progress  *progress
	questions *questions
	tracker   *invalidation.Tracker
	complete  func([]invalidation.Tag) []invalidation.Tag
	options   *Options
}

// follow follows the log from a mark, or from now, until something fails. It returns
// where to go on.
func (s *session) follow(ctx context.Context, at mark) (mark, error) {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return s.read(ctx, at.position) })
	group.Go(func() error { return s.apply(ctx, at.position) })
	group.Go(func() error { return s.questions.answer(ctx, s.link.primaryPosition) })
	group.Go(func() error { return s.link.stay(ctx) })
	err := group.Wait()
	s.tracker.Suspend()
	return mark{s.link.server, s.progress.end()}.resumable(err), err
}

// read collects what transactions change. It is never held up by the server's
// answers, but when a table has been altered.
func (s *session) read(ctx context.Context, at binlog.Position) error {
	if at == nil {
		at, _ = s.stream.Start()
	}
	for b := newBatch(); ; {
		event, err := s.stream.Next(ctx)
		if err != nil {
			return err
		}
		if b.arrived.IsZero() {
			b.arrived = time.Now()
		}
		switch event := event.(type) {
		case *binlog.Rows:
			if !b.everything {
				s.tables.note(&b.Changes, event)
			}
		case *binlog.Unknown:
			b.everything = true
		case *binlog.Statement:
			if s.tables.concerns(event.Schema, event.SQL) {
				b.everything = true
				s.tables.forget()
				s.stream.Forget()
			}
		case *binlog.Commit:
			if event.GTID == nil || at.Contains(event.GTID) {
				return errBehind
			}
			at = at.Merge(event.GTID)
			b.gtid, b.end, b.committed, b.transactions = event.GTID, event.End, event.Committed, 1
			s.progress.put(b)
			b = newBatch()
		}
	}
}

// apply tells the tracker of what is visible.
func (s *session) apply(ctx context.Context, at binlog.Position) error {
	target, place := s.stream.Start()
	missed := at == nil
	if missed {
		// What the server had written may not be visible yet, and is not going to
		// arrive.
		if err := s.untilVisible(ctx, target, place); err != nil {
			return err
		}
		at = target
	}
	s.progress.advance(at)
	following := false
	for {
		if !following && at.Contains(target) {
			following = true
			s.tracker.Resume(missed)
			if s.options.Following != nil {
				s.options.Following(true, nil)
			}
		}
		b, err := s.progress.take(ctx)
		if err != nil {
			return err
		}
		if b == nil {
			continue
		}
		if err := s.untilVisible(ctx, b.gtid, b.end); err != nil {
			return err
		}
		if err := s.resolver.resolve(ctx, &b.Changes); err != nil {
			return err
		}
		s.tell(&b.Changes)
		at = at.Merge(b.gtid)
		s.progress.advance(at)
		if s.options.Applied != nil {
			s.options.Applied(Applied{Transactions: b.transactions, Delay: time.Since(b.arrived), Committed: b.committed})
		}
	}
}

// untilVisible waits until everybody who asks now sees transactions.
func (s *session) untilVisible(ctx context.Context, gtid binlog.Position, end binlog.Place) error {
	for pause := visiblePause; ; pause = min(2*pause, longestVisiblePause) {
		if done, err := s.link.visible(ctx, gtid, end); err != nil || done {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// tell passes changes on to the tracker.
func (s *session) tell(c *Changes) {
	if c.everything {
		s.tracker.InvalidateAll()
		return
	}
	s.tracker.Invalidate(s.complete(slices.Collect(maps.Keys(c.tags)))...)
}
