package invalidation

import (
	"slices"
	"sync"
	"sync/atomic"
)

// maxTags limits the number of tags in a tracker. Beyond it the tracker drops them all, and
// everything counts as changed.
const maxTags = 1 << 18

// Tracker records the generation at which each tag changed last. It is safe for concurrent
// use. While it is suspended, as a new tracker is, nothing is fresh.
type Tracker struct {
	generation atomic.Uint64
	active     atomic.Bool

	mu        sync.RWMutex
	changed   map[Tag]uint64 // the generation of the last change
	floor     uint64         // everything may have changed up to this generation
	listeners []Listener
}

// Listener is called on each invalidation, before the generation advances: with the
// tags, or with everything set when any tag may have changed. It must be quick and must
// not call the tracker.
type Listener func(tags []Tag, everything bool)

// NewTracker returns a suspended tracker.
func NewTracker() *Tracker { return &Tracker{changed: map[Tag]uint64{}} }

// Listen adds a listener.
func (t *Tracker) Listen(f Listener) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.listeners = append(t.listeners, f)
}

// Invalidate starts a generation in which the tags have changed.
func (t *Tracker) Invalidate(tags ...Tag) {
	if len(tags) == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	next := t.generation.Load() + 1
	if len(t.changed)+len(tags) > maxTags {
		clear(t.changed)
		t.floor = next
	}
	for _, tag := range tags {
		t.changed[tag] = next
	}
	t.changed[Tag{Kind: Anything}] = next
	t.advance(next, tags, false)
}

// InvalidateAll starts a generation in which anything may have changed.
func (t *Tracker) InvalidateAll() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.floor = t.generation.Load() + 1
	clear(t.changed)
	t.advance(t.floor, nil, true)
}

func (t *Tracker) advance(next uint64, tags []Tag, everything bool) {
	for _, f := range t.listeners {
		f(tags, everything)
	}
	t.generation.Store(next)
}

// Resume ends a suspension. If missed is set, changes may have been lost meanwhile, and
// everything is invalidated. Otherwise the same stream of changes continues where it ended.
func (t *Tracker) Resume(missed bool) {
	if missed {
		t.InvalidateAll()
	}
	t.active.Store(true)
}

// Suspend marks changes as not arriving: nothing is fresh until Resume.
func (t *Tracker) Suspend() { t.active.Store(false) }

// Active reports whether changes arrive.
func (t *Tracker) Active() bool { return t.active.Load() }

// Generation returns the number of invalidations. Read it before reading rows whose results
// are to be cached.
func (t *Tracker) Generation() uint64 { return t.generation.Load() }

// Applied returns the generation once each invalidation that has called its listeners is applied.
func (t *Tracker) Applied() uint64 {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.generation.Load()
}

// Fresh reports whether none of the tags has changed since a generation.
func (t *Tracker) Fresh(since uint64, tags []Tag) bool {
	if !t.active.Load() {
		return false
	}
	if t.generation.Load() == since {
		return true
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	return since >= t.floor && !slices.ContainsFunc(tags, func(tag Tag) bool { return t.changed[tag] > since })
}
