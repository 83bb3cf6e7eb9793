package proof

import (
	"maps"
	"slices"
	"sync"
)

// metaPrefix precedes the key in the name of metadata of posts.
const metaPrefix = "postmeta:"

// Something accompanies comparisons if it has changed during this many of them, and during at most one
// in withoutShare it hasn't.
const (
	accompanied  = 5
	withoutShare = 5
)

// accompanying counts during how many comparisons tables, options and metadata change that calbridge
// doesn't know. It is safe for concurrent use. The zero value is ready for use.
type accompanying struct {
	mu      sync.Mutex
	changes uint64 // so far
	known   map[string]*accompaniment
}

// accompaniment counts the comparisons since the first change of a name.
type accompaniment struct {
	last          uint64 // its last change, as a number of all changes
	with, without int
}

// change records a change.
func (a *accompanying) change(name string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.changes++
	if a.known == nil {
		a.known = map[string]*accompaniment{}
	}
	if a.known[name] == nil {
		if len(a.known) >= maxTables {
			return
		}
		a.known[name] = &accompaniment{}
	}
	a.known[name].last = a.changes
}

// count returns the number of changes.
func (a *accompanying) count() uint64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.changes
}

// compared records a comparison that began after a number of changes.
func (a *accompanying) compared(begun uint64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, of := range a.known {
		if of.last > begun {
			of.with++
		} else {
			of.without++
		}
	}
}

// names returns the names that change during nearly every comparison, sorted.
func (a *accompanying) names() (names []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(a.known)) {
		if of := a.known[name]; of.with >= accompanied && of.without*withoutShare <= of.with {
			names = append(names, name)
		}
	}
	return names
}
