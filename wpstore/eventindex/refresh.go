package eventindex

import (
	"context"
	"errors"
	"fmt"

	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
)

// refreshBlock is up to how many changed posts are read while a request waits; more are
// read in the background.
const refreshBlock = loadBlock

// refresher brings the snapshot up to date with what has changed.
type refresher struct {
	tracker *invalidation.Tracker
	state   *state
	lock    chan struct{} // has an element while somebody refreshes
}

// refreshed refreshes and returns the snapshot, nil where there is none.
func (r *refresher) refreshed(ctx context.Context, from Source) (*snapshot, error) {
	for {
		// In this order: a snapshot is at least as current as applied says.
		arrived, applied := r.state.arrived.Load(), r.state.applied.Load()
		current := r.state.current.Load()
		switch {
		case applied == arrived:
			return current, nil
		case r.state.announced.Load() == arrived:
			return nil, nil // the background refreshes
		}
		if err := r.enter(ctx, from); err != nil {
			return nil, err
		}
		if r.state.applied.Load() < arrived && r.state.announced.Load() < arrived {
			defer r.leave()
			return r.refresh(ctx, from, refreshBlock)
		}
		r.leave()
	}
}

// enter acquires the lock, after releasing what its holder may need.
func (r *refresher) enter(ctx context.Context, from Source) error {
	from.Release()
	select {
	case r.lock <- struct{}{}:
		return nil
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.Canceled) {
			return fmt.Errorf("wait for the event index: %w", ctx.Err())
		}
		return fmt.Errorf("wait for the event index: %w: %w", wpstore.ErrUnavailable, ctx.Err())
	}
}

func (r *refresher) leave() { <-r.lock }

// refresh reads again what has changed, if that is at most a number of posts. The
// caller holds the lock.
func (r *refresher) refresh(ctx context.Context, from Source, most int) (*snapshot, error) {
	current, posts, arrived, epoch := r.state.pending()
	if current == nil || posts > most {
		r.invalidateLists()
		r.state.announced.Store(arrived)
		r.state.wakeUp()
		return nil, nil
	}
	arrived, changed := r.state.take()
	read := false
	defer func() {
		if !read { // also when reload panics
			r.state.giveBack(changed, epoch)
		}
	}()
	next, differs, err := reload(ctx, from, current, changed)
	if err != nil {
		return nil, err
	}
	read = true
	if !r.state.publish(next, epoch) {
		next = nil
	}
	if differs { // before applied says that all is up to date
		r.invalidateLists()
	}
	r.state.applied.Store(arrived)
	return next, nil
}

func (r *refresher) invalidateLists() {
	r.tracker.Invalidate(invalidation.Tag{Kind: invalidation.Events})
}
