package events

import (
	"context"

	"calbridge/wpstore"
	"calbridge/wpstore/eventindex"
)

// indexed answers lists of events from an index. The zero value has none: the database answers
// all lists.
type indexed struct {
	index   *eventindex.Index
	source  Source
	observe func(eventindex.Outcome) // may be nil
}

// UseIndex allows lists from an index, which reads changes from the source. observe,
// which may be nil, is called with the outcome for each list.
func (x *indexed) UseIndex(index *eventindex.Index, source Source, observe func(eventindex.Outcome)) {
	x.index, x.source, x.observe = index, source, observe
}

// find answers a query, and counts the events of another one unless that is nil. found is false
// where the database must answer.
func (x *indexed) find(ctx context.Context, q wpstore.EventQuery, other *wpstore.EventQuery) (page wpstore.EventPage, found bool) {
	if x.index == nil {
		return page, false
	}
	page, outcome := x.index.Find(ctx, x.source, q, other)
	x.observed(outcome)
	return page, outcome == eventindex.FromIndex
}

// observed reports how a list was answered.
func (x *indexed) observed(outcome eventindex.Outcome) {
	if x.index != nil && x.observe != nil {
		x.observe(outcome)
	}
}
