package eventindex

import (
	"context"
	"sync"
	"sync/atomic"

	"calbridge/wpstore/invalidation"
)

// backlog is what has changed and was not read again yet.
type backlog struct {
	posts map[int64]bool
	terms map[int64]bool // by term id
	// allTerms: any term may have changed.
	allTerms bool
}

func newBacklog() backlog { return backlog{posts: map[int64]bool{}, terms: map[int64]bool{}} }

func (b *backlog) empty() bool { return len(b.posts)+len(b.terms) == 0 && !b.allTerms }

// merge takes back what could not be read.
func (b *backlog) merge(o backlog) {
	for id := range o.posts {
		b.posts[id] = true
	}
	for id := range o.terms {
		b.terms[id] = true
	}
	b.allTerms = b.allTerms || o.allTerms
}

// add notes changes. It says whether there are any that matter.
func (b *backlog) add(tags []invalidation.Tag) bool {
	posts, named, terms := false, false, false
	for _, tag := range tags {
		switch tag.Kind {
		case invalidation.Post:
			b.posts[tag.ID] = true
			posts = true
		case invalidation.Term:
			b.terms[tag.ID] = true
			named = true
		case invalidation.Terms:
			terms = true
		}
	}
	// The set changes with each of its members; by itself it tells of no term.
	if terms && !named {
		b.allTerms = true
	}
	return posts || named || terms
}

// state is the current snapshot and what has changed since. It is safe for
// concurrent use.
type state struct {
	wake chan struct{} // the background has something to do

	// current is nil while there is no snapshot. Changes are counted: arrived so far,
	// settled those that the snapshot has. Of those up to announced the tracker knows
	// that lists may differ, without the snapshot.
	current                     atomic.Pointer[snapshot]
	arrived, settled, announced atomic.Uint64

	mu      sync.Mutex
	backlog backlog
	epoch   uint64        // counts how often everything changed
	ready   chan struct{} // closed once there is a snapshot
}

func newState() *state {
	return &state{wake: make(chan struct{}, 1), backlog: newBacklog(), ready: make(chan struct{})}
}

// poke wakes the background up.
func (s *state) poke() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// change takes note of what the tracker says has changed.
func (s *state) change(tags []invalidation.Tag, everything bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if everything {
		s.discardLocked()
		return
	}
	if s.backlog.add(tags) {
		s.arrived.Add(1)
	}
}

// discard gives the snapshot up; everything is loaded anew.
func (s *state) discard() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.discardLocked()
}

func (s *state) discardLocked() {
	s.backlog = newBacklog()
	s.epoch++
	s.current.Store(nil)
	select {
	case <-s.ready:
		s.ready = make(chan struct{})
	default:
	}
	s.arrived.Add(1)
	s.poke()
}

// await returns when there is a snapshot, or the context's error.
func (s *state) await(ctx context.Context) error {
	s.mu.Lock()
	ready := s.ready
	s.mu.Unlock()
	select {
	case <-ready:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// changing counts how often everything changed.
func (s *state) changing() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.epoch
}

// pending is the snapshot and how many posts have changed since, with the number of
// changes that have arrived.
func (s *state) pending() (current *snapshot, posts int, arrived, epoch uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current.Load(), len(s.backlog.posts), s.arrived.Load(), s.epoch
}

// take takes what has changed so far.
func (s *state) take() (arrived uint64, changed backlog) {
	s.mu.Lock()
	defer s.mu.Unlock()
	changed, s.backlog = s.backlog, newBacklog()
	return s.arrived.Load(), changed
}

// giveBack takes back what could not be read, unless everything has changed since.
func (s *state) giveBack(changed backlog, epoch uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.epoch == epoch {
		s.backlog.merge(changed)
	}
}

// publish makes a snapshot the current one unless everything has changed since an
// epoch.
func (s *state) publish(x *snapshot, epoch uint64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.epoch == epoch {
		s.current.Store(x)
	}
	return s.epoch == epoch
}

// replace makes a snapshot the current one if none has come instead of an older one.
func (s *state) replace(old, next *snapshot) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current.CompareAndSwap(old, next)
}

// complete says that the first snapshot of an epoch is there.
func (s *state) complete(epoch uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.epoch == epoch {
		close(s.ready)
	}
}
