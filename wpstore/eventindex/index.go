package eventindex

import (
	"context"
	"log/slog"

	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
)

// Config is what an index works with.
type Config struct {
	// Tracker tells what changes, and is told when lists of events do.
	Tracker *invalidation.Tracker
	// Source makes a source that is read from in the background, or by Settle.
	Source func() Source
	Logger *slog.Logger
}

// Index answers lists of events from memory. It is safe for concurrent use.
type Index struct {
	tracker *invalidation.Tracker
	source  func() Source
	state   *state
	demand  *demand
	settler *settler
}

// Open starts to load an index, as soon as the tracker follows changes. Loading goes
// on in the background until the context ends; nobody waits for it.
func Open(ctx context.Context, cfg Config) *Index {
	x := &Index{tracker: cfg.Tracker, source: cfg.Source, state: newState(), demand: &demand{}}
	x.settler = &settler{tracker: x.tracker, state: x.state, turn: make(chan struct{}, 1)}
	x.tracker.Listen(x.state.change)
	if x.tracker.Active() {
		x.state.poke()
	}
	b := &background{settler: x.settler, source: cfg.Source, demand: x.demand, logger: cfg.Logger}
	go b.run(ctx)
	return x
}

// Ready returns when everything is loaded, or the context's error.
func (x *Index) Ready(ctx context.Context) error { return x.state.await(ctx) }

// Rows is the number of dates in the index, of all events; 0 while nothing is
// loaded.
func (x *Index) Rows() int {
	if s := x.state.current.Load(); s != nil {
		return s.rows.count()
	}
	return 0
}

// Settle reads again what the tracker has said changed, and tells the tracker if lists
// of events differ now ([invalidation.Events]): whoever caches responses calls it before
// asking the tracker what is fresh. Whatever could not be read counts as different. At
// an error changes remain unread: nothing that depends on lists of events is fresh
// then.
//
// At most seven queries whatever the number of changes, none without changes;
// concurrent calls wait for each other.
func (x *Index) Settle(ctx context.Context) error {
	_, err := x.settler.settled(ctx, x.source())
	return err
}

// Find answers a query, and counts the events of another one unless it is nil. The
// page is empty unless the outcome is FromIndex: the database has to answer then.
// Changes are read first, as by Settle, from the source given.
func (x *Index) Find(ctx context.Context, from Source, q wpstore.EventQuery, other *wpstore.EventQuery) (page wpstore.EventPage, outcome Outcome) {
	if !x.tracker.Active() {
		return page, Suspended
	}
	if len(q.Search) > 0 || other != nil && len(other.Search) > 0 {
		return page, TextSearch
	}
	s, err := x.settler.settled(ctx, from)
	switch {
	case err != nil:
		return page, Failed
	case s == nil:
		x.ask(&q, 0)
		return page, Loading
	}
	found, outcome := x.search(s, &q)
	if outcome != FromIndex {
		return page, outcome
	}
	page = wpstore.EventPage{IDs: found.IDs, Total: found.Total, Counted: found.Total}
	if other == nil {
		return page, FromIndex
	}
	count := *other
	count.Limit = 0
	counted, outcome := x.search(s, &count)
	if outcome != FromIndex {
		return wpstore.EventPage{}, outcome
	}
	page.Counted = counted.Total
	return page, FromIndex
}

// search asks a snapshot, and notes what it was not made for.
func (x *Index) search(s *snapshot, q *wpstore.EventQuery) (answer, Outcome) {
	a, outcome := s.search(q)
	switch outcome {
	case FromIndex:
		x.ask(q, a.sorted)
	case OtherDates, Language:
		x.ask(q, 0)
	}
	return a, outcome
}

// ask notes what a query would have the index be made for.
func (x *Index) ask(q *wpstore.EventQuery, sorted int) {
	current := x.state.current.Load()
	if x.demand.note(q, current, sorted) && current != nil {
		x.state.poke()
	}
}
