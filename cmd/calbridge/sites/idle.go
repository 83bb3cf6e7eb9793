package sites

import (
	"context"
	"slices"
	"time"
)

const (
	// unloadEvery is the interval at which idle sites are looked for.
	unloadEvery = 5 * time.Second
	// idleAfter is the time for which a site stays in memory without a request.
	idleAfter = 30 * time.Minute
)

// unloadIdle closes sites that have had no request for a while, and the least recently used ones as soon as
// there are too many.
func (s *Set) unloadIdle(ctx context.Context) {
	ticker := time.NewTicker(unloadEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			s.unload(s.Now())
		case <-s.opened:
			s.unload(s.Now())
		case <-ctx.Done():
			return
		}
	}
}

// unload closes the sites that are too many or idle.
func (s *Set) unload(now time.Time) {
	type loaded struct {
		*entry
		busy bool
		used time.Time
	}
	var open []loaded
	for _, e := range s.all() {
		if live, busy, used := e.state(); live != nil {
			open = append(open, loaded{e, busy, used})
		}
	}
	slices.SortFunc(open, func(a, b loaded) int { return a.used.Compare(b.used) })
	left := len(open)
	for _, l := range open {
		of := l.of()
		gone := of == nil
		if l.busy || !gone && (keeps(of) || left <= int(s.loaded.Load()) && now.Sub(l.used) < idleAfter) {
			continue
		}
		unloaded, err := l.entry.unload(gone)
		s.logClosing(err)
		if unloaded {
			left--
		}
	}
	s.forget()
}

// keeps reports whether a site is in memory from the start of the process to its end: it keeps a journal, or
// tells caches in front of its changes, although nobody asks for it.
func keeps(of *Site) bool { return of.Settings.Cache.Purge != "" || of.Settings.KeepsJournal() }

// openKept opens the sites that are always in memory.
func (s *Set) openKept(ctx context.Context) {
	for _, of := range s.Source.All() {
		if ctx.Err() != nil || !keeps(of) {
			continue
		}
		e := s.entry(of)
		if _, err := e.enter(ctx); err == nil { // otherwise it is logged
			e.leave()
		}
	}
}
