package eventindex

import (
	"context"
	"log/slog"
	"sync"

	"calbridge/wpstore"
	"calbridge/wpstore/guard"
	"calbridge/wpstore/invalidation"
)

// Config is what an index works with.
type Config struct {
	// Tracker reports what changes; the index invalidates [invalidation.Events] there.
	Tracker *invalidation.Tracker
	// Source makes a source to read from in the background, and by Refresh.
	Source func() Source
	Logger *slog.Logger
	Guard  *guard.Guard
}

// Index answers lists of events from memory. It is safe for concurrent use.
type Index struct {
	*refresher
	source   func() Source
	demand   *demand
	progress *progress
}

// Open returns an index that loads in the background, as soon as the tracker is active,
// and works until the context ends.
func Open(ctx context.Context, cfg Config) *Index {
	r := &refresher{tracker: cfg.Tracker, state: newState(), lock: make(chan struct{}, 1)}
	x := &Index{r, cfg.Source, &demand{}, &progress{}}
	r.tracker.Listen(r.state.invalidated)
	if r.tracker.Active() {
		r.state.wakeUp()
	}
	b := &background{refresher: r, source: cfg.Source, demand: x.demand, progress: x.progress, logger: cfg.Logger, guard: cfg.Guard}
	cfg.Guard.Loop(ctx, new(sync.WaitGroup), task, b.run) // the context alone ends it
	return x
}

// Rows returns the number of dates of all events in the index; 0 while nothing is loaded.
func (x *Index) Rows() int {
	if s := x.state.current.Load(); s != nil {
		return s.rows.count()
	}
	return 0
}

// Loaded reports whether the index has been loaded, and nothing has invalidated all of it since.
func (x *Index) Loaded() bool { return x.state.current.Load() != nil }

// Progress returns how many events the present load has read, and how many there are. total is
// 0 until that is known, and while nothing is being loaded.
func (x *Index) Progress() (read, total int64) {
	if x.Loaded() {
		return 0, 0
	}
	return x.progress.read.Load(), x.progress.total.Load()
}

// Refresh reads again what was invalidated, and invalidates [invalidation.Events] if
// lists of events differ now. Response caches call it before they ask the tracker what
// is fresh. What can't be read counts as different; after an error nothing that depends
// on lists of events is fresh.
//
// It takes at most seven queries whatever the number of changes, none without changes.
// Concurrent calls wait for each other.
func (x *Index) Refresh(ctx context.Context) error {
	_, err := x.refreshed(ctx, x.source())
	return err
}

// Find answers a query, and counts the events of another one unless that is nil. The
// page is empty unless the outcome is FromIndex: the database must answer then. Changes
// are read first, as by Refresh, from the given source.
func (x *Index) Find(ctx context.Context, from Source, q wpstore.EventQuery, other *wpstore.EventQuery) (page wpstore.EventPage, outcome Outcome) {
	if !x.tracker.Active() {
		return page, Suspended
	}
	if len(q.Search) > 0 || other != nil && len(other.Search) > 0 {
		return page, TextSearch
	}
	switch {
	case q.Hidden || other != nil && other.Hidden:
		return page, Hidden
	case q.Tickets != nil || other != nil && other.Tickets != nil:
		return page, Tickets
	case q.Order.ByDuration:
		return page, Duration
	case !IndexesAll(q.Filters) || other != nil && !IndexesAll(other.Filters):
		return page, Filtered
	}
	s, err := x.refreshed(ctx, from)
	switch {
	case err != nil:
		return page, Failed
	case s == nil:
		x.want(&q, 0)
		return page, Loading
	}
	found, outcome := x.search(s, &q)
	if outcome != FromIndex {
		return page, outcome
	}
	counted := found
	if other != nil {
		count := *other
		count.Limit = 0
		if counted, outcome = x.search(s, &count); outcome != FromIndex {
			return page, outcome
		}
	}
	return wpstore.EventPage{IDs: found.IDs, Total: found.Total, Counted: counted.Total}, FromIndex
}

// search asks a snapshot, and notes what it lacks.
func (x *Index) search(s *snapshot, q *wpstore.EventQuery) (answer, Outcome) {
	a, outcome := s.search(q)
	if outcome == FromIndex || outcome == OtherDates || outcome == Language {
		x.want(q, a.sorted)
	}
	return a, outcome
}

// want notes what a query needs the index to have.
func (x *Index) want(q *wpstore.EventQuery, sorted int) {
	current := x.state.current.Load()
	if x.demand.note(q, current, sorted) && current != nil {
		x.state.wakeUp()
	}
}
