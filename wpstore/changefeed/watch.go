package changefeed

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"calbridge/wpstore/binlog"
)

const (
	// watchInterval is the time between two checks of the server.
	watchInterval = time.Second
	// unreachableTimeout is how long the primary's address may fail to respond while the
	// log is still received.
	unreachableTimeout = 3 * time.Second
)

// watch checks the server that is followed.
type watch struct {
	hub      *Hub
	source   *Source
	progress *progress
	events   *atomic.Uint64 // events that have arrived
	refuted  <-chan error   // sent by proof
	// active are the members whose tables are looked at, from the one at next on.
	active *atomic.Pointer[[]*follower]
	next   int
}

// lookedAt is the share of the members whose tables are looked at each time: all of few, of many a tenth.
const lookedAt = 10

// run checks the server at each interval. It returns when the server is no longer the
// primary, or when its log is no longer the one that is followed. It also returns when
// transactions don't arrive although nothing else does: a new log may have reached the old
// position before a check. Changes that the log doesn't have invalidate everything.
func (w *watch) run(ctx context.Context) error {
	tick := time.NewTicker(watchInterval)
	defer tick.Stop()
	var stalled stall
	w.lookAtTables(ctx)
	for answered := time.Now(); ; {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-w.refuted:
			return err
		case <-tick.C:
		}
		before, _ := w.progress.state()
		n, err := w.source.AskPrimary(ctx)
		switch {
		case errors.Is(err, ErrNotPrimary), errors.Is(err, ErrLeftCluster):
			return err
		case IsFull(err): // the open connection still shows the history
			answered = time.Now()
			if n, err = w.source.AskOpen(ctx); errors.Is(err, ErrNotPrimary) {
				return err
			}
		case err == nil:
			answered = time.Now()
		case time.Since(answered) > unreachableTimeout:
			return err
		}
		if err != nil {
			continue
		}
		position, err := binlog.ParsePosition(w.source.Flavor(), n.GTIDs)
		if err != nil {
			return err
		}
		if err := checkHistory(before, position); err != nil {
			return err
		}
		applied, _ := w.progress.state()
		if stalled.since(applied != nil && applied.Contains(position), w.events.Load(), time.Now()) > stalledTimeout {
			return fmt.Errorf("%w: the server is at %s, and sends nothing after %s", errWentBack, position, applied)
		}
		w.lookAtTables(ctx)
	}
}

// lookAtTables invalidates everything when rows may have changed that the log doesn't have.
// A server that doesn't respond is detected elsewhere.
func (w *watch) lookAtTables(ctx context.Context) {
	all := w.active.Load()
	if all == nil || len(*all) == 0 {
		return
	}
	for range (len(*all) + lookedAt - 1) / lookedAt {
		w.next = (w.next + 1) % len(*all)
		w.lookAt(ctx, (*all)[w.next])
	}
}

// lookAt looks at the tables of one member.
func (w *watch) lookAt(ctx context.Context, f *follower) {
	logged := f.tables.Logged()
	found, err := States(ctx, w.source.Query, f.tables.schema, f.tables.Physical())
	if err != nil {
		return
	}
	w.hub.applying.Lock()
	defer w.hub.applying.Unlock()
	if !f.gone.Load() && f.restores.Look(found, logged, time.Now()) {
		f.everything()
	}
}
