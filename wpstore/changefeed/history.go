package changefeed

import (
	"context"
	"fmt"
	"time"

	"calbridge/wpstore/binlog"
)

// stalledTimeout is how long the server may have transactions that were not sent, while
// it sends nothing else.
const stalledTimeout = 5 * time.Second

// checkHistory returns [errWentBack] if a position of the server lacks what had been
// applied before the server was queried. After RESET MASTER, or when its data were
// replaced, a server goes on to send heartbeats over a connection that was open, but no
// transactions: the file that it reads there has the name of a new one.
func checkHistory(applied, server binlog.Position) error {
	if applied != nil && !server.Contains(applied) {
		return fmt.Errorf("%w: %s has been applied, and the server is at %s", errWentBack, applied, server)
	}
	return nil
}

// watchHistory returns an error when the server's log is no longer the one that is
// followed, and also when transactions don't arrive although nothing else does: a new
// log may have reached the old position before anyone looked.
func (s *session) watchHistory(ctx context.Context) error {
	tick := time.NewTicker(watchInterval)
	defer tick.Stop()
	var stalled stall
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		before, _ := s.progress.state()
		n, err := s.source.askNode(ctx, s.source.run)
		if err != nil {
			continue // source.watch says how long the server may not answer
		}
		if n.server != s.source.server {
			return errNotPrimary
		}
		position, err := binlog.ParsePosition(s.source.flavor, n.position)
		if err != nil {
			return err
		}
		if err := checkHistory(before, position); err != nil {
			return err
		}
		applied, _ := s.progress.state()
		if stalled.since(applied != nil && applied.Contains(position), s.events.Load(), time.Now()) > stalledTimeout {
			return fmt.Errorf("%w: the server is at %s, and sends nothing after %s", errWentBack, position, applied)
		}
	}
}

// stall measures how long a stream that is behind has brought nothing.
type stall struct {
	events uint64
	at     time.Time
}

// since returns the time since something arrived, or since the stream was up to date.
func (s *stall) since(upToDate bool, events uint64, now time.Time) time.Duration {
	if upToDate || events != s.events || s.at.IsZero() {
		s.events, s.at = events, now
	}
	return now.Sub(s.at)
}
