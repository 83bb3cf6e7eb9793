package eventindex

import (
	"context"
	"errors"
	"fmt"

	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
)

// settleBlock is up to how many changed posts are read while a request waits;
// more are read in the background.
const settleBlock = loadBlock

// settler brings the snapshot up to date with what has changed. One at a time does.
type settler struct {
	tracker *invalidation.Tracker
	state   *state
	turn    chan struct{} // whoever is at it has put something in
}

// settled settles and returns the snapshot, nil where there is none that is true.
func (s *settler) settled(ctx context.Context, from Source) (*snapshot, error) {
	for {
		// In this order: a snapshot is at least as true as settled says.
		arrived, settled := s.state.arrived.Load(), s.state.settled.Load()
		current := s.state.current.Load()
		switch {
		case settled == arrived:
			return current, nil
		case s.state.announced.Load() == arrived:
			return nil, nil // the background is at it
		}
		if err := s.enter(ctx, from); err != nil {
			return nil, err
		}
		if s.state.settled.Load() < arrived && s.state.announced.Load() < arrived {
			defer s.leave()
			return s.settle(ctx, from, settleBlock)
		}
		s.leave()
	}
}

// enter waits for the turn, without holding what whoever has it may need.
func (s *settler) enter(ctx context.Context, from Source) error {
	from.Release(ctx)
	select {
	case s.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.Canceled) {
			return fmt.Errorf("wait for the event index: %w", ctx.Err())
		}
		return fmt.Errorf("wait for the event index: %w: %w", wpstore.ErrUnavailable, ctx.Err())
	}
}

func (s *settler) leave() { <-s.turn }

// settle brings the snapshot up to date if no more posts than a number have changed.
// The caller has the turn.
func (s *settler) settle(ctx context.Context, from Source, most int) (*snapshot, error) {
	current, posts, arrived, epoch := s.state.pending()
	if current == nil || posts > most {
		s.announce()
		s.state.announced.Store(arrived)
		s.state.poke()
		return nil, nil
	}
	arrived, changed := s.state.take()
	next, differs, err := reload(ctx, from, current, changed)
	if err != nil {
		s.state.giveBack(changed, epoch)
		return nil, err
	}
	if !s.state.publish(next, epoch) {
		next = nil
	}
	// The tracker knows before anybody can think that all is settled.
	if differs {
		s.announce()
	}
	s.state.settled.Store(arrived)
	return next, nil
}

// announce tells the tracker that lists of events differ.
func (s *settler) announce() { s.tracker.Invalidate(invalidation.Tag{Kind: invalidation.Events}) }
