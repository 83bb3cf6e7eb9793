package sitedb

import (
	"context"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/i18n"
	"calbridge/wpstore/edit"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/options"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
)

// Writing is what the writes of one request depend on besides the rows.
type Writing struct {
	// User writes, 0 for nobody in particular.
	User int64
	// Zone is the zone of WordPress's clock, by which dates without a zone are meant;
	// it may differ from the calendar's. nil is UTC.
	Zone *time.Location
	// Posts says how posts are saved, and Languages in which languages what is written
	// is filed.
	Posts     edit.Rules
	Languages langplugin.Rules
}

// Tx is the transaction of one writing request: its rows appear all at once or not at
// all. Its stores read inside of it. It is used by one goroutine.
type Tx struct {
	stores
	PostEditor *edit.Posts
	TermEditor *edit.Terms
	LinkEditor *edit.Links
	Calendar   *edit.Calendar

	rows      *rowedit.Rows
	languages langplugin.Writer
}

// Now is the instant that all rows of the transaction carry.
func (tx *Tx) Now() time.Time { return tx.rows.Now }

// Write runs do inside of a transaction, commits it if do returns no error, and returns
// what do has returned. It runs do again, from the start, when another transaction was
// in the way; do must therefore leave nothing behind but rows and its result. Errors
// match [wpstore.ErrUnavailable] where trying again later may help.
//
// Writers of this program take turns, which is what keeps slugs unique and counts
// right: WordPress has neither unique keys nor counters that add up by themselves.
// Those of one process wait before they take a connection, so that readers still
// find some; those of several wait on a row. WordPress itself is not held up.
func Write[T any](ctx context.Context, s *Session, w Writing, do func(*Tx) (T, error)) (T, error) {
	var result, none T
	err := s.run.Transact(ctx, func(run *sqlconn.Runner) (func(error), error) {
		tx := s.db.begin(run, w)
		if err := tx.takeTurn(ctx); err != nil {
			return nil, err
		}
		var err error
		if result, err = do(tx); err != nil {
			return nil, err
		}
		if err := tx.languages.Finish(ctx); err != nil {
			return nil, err
		}
		return s.db.report(ctx, tx.rows)
	})
	if err != nil {
		return none, err
	}
	return result, nil
}

// begin makes what a transaction reads and writes with.
func (db *DB) begin(run *sqlconn.Runner, w Writing) *Tx {
	if w.Zone == nil {
		w.Zone = time.UTC
	}
	rows := &rowedit.Rows{Runner: run, Tables: db.tables, Changed: rowedit.NewChangeSet(), Now: db.Now(), Zone: w.Zone, User: w.User}
	tx := &Tx{rows: rows}
	tx.bind(db, run, nil)
	plugin := i18n.NoPlugin
	if w.Languages.Languages != nil {
		plugin = w.Languages.Languages.Plugin
	}
	tx.languages = db.plugins.Of(plugin).Writer(rows, &tx.Posts, &tx.Terms, w.Languages)
	tx.PostEditor = edit.NewPosts(rows, w.Posts, &tx.Posts, &tx.Terms, db.plugins, tx.languages)
	tx.TermEditor = edit.NewTerms(rows, &tx.Terms, db.plugins, tx.languages)
	tx.LinkEditor = edit.NewLinks(rows, &tx.Posts, db.plugins)
	tx.Calendar = edit.NewCalendar(rows)
	return tx
}

// takeTurn locks a row that every site has and nobody changes.
func (tx *Tx) takeTurn(ctx context.Context) error {
	if tx.rows.Dialect().Embedded() {
		return nil // the transaction took the lock when it began
	}
	_, err := tx.rows.Number(ctx, "write.turn", sq.Select("option_id").From(tx.rows.Table("options")).
		Where(sq.Eq{"option_name": "siteurl"}).Suffix(tx.rows.Dialect().ForUpdate()))
	return err
}

// report looks up what a transaction has changed, and returns what is to be said of it
// once it is committed.
func (db *DB) report(ctx context.Context, rows *rowedit.Rows) (func(error), error) {
	if db.cfg.Committed == nil && db.cfg.Tracker == nil {
		return nil, nil
	}
	changes, err := rows.Changed.Changes(ctx, rows.Runner, rows.Tables)
	if err != nil {
		return nil, err
	}
	return func(err error) {
		if db.cfg.Tracker != nil { // also after an error, which leaves open whether it was committed
			db.tell(rows, changes)
		}
		if err == nil && db.cfg.Committed != nil && !changes.Empty() {
			db.cfg.Committed(changes)
		}
	}, nil
}

// tell tells the tracker what was committed.
func (db *DB) tell(rows *rowedit.Rows, changes rowedit.Changes) {
	tags, known := rows.Changed.Tags(changes, rows.TablesWritten(), db.dependents(), options.OfSite())
	if known {
		db.cfg.Tracker.Invalidate(db.withEvents(tags)...)
		return
	}
	db.cfg.Tracker.InvalidateAll()
}

// dependents are the sets that depend on the rows of each table that writes change, by
// its physical name.
func (db *DB) dependents() map[string][]invalidation.Kind {
	sets := map[string][]invalidation.Kind{db.tables.Plain("usermeta"): nil}
	for _, t := range append(rowedit.Tables(), db.plugins.Tables()...) {
		sets[db.tables.Plain(t.Name)] = t.Sets
	}
	return sets
}
