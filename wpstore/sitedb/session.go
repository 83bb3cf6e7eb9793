package sitedb

import (
	"context"

	"calbridge/wpstore"
	"calbridge/wpstore/eventindex"
	"calbridge/wpstore/events"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/options"
	"calbridge/wpstore/posts"
	"calbridge/wpstore/rowcache"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/terms"
	"calbridge/wpstore/users"
)

// Session is what one request reads through. It is for one goroutine at a time.
type Session struct {
	stores
	db  *DB
	run *sqlconn.Runner
	// view is what the request sees of the cache of rows.
	view rowcache.View
}

// stores read what a site consists of: outside of transactions, or within one.
type stores struct {
	Posts   posts.Store
	Terms   terms.Store
	Users   users.Store
	Options options.Store
	Events  events.Store
	Linked  events.LinkedStore
}

// bind makes the stores. Rows come from the view, which is nil within a transaction.
func (s *stores) bind(db *DB, run *sqlconn.Runner, view *rowcache.View) {
	s.Terms = terms.New(run, db.tables, db.plugins, view)
	s.Posts = posts.New(run, db.tables, db.plugins, view, &s.Terms)
	s.Users = users.New(run, db.tables)
	s.Options = options.New(run, db.tables, db.plugins)
	s.Events = events.New(run, db.tables, db.plugins)
	s.Linked = events.NewLinked(run, db.tables, db.plugins)
}

// Session starts a session: what it reads depends on is noted in depends, which may be
// nil. It reads from the primary, with each statement on any connection, and nothing
// from memory, until it is told otherwise.
func (db *DB) Session(depends *invalidation.Dependencies) *Session {
	s := &Session{db: db, run: sqlconn.NewRunner(db.Servers, depends), view: rowcache.NewView(db.rows, depends)}
	s.bind(db, s.run, &s.view)
	return s
}

// Queries is the number of statements so far, transactions included.
func (s *Session) Queries() int { return s.run.Queries() }

// Depends collects what was read so far depends on; nil where nobody asks, which its
// methods take.
func (s *Session) Depends() *invalidation.Dependencies { return s.run.Depends() }

// AllowCache lets rows come from the cache of rows, and lists of events from the event
// index, as current as what their tracker has been told of. Without it everything comes
// from the database.
func (s *Session) AllowCache() {
	s.view.Allow()
	if index := s.db.index.Load(); index != nil {
		s.Events.UseIndex(indexed{index, s.source(), s.db.cfg.Listed})
	}
}

// UseReplica sends reads to a replica where one is fit; see [sqlconn.Runner.UseReplica].
func (s *Session) UseReplica(ctx context.Context, latest bool) {
	sequence := s.view.Sequence()
	if s.run.UseReplica(ctx, latest) {
		s.view.ReadAsOf(sequence)
	}
}

// KeepConnection has reads share a connection until done is called; see
// [sqlconn.Runner.KeepConnection].
func (s *Session) KeepConnection() (done func()) { return s.run.KeepConnection() }

func (s *Session) source() events.Source {
	return events.NewSource(s.run, s.db.tables, s.db.plugins, &s.Options, &s.Linked)
}

// indexed answers lists of events from the event index.
type indexed struct {
	index    *eventindex.Index
	source   events.Source
	observed func(eventindex.Outcome) // may be nil
}

// Events implements [events.Index].
func (x indexed) Events(ctx context.Context, q wpstore.EventQuery, other *wpstore.EventQuery) (wpstore.EventPage, bool) {
	page, outcome := x.index.Find(ctx, x.source, q, other)
	if x.observed != nil {
		x.observed(outcome)
	}
	return page, outcome == eventindex.FromIndex
}
