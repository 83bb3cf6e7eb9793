package sitedb

import (
	"context"

	"calbridge/wpstore"
	"calbridge/wpstore/coherence"
	"calbridge/wpstore/eventindex"
)

// OpenIndex starts to load the event index, as soon as the ledger follows changes,
// and lets Events answer from it. It is kept up to date until the context ends.
func (db *DB) OpenIndex(ctx context.Context, ledger *coherence.Ledger) *eventindex.Index {
	index := eventindex.Open(ctx, eventindex.Config{Ledger: ledger, Source: func() eventindex.Source { return eventSource{db} }, Logger: db.cfg.Logger})
	db.index.Store(index)
	return index
}

// eventsIndexed answers Events from the index; ok is false where the database has to.
func (db *DB) eventsIndexed(ctx context.Context, q wpstore.EventQuery, other *wpstore.EventQuery) (page wpstore.EventPage, ok bool) {
	coherence.Depend(ctx, coherence.Events)
	if len(q.Search) > 0 || other != nil && len(other.Search) > 0 {
		coherence.Depend(ctx, coherence.Posts)
	}
	index := db.index.Load()
	if index == nil || !db.mayRecall(ctx) {
		return page, false
	}
	page, outcome := index.Find(ctx, eventSource{db}, q, other)
	if db.cfg.Listed != nil {
		db.cfg.Listed(outcome)
	}
	return page, outcome == eventindex.FromIndex
}
