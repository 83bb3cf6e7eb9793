package eventindex

import (
	"context"
	"log/slog"
	"math"
	"time"
)

const (
	// loadPause is the least time between two loads of everything, and loadShare how
	// many times as long as the last one took.
	loadPause = time.Second
	loadShare = 4
	// prepareAttempts is how often preparing begins again when changes came first.
	prepareAttempts = 3
)

// background loads the snapshot when there is none, and does what no request waits
// for.
type background struct {
	*settler
	source func() Source
	demand *demand
	logger *slog.Logger
}

// run works until the context ends.
func (b *background) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-b.state.wake:
		}
		began := time.Now()
		if err := b.refresh(ctx); err != nil {
			if ctx.Err() != nil {
				return
			}
			b.logger.Warn("the listing index is not up to date", "error", err)
			b.state.poke()
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(max(loadPause, loadShare*time.Since(began))):
		}
	}
}

func (b *background) refresh(ctx context.Context) error {
	from := b.source()
	current, want := b.state.current.Load(), b.demand.get()
	if current != nil && want.known && want.occurrences != current.asked {
		b.state.discard()
		current = nil
	}
	if current == nil {
		return b.load(ctx, from, want)
	}
	if err := b.enter(ctx, from); err != nil {
		return err
	}
	_, err := b.settle(ctx, from, math.MaxInt)
	b.leave()
	if err != nil {
		return err
	}
	return b.prepare(ctx, from, want)
}

// load reads everything.
func (b *background) load(ctx context.Context, from Source, want wanted) error {
	epoch := b.state.changing()
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
	fresh, err := load(ctx, from, want.occurrences, o)
	if err != nil {
		return err
	}
	if err := b.enter(ctx, from); err != nil {
		return err
	}
	defer b.leave()
	arrived, changed := b.state.take()
	fresh, _, err = reload(ctx, from, fresh, changed)
	if err != nil {
		return err
	}
	b.state.publish(fresh, epoch)
	// Lists made meanwhile from the database know nothing of these changes.
	b.announce()
	b.state.settled.Store(arrived)
	b.state.complete(epoch)
	return nil
}

// prepare makes the snapshot ready for the orders that lists ask for. That takes a
// while, so changes go on meanwhile; where they always come first, they wait.
func (b *background) prepare(ctx context.Context, from Source, want wanted) error {
	for attempt := 0; ; attempt++ {
		last := attempt == prepareAttempts
		if last {
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
		if next.rows == current.rows || b.state.replace(current, &next) || last || ctx.Err() != nil {
			return ctx.Err()
		}
	}
}
