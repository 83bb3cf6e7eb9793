// Package invalidation keeps account of what has changed in a site's database, so
// that what was made from its rows can be kept for as long as it is true, and no
// longer. It knows no SQL: whoever hears of changes tells the [Tracker], and whoever
// keeps something asks it.
package invalidation

import (
	"slices"
	"sync"
	"sync/atomic"
)

// Kind is a kind of things that change.
type Kind uint8

// The kinds. Those with an id are single rows with all that hangs on them; the
// others, whose ID is 0, are sets: they change with each of their members.
const (
	// Post is a post of any type: its row, metadata, terms and language.
	Post Kind = iota + 1
	// Term is a term: its row, taxonomy, metadata and language.
	Term
	// User is a user: the row and metadata.
	User
	// Posts are all posts: which there are, and all that a search goes by.
	Posts
	// Events are what lists of events filter, order and count by.
	Events
	// Terms are all terms of all taxonomies.
	Terms
	// Translations say which posts are translations of which.
	Translations
	// Site is what holds for all answers: options, languages, tables.
	Site
	// Anything changes with every change of the others: for what nobody knows better.
	Anything
)

// Tag names something that answers depend on.
type Tag struct {
	Kind Kind
	ID   int64
}

// maxRemembered bounds how many tags a tracker remembers the last change of. What
// is older than a tracker remembers counts as changed.
const maxRemembered = 1 << 18

// Tracker remembers when things changed last, by a clock of its own that counts
// changes. It is safe for concurrent use. It starts suspended.
type Tracker struct {
	sequence  atomic.Uint64
	following atomic.Bool

	mu        sync.RWMutex
	last      map[Tag]uint64
	floor     uint64 // everything may have changed up to here
	listeners []Listener
}

// Listener hears of changes, before anybody can see that they happened: everything
// is true when any tag may have changed. It must be quick and not call the tracker.
type Listener func(tags []Tag, everything bool)

// NewTracker returns a suspended tracker.
func NewTracker() *Tracker { return &Tracker{last: map[Tag]uint64{}} }

// Listen adds a listener.
func (l *Tracker) Listen(f Listener) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.listeners = append(l.listeners, f)
}

// Changed notes that the things that the tags name have changed.
func (l *Tracker) Changed(tags ...Tag) {
	if len(tags) == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.sequence.Load() + 1
	if len(l.last)+len(tags) > maxRemembered {
		clear(l.last)
		l.floor = now
	}
	for _, tag := range tags {
		l.last[tag] = now
	}
	l.last[Tag{Kind: Anything}] = now
	l.tell(now, tags, false)
}

// Everything notes that anything may have changed.
func (l *Tracker) Everything() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.floor = l.sequence.Load() + 1
	clear(l.last)
	l.tell(l.floor, nil, true)
}

func (l *Tracker) tell(now uint64, tags []Tag, everything bool) {
	for _, f := range l.listeners {
		f(tags, everything)
	}
	l.sequence.Store(now)
}

// Follow says that changes are heard of from now on. What happened before may have
// been missed unless missed is false: the same stream was taken up where it ended.
func (l *Tracker) Follow(missed bool) {
	if missed {
		l.Everything()
	}
	l.following.Store(true)
}

// Suspend says that changes are not heard of any more: nothing is fresh until
// Follow.
func (l *Tracker) Suspend() { l.following.Store(false) }

// Following says whether changes are heard of.
func (l *Tracker) Following() bool { return l.following.Load() }

// Sequence is the number of changes so far. Whoever reads rows to keep something
// made from them notes it before reading.
func (l *Tracker) Sequence() uint64 { return l.sequence.Load() }

// Fresh says whether none of the tags has changed since a sequence, as far as the
// tracker knows.
func (l *Tracker) Fresh(since uint64, tags []Tag) bool {
	if !l.following.Load() {
		return false
	}
	if l.sequence.Load() == since {
		return true
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	return since >= l.floor && !slices.ContainsFunc(tags, func(tag Tag) bool { return l.last[tag] > since })
}
