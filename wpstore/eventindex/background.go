package eventindex

import (
	"context"
	"log/slog"
	"math"
	"time"

	"calbridge/wpstore/guard"
)

const (
	// The pause between two loads is at least loadPause, and loadShare times as long as
	// the last load took.
	loadPause = time.Second
	loadShare = 4
	// prepareAttempts is how often preparing starts over after changes before it blocks
	// them.
	prepareAttempts = 3
)

// background loads the snapshot when there is none, and does the work that no request
// waits for.
type background struct {
	*refresher
	source   func() Source
	demand   *demand
	progress *progress
	logger   *slog.Logger
	guard    *guard.Guard
}

// task is what the guard calls the work of an index.
const task = "loading the event index"

// run works until the context ends.
func (b *background) run(ctx context.Context) {
	for warned := false; ; {
		select {
		case <-ctx.Done():
			return
		case <-b.state.wake:
		}
		began := time.Now()
		if err := b.guard.Do(task, func() error { return b.work(ctx) }); err != nil {
			if ctx.Err() != nil {
				return
			}
			level := slog.LevelWarn
			if warned { // in this outage
				level = slog.LevelDebug
			}
			b.logger.Log(ctx, level, "the event index is not up to date", "error", err)
			b.state.wakeUp()
			warned = true
		} else {
			warned = false
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(max(loadPause, loadShare*time.Since(began))):
		}
	}
}

func (b *background) work(ctx context.Context) error {
	from := b.source()
	current, want := b.state.current.Load(), b.demand.get()
	if current != nil && want.known && want.occurrences != current.asked {
		b.state.reset()
		current = nil
	}
	if current == nil {
		return b.load(ctx, from, want)
	}
	if err := b.enter(ctx, from); err != nil {
		return err
	}
	if err := b.refreshAll(ctx, from); err != nil {
		return err
	}
	return b.prepare(ctx, from, want)
}

// refreshAll reads again what has changed, and gives the lock back that the caller holds.
func (b *background) refreshAll(ctx context.Context, from Source) error {
	defer b.leave()
	_, err := b.refresh(ctx, from, math.MaxInt)
	return err
}

// load reads everything.
func (b *background) load(ctx context.Context, from Source, want wanted) error {
	_, _, _, epoch := b.state.pending()
	if !want.known {
		defaults, err := from.Defaults(ctx)
		if err != nil {
			return err
		}
		want.occurrences = defaults.Occurrences
		want.orders[byStartUTC] = defaults.UTC
	}
	o := byStart
	if want.orders[byStartUTC] && !want.orders[byStart] {
		o = byStartUTC
	}
	fresh, err := load(ctx, b.guard, from, want.occurrences, o, b.progress)
	if err != nil {
		return err
	}
	if err := b.enter(ctx, from); err != nil {
		return err
	}
	defer b.leave()
	arrived, changed := b.state.take()
	if fresh, _, err = reload(ctx, from, fresh, changed); err != nil {
		return err
	}
	b.state.publish(fresh, epoch)
	// Lists made from the database meanwhile lack these changes.
	b.invalidateLists()
	b.state.applied.Store(arrived)
	return nil
}

// prepare adds the orders that lists ask for to the snapshot. That takes a while, so
// requests may refresh it meanwhile, except during the last attempt.
func (b *background) prepare(ctx context.Context, from Source, want wanted) error {
	for attempt := 0; ctx.Err() == nil; attempt++ {
		if attempt == prepareAttempts {
			if err := b.enter(ctx, from); err != nil {
				return err
			}
			defer b.leave()
		}
		current := b.state.current.Load()
		if current == nil {
			return nil
		}
		next := *current
		for o, asked := range want.orders {
			if asked {
				next.rows = next.rows.prepare(order(o))
			}
		}
		if next.rows == current.rows || b.state.current.CompareAndSwap(current, &next) || attempt == prepareAttempts {
			return nil
		}
	}
	return ctx.Err()
}
