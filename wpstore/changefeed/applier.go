package changefeed

import (
	"context"
	"time"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/changefeed/rowtags"
	"calbridge/wpstore/invalidation"
)

// The pause between two checks whether transactions are visible doubles from
// minVisiblePause to maxVisiblePause. Most are visible at once; replicas that confirm each
// transaction take longer.
const (
	minVisiblePause = 50 * time.Microsecond
	maxVisiblePause = 5 * time.Millisecond
)

// applier invalidates what has changed, once every connection can read it.
//
// A transaction arrives before its rows can be read (see package binlog). If its tags were
// invalidated at once, a response made from the old rows right afterwards would count as
// made after the change, forever. So the reader collects what arrives, and the applier
// invalidates once the server reports that the transactions are visible. A client that sees
// the tracker's new generation therefore reads the new rows. Until then the cached
// responses are served; a query would return the same rows.
//
// More transactions arrive while one visibility check is under way. The next check covers
// all of them.
type applier struct {
	source   *Source
	resolver *rowtags.Resolver
	progress *progress
	tracker  *invalidation.Tracker
	complete func([]invalidation.Tag) []invalidation.Tag
	observer Observer
	watcher  Watcher        // may be nil
	others   func([]string) // may be nil
	// sameLog is closed once the log is confirmed to be the one of the mark: see reader.
	sameLog <-chan struct{}
	// at is the position reached. following is set while changes arrive as they are made.
	at        mark
	following bool
}

// apply applies the transactions after a mark, or from now, until something fails. The log
// begins at start and place.
func (a *applier) apply(ctx context.Context, at mark, start binlog.Position, place binlog.Place) error {
	began := time.Now()
	missed := at.position == nil
	if missed {
		// The last transactions before the start may not be visible yet, and they are not
		// sent again.
		if err := a.untilVisible(ctx, start, place); err != nil {
			return err
		}
		at = mark{server: a.source.ID(), position: start}
	}
	a.at = at
	if err := a.untilProven(ctx, at); err != nil {
		return err
	}
	if !missed {
		a.progress.advance(at.position)
	}
	for {
		if !a.following && a.at.position.Contains(start) {
			a.following = true
			if a.observer.Recorder != nil {
				a.observer.Recorder.Begin(missed, a.at)
			}
			a.tracker.Resume(missed)
			// Only now does the recorder have what it missed.
			a.progress.advance(a.at.position)
			if a.watcher != nil {
				a.watcher.Begin()
			}
			if a.observer.Following != nil {
				a.observer.Following(true, nil)
			}
		}
		if a.at.stored && !a.following && time.Since(began) > storedPatience {
			return errFar
		}
		b, err := a.progress.take(ctx)
		if err != nil {
			return err
		}
		if !a.committed(ctx, b) {
			if err := a.untilVisible(ctx, b.gtid, b.end); err != nil {
				return err
			}
		}
		if a.watcher != nil {
			for _, t := range b.seen {
				a.watcher.Seen(t.gtid, t.dated, t.described, t.any)
			}
		}
		if err := a.resolver.Resolve(ctx, &b.Changes); err != nil {
			return err
		}
		if a.observer.Hidden != nil && b.Hides() {
			a.observer.Hidden()
		}
		if others := b.Others(); a.others != nil && len(others) > 0 {
			a.others(others)
		}
		a.at.position, a.at.before, a.at.last = a.at.position.Merge(b.gtid), b.before, b.last
		tags := b.Tags()
		if a.observer.Recorder != nil {
			a.observer.Recorder.Record(tags, b.IsEverything(), a.at)
		}
		if b.IsEverything() {
			a.tracker.InvalidateAll()
		} else {
			a.tracker.Invalidate(a.complete(tags)...)
		}
		a.progress.advance(a.at.position)
		if a.observer.Applied != nil {
			a.observer.Applied(b.transactions, time.Since(b.arrived))
		}
	}
}

// untilProven waits until the log is confirmed to be the one of a mark. Before that,
// nothing counts as up to date.
func (a *applier) untilProven(ctx context.Context, at mark) error {
	if at.stored {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, storedPatience, errFar)
		defer cancel()
	}
	select {
	case <-a.sameLog:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// committed reports whether the last transaction of a batch, and with it all earlier ones,
// is known to be visible. A transaction that this process has committed is visible on a
// server that makes transactions visible in the order of the log.
func (a *applier) committed(ctx context.Context, b *batch) bool {
	return a.watcher != nil && a.source.Flavor() == binlog.MariaDB && a.watcher.Ours(ctx, b.seen[len(b.seen)-1].gtid)
}

// untilVisible waits until the transactions are visible to every connection.
func (a *applier) untilVisible(ctx context.Context, gtid binlog.Position, end binlog.Place) error {
	for pause := minVisiblePause; ; pause = min(2*pause, maxVisiblePause) {
		if visible, err := a.source.Visible(ctx, gtid, end); err != nil || visible {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}
