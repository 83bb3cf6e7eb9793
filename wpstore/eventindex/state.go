package eventindex

import (
	"maps"
	"sync"
	"sync/atomic"

	"calbridge/wpstore/invalidation"
)

// backlog is what has changed and must be read again.
type backlog struct {
	posts, terms map[int64]bool // by id
	allTerms     bool           // any term may have changed
}

func newBacklog() backlog { return backlog{posts: map[int64]bool{}, terms: map[int64]bool{}} }

func (b *backlog) empty() bool { return len(b.posts)+len(b.terms) == 0 && !b.allTerms }

// merge adds another backlog.
func (b *backlog) merge(o backlog) {
	maps.Copy(b.posts, o.posts)
	maps.Copy(b.terms, o.terms)
	b.allTerms = b.allTerms || o.allTerms
}

// add adds changes, and reports whether any of them matters.
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
	// The set changes with each of its members; by itself it names none.
	if terms && !named {
		b.allTerms = true
	}
	return posts || named || terms
}

// state is the current snapshot and what has changed since. It is safe for
// concurrent use.
type state struct {
	wake chan struct{} // has an element when the background has something to do

	// current is nil while nothing is loaded. Changes are numbered: arrived is the last
	// one, applied the last one that the snapshot has, announced the last one for which
	// lists were invalidated although the snapshot lacks it.
	current                     atomic.Pointer[snapshot]
	arrived, applied, announced atomic.Uint64

	mu      sync.Mutex
	backlog backlog
	epoch   uint64 // counts how often everything changed
}

func newState() *state { return &state{wake: make(chan struct{}, 1), backlog: newBacklog()} }

// wakeUp wakes the background.
func (s *state) wakeUp() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// invalidated implements [invalidation.Listener].
func (s *state) invalidated(tags []invalidation.Tag, everything bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if everything {
		s.discard()
	} else if s.backlog.add(tags) {
		s.arrived.Add(1)
	}
}

// reset drops the snapshot; everything is loaded again.
func (s *state) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.discard()
}

func (s *state) discard() {
	s.backlog = newBacklog()
	s.epoch++
	s.current.Store(nil)
	s.arrived.Add(1)
	s.wakeUp()
}

// pending returns the snapshot and how many posts have changed since, with the number of the
// last change.
func (s *state) pending() (current *snapshot, posts int, arrived, epoch uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current.Load(), len(s.backlog.posts), s.arrived.Load(), s.epoch
}

// take empties the backlog.
func (s *state) take() (arrived uint64, changed backlog) {
	s.mu.Lock()
	defer s.mu.Unlock()
	changed, s.backlog = s.backlog, newBacklog()
	return s.arrived.Load(), changed
}

// giveBack puts back what could not be read, unless everything has changed since.
func (s *state) giveBack(changed backlog, epoch uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.epoch == epoch {
		s.backlog.merge(changed)
	}
}

// publish makes a snapshot the current one unless everything has changed since an epoch.
func (s *state) publish(x *snapshot, epoch uint64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.epoch == epoch {
		s.current.Store(x)
	}
	return s.epoch == epoch
}
