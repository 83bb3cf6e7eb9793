package eventindex

import (
	"context"
	"maps"
	"slices"

	"calbridge/wpstore"
)

// State is what lists filter one event by, at one time. It is immutable.
type State struct {
	event
	// hidden from listings: only queries with Hidden find it.
	hidden bool
}

// EventID returns the event's id.
func (s *State) EventID() int64 { return s.ID }

// Linked returns the ids of the event's venues and organizers.
func (s *State) Linked() []int64 { return slices.Concat(s.Venues, s.Organizers) }

// Filed returns the ids of the event's categories and tags.
func (s *State) Filed() []int64 { return slices.Concat(s.Categories, s.Tags) }

// StateReader reads states. It is immutable: Reread returns another one.
type StateReader struct {
	defaults   Defaults
	tables     Tables
	taxonomies []string // whose terms these are
	terms      terms
}

// OpenStates prepares to read states: how the site stores dates and languages, and its terms.
func OpenStates(ctx context.Context, from Source) (*StateReader, error) {
	r := &StateReader{taxonomies: indexedTaxonomies(from)}
	var err error
	if r.defaults, err = from.Defaults(ctx); err != nil {
		return nil, err
	}
	if r.tables, err = from.Tables(ctx); err != nil {
		return nil, err
	}
	r.tables.Occurrences = r.tables.Occurrences && r.defaults.Occurrences
	r.terms, err = loadTerms(ctx, from, nil)
	return r, err
}

// Reread reads terms again that have changed, and returns the posts whose terms mean others
// than before. If none does, the reader stays the same. At most two queries.
func (r *StateReader) Reread(ctx context.Context, from Source, changed []int64) (*StateReader, []int64, error) {
	stale := newBacklog()
	for _, id := range changed {
		stale.terms[id] = true
	}
	now, posts, err := reloadTerms(ctx, from, r.terms, stale)
	if err != nil || maps.Equal(now, r.terms) {
		return r, nil, err
	}
	return &StateReader{r.defaults, r.tables, r.taxonomies, now}, posts, nil
}

// Read reads the states of those of the posts that are events, a block of them at a time. Five
// queries for each loadBlock of ids.
func (r *StateReader) Read(ctx context.Context, from Source, ids []int64) ([]State, error) {
	ids = slices.DeleteFunc(sortedSet(slices.Clone(ids)), func(id int64) bool { return id <= 0 })
	var out []State
	for block := range slices.Chunk(ids, loadBlock) {
		err := r.block(ctx, from, block, func(s State) { out = append(out, s) })
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// All reads the states of all events, by ascending ids.
func (r *StateReader) All(ctx context.Context, from Source, each func([]State) error) error {
	ids, err := from.EventIDs(ctx)
	if err != nil {
		return err
	}
	for _, block := range blocksOf(sortedSet(ids)) {
		var out []State
		if err := r.block(ctx, from, block, func(s State) { out = append(out, s) }); err != nil {
			return err
		}
		if err := each(out); err != nil {
			return err
		}
	}
	return nil
}

func (r *StateReader) block(ctx context.Context, from Source, ids []int64, each func(State)) error {
	rd := reader{from: from, tables: r.tables, termsByID: r.terms}
	if err := rd.read(ctx, ids, nil); err != nil {
		return err
	}
	for i := range rd.events {
		if e := &rd.events[i]; e.found {
			e.finish() // those without dates are events as well
			each(State{e.event, e.hidden})
		}
	}
	return nil
}

// Find returns which of some states a query finds, as the index does. It doesn't look at the
// query's Search and Tickets, nor at filters that the index doesn't know: what they leave out is
// found. Unless the outcome is FromIndex, nothing is known.
func (r *StateReader) Find(q wpstore.EventQuery, states []State) (found []bool, outcome Outcome) {
	s := snapshot{tables: r.tables, terms: r.terms}
	switch {
	case q.Occurrences != r.tables.Occurrences:
		return nil, OtherDates
	case !s.hasLanguage(q.Language):
		return nil, Language
	}
	include := q.Include
	q.Include = nil
	found = make([]bool, len(states))
	var b rowBuilder
	for i := range states {
		state := &states[i]
		if state.hidden && !q.Hidden || include != nil && !slices.Contains(include, state.ID) {
			continue
		}
		if len(state.Dates) > chunkRows {
			return nil, Unreadable
		}
		if len(b.rows)+len(state.Dates) > chunkRows {
			if outcome := b.find(&q, found); outcome != FromIndex {
				return nil, outcome
			}
			b.reset()
		}
		e := state.event
		e.ID = int64(i)
		b.add(&e)
	}
	if outcome := b.find(&q, found); outcome != FromIndex {
		return nil, outcome
	}
	return found, FromIndex
}

// find marks the rows that a query finds by their ids.
func (b *rowBuilder) find(q *wpstore.EventQuery, found []bool) Outcome {
	s, outcome := compile(q, &b.texts)
	if outcome != FromIndex {
		return outcome
	}
	if len(b.rows) == 0 {
		return FromIndex
	}
	c := pack(b.rows)
	for _, r := range s.refuse {
		if c.flagged(r.flag) {
			return r.outcome
		}
	}
	var m mask
	if !s.impossible {
		s.run(&c.head, c, &m)
	}
	for i, id := range c.ids {
		found[id] = found[id] || m.has(uint16(i))
	}
	return FromIndex
}
