package sitedb

import (
	"context"

	"calbridge/wpstore"
	"calbridge/wpstore/events"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/options"
	"calbridge/wpstore/posts"
	"calbridge/wpstore/rowcache"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/terms"
	"calbridge/wpstore/tickets"
	"calbridge/wpstore/users"
)

// Session holds the stores through which one request reads. Only one goroutine may use it
// at a time.
type Session struct {
	stores
	db  *DB
	run *sqlconn.Runner
	// caughtUp is set by CaughtUp, writes by AllowRows.
	caughtUp, writes bool
	// view is the request's view of the row cache.
	view rowcache.View
}

// stores holds the stores of a site, for use outside or within a transaction.
type stores struct {
	Posts   posts.Store
	Terms   terms.Store
	Users   users.Store
	Options options.Store
	Events  events.Store
	Linked  events.LinkedStore
	Tickets tickets.Store
}

// bind makes the stores. view is nil within a transaction.
func (s *stores) bind(db *DB, run *sqlconn.Runner, view *rowcache.View) {
	s.Terms = terms.New(run, db.tables, db.plugins, view)
	s.Posts = posts.New(run, db.tables, db.plugins, view, &s.Terms)
	s.Users = users.New(run, db.tables)
	s.Options = options.New(run, db.tables, db.plugins, db.cfg.CalendarTablesOff)
	s.Events = events.New(run, db.tables, db.plugins)
	s.Linked = events.NewLinked(run, db.tables, db.plugins)
	s.Tickets = tickets.New(run, db.tables)
}

// Session starts a session. Unless depends is nil, it collects there what its results
// depend on. By default it reads everything from the primary, each statement on any
// connection.
func (db *DB) Session(depends *invalidation.Dependencies) *Session {
	s := &Session{db: db, run: sqlconn.NewRunner(db.Servers, depends), view: rowcache.NewView(db.rows, depends)}
	s.bind(db, s.run, &s.view)
	return s
}

// Queries returns the number of statements so far, including those of transactions.
func (s *Session) Queries() int { return s.run.Queries() }

// Depends returns what the results so far depend on; it may be nil.
func (s *Session) Depends() *invalidation.Dependencies { return s.run.Depends() }

// AllowCache allows rows from the row cache, lists of events from the event index, and
// candidates of searches from the search index, unless the tracker has invalidated them.
func (s *Session) AllowCache() {
	s.view.Allow()
	if index := s.db.index.Load(); index != nil {
		source := s.source()
		s.Events.UseIndex(index, source, s.db.cfg.Listed)
		s.Linked.UseIndex(index, source, s.db.cfg.Listed)
	}
	if index := s.db.search.Load(); index != nil {
		s.Events.UseSearches(index, s.db.cfg.Searched)
		s.Linked.UseSearches(index, s.db.cfg.Searched)
	}
}

// AllowRows allows rows from the row cache, for a request that writes. Lists still come
// from the database, and so does everything that the transaction reads.
func (s *Session) AllowRows() {
	s.view.Allow()
	s.writes = true
}

// LinkedHeads loads the heads of posts that a request refers to. A request that writes
// takes them from the row cache. A read bypasses the row cache here, so that its statement
// count does not depend on what other requests have read.
func (s *Session) LinkedHeads(ctx context.Context, ids []int64) (map[int64]wpstore.PostHead, error) {
	if s.writes {
		return posts.CachedHeads(ctx, &s.Posts, ids)
	}
	return s.Posts.PostHeads(ctx, ids)
}

// Apart returns a session with the same settings that collects no dependencies. It is for
// responses of any length, which aren't cached.
func (s *Session) Apart(ctx context.Context) *Session {
	out := s.db.Session(nil)
	out.caughtUp = s.caughtUp
	out.Classify(s.run.Class())
	if s.view.Allowed() {
		out.AllowCache()
	}
	if s.run.OnReplica() {
		out.UseReplica(ctx, false)
	}
	return out
}

// CaughtUp declares that the tracker has all changes that the request must see.
func (s *Session) CaughtUp() { s.caughtUp = true }

// UseReplica sends reads to a replica if one is fit; see [sqlconn.Runner.UseReplica].
func (s *Session) UseReplica(ctx context.Context, latest bool) {
	generation := s.view.Generation()
	if s.run.UseReplica(ctx, latest) {
		s.view.ReadAsOf(generation)
	}
}

// Classify sets the cost class of what is read from now on; see [sqlconn.Runner.Classify].
func (s *Session) Classify(class wpstore.CostClass) { s.run.Classify(class) }

// KeepConnection makes reads share a connection until done is called; see
// [sqlconn.Runner.KeepConnection].
func (s *Session) KeepConnection(ctx context.Context) (done func()) { return s.run.KeepConnection(ctx) }

func (s *Session) source() events.Source {
	return events.NewSource(s.run, s.db.tables, s.db.plugins, &s.Options)
}
