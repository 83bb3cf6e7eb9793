package changefeed

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"calbridge/wpstore/binlog"
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
	hub      *Hub
	source   *Source
	stream   *binlog.Stream
	progress *progress
	// sameLog is closed once the log is confirmed to be the one of the mark: see reader.
	sameLog <-chan struct{}
	// at is the position reached. following is set while changes arrive as they are made.
	at        mark
	following bool
	// waiting are the members that have not begun, and active those that have. Only the watch reads
	// active besides.
	waiting []*follower
	active  atomic.Pointer[[]*follower]
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
		for _, f := range a.waiting {
			f.begun = false
		}
	}
	a.at = at
	if err := a.untilProven(ctx, at); err != nil {
		return err
	}
	if !missed {
		a.progress.advance(at.position)
	}
	for {
		a.following = a.following || a.at.position.Contains(start)
		if a.following {
			a.begin()
		}
		if a.at.stored && !a.following && time.Since(began) > storedPatience {
			return errFar
		}
		b, err := a.progress.take(ctx)
		if err != nil {
			return err
		}
		if b.gtid != nil && !a.committed(ctx, b) {
			if err := a.untilVisible(ctx, b.gtid, b.end); err != nil {
				return err
			}
		}
		if err := a.pass(ctx, b); err != nil {
			return err
		}
		a.waiting = append(a.waiting, b.joined...)
	}
}

// begin lets changes arrive for the members that wait for them.
func (a *applier) begin() {
	if len(a.waiting) == 0 {
		return
	}
	a.hub.applying.Lock()
	defer a.hub.applying.Unlock()
	var began, taken []*follower
	waiting := a.waiting
	a.waiting = nil
	for _, f := range waiting {
		switch {
		case f.gone.Load():
		case !f.pending.Load():
			began = append(began, f)
		case f.takeOver(a.at):
			taken = append(taken, f)
		default:
			a.waiting = append(a.waiting, f) // until the next transaction
		}
	}
	began = slices.DeleteFunc(began, func(f *follower) bool {
		logged := f.logged(a.stream)
		if !logged {
			a.hub.servers.Logger().Warn("nothing is cached of a database that the server leaves out of its binary log (binlog_do_db, binlog_ignore_db)", "database", f.tables.schema)
		}
		return !logged || f.gone.Load()
	})
	for _, f := range began {
		f.restores.Begin(a.source.ID())
		f.begin(!f.begun, a.at)
	}
	// Only now do the recorders have what they missed.
	a.progress.advance(a.at.position)
	for _, f := range began {
		f.began()
	}
	a.setActive(slices.Concat(a.followers(), began, taken))
}

// followers returns the members for which changes arrive.
func (a *applier) followers() []*follower {
	active := a.active.Load()
	if active == nil {
		return nil
	}
	return *active
}

func (a *applier) setActive(all []*follower) {
	all = slices.DeleteFunc(slices.Clone(all), func(f *follower) bool { return f.gone.Load() })
	a.active.Store(&all)
}

// pass passes a batch on to the members, and advances.
func (a *applier) pass(ctx context.Context, b *batch) error {
	targets := slices.Concat(a.followers(), a.waiting)
	for _, f := range targets {
		if p := b.parts[f]; p != nil && !f.pending.Load() {
			if err := f.resolve(ctx, &p.Changes); err != nil {
				return err
			}
		}
	}
	a.hub.applying.Lock()
	defer a.hub.applying.Unlock()
	if b.gtid != nil {
		a.at.position, a.at.before, a.at.last = a.at.position.Merge(b.gtid), b.before, b.last
	}
	for _, f := range targets {
		if !f.gone.Load() && !f.pending.Load() && b.gtid != nil && !f.skips(a.at) {
			f.apply(b.parts[f], a.at)
		}
	}
	if active := a.followers(); slices.ContainsFunc(active, func(f *follower) bool { return f.gone.Load() }) {
		a.setActive(active)
	}
	if b.gtid == nil {
		return nil
	}
	a.progress.advance(a.at.position)
	for _, f := range targets {
		if p := b.parts[f]; f.observer.Applied != nil && !f.pending.Load() && (p != nil || len(targets) == 1) {
			f.observer.Applied(b.transactions, time.Since(b.arrived))
		}
	}
	return nil
}

// apply invalidates what has changed up to a mark. p is nil if nothing of the member has.
func (f *follower) apply(p *part, at mark) {
	f.invalidate(p, at)
	if f.observer.Position != nil {
		f.observer.Position.Reached(at)
	}
}

// invalidate does what apply does, except for the Position.
func (f *follower) invalidate(p *part, at mark) {
	if p == nil {
		if f.observer.Recorder != nil {
			f.observer.Recorder.Record(nil, false, at)
		}
		return
	}
	if f.cfg.Watcher != nil {
		for _, t := range p.seen {
			f.cfg.Watcher.Seen(t.gtid, t.dated, t.described, t.any)
		}
	}
	if f.observer.Hidden != nil && p.Hides() {
		f.observer.Hidden()
	}
	if others := p.Others(); f.observer.Others != nil && len(others) > 0 {
		f.observer.Others(others)
	}
	tags := p.Tags()
	if f.observer.Recorder != nil {
		f.observer.Recorder.Record(tags, p.IsEverything(), at)
	}
	if p.IsEverything() {
		f.tracker.InvalidateAll()
	} else {
		f.tracker.Invalidate(f.cfg.Complete(tags)...)
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
	if a.source.Flavor() != binlog.MariaDB {
		return false
	}
	for f, p := range b.parts {
		if f.cfg.Watcher != nil && len(p.seen) > 0 && p.seen[len(p.seen)-1].gtid == b.lastGTID && f.cfg.Watcher.Ours(ctx, b.lastGTID) {
			return true
		}
	}
	return false
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
