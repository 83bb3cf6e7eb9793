package changefeed

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/invalidation"
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
	source   *Source
	tables   *Tables // whose names and counts are read
	schema   string  // their database
	restores *Detector
	progress *progress
	events   *atomic.Uint64 // events that have arrived
	refuted  <-chan error   // sent by proof
	tracker  *invalidation.Tracker
	watcher  Watcher  // may be nil
	recorder Recorder // may be nil
}

// run checks the server at each interval. It returns when the server is no longer the
// primary, or when its log is no longer the one that is followed. It also returns when
// transactions don't arrive although nothing else does: a new log may have reached the old
// position before a check. Changes that the log doesn't have invalidate everything.
func (w *watch) run(ctx context.Context) error {
	tick := time.NewTicker(watchInterval)
	defer tick.Stop()
	var stalled stall
	w.restores.Begin(w.source.ID())
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
	logged := w.tables.Logged()
	found, err := States(ctx, w.source.Query, w.schema, w.tables.Physical())
	if err != nil || !w.restores.Look(found, logged, time.Now()) {
		return
	}
	if w.recorder != nil {
		w.recorder.Record(nil, true, nil)
	}
	w.tracker.InvalidateAll()
	if w.watcher != nil {
		w.watcher.Seen("", nil, 0, true)
	}
}
