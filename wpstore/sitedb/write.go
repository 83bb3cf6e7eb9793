package sitedb

import (
	"context"
	"time"

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
	// User is the writing user's id, 0 for none.
	User int64
	// Zone is WordPress's time zone, which applies to dates without a zone; it may differ
	// from the calendar's. nil is UTC.
	Zone *time.Location
	// Posts describes how posts are saved, Languages which languages they and terms get.
	Posts     edit.Rules
	Languages langplugin.Rules
	// Charsets are wpstore.SiteFacts.Charsets.
	Charsets map[string]string
	// Network reports that the site is among the sites of a network, which have the time of its
	// last change.
	Network bool
}

// Tx is the transaction of one writing request. Its stores read within it. It is for one
// goroutine.
type Tx struct {
	stores
	PostEditor *edit.Posts
	TermEditor *edit.Terms
	LinkEditor *edit.Links
	Calendar   *edit.Calendar

	rows      *rowedit.Rows
	languages langplugin.Writer
	// saved and dates: see Saved.
	saved, dates bool
	// multilingual: the site has a language plugin. network is Writing.Network.
	multilingual, network bool
}

// Now returns the instant that all rows of the transaction carry.
func (tx *Tx) Now() time.Time { return tx.rows.Now }

// Write runs do in a transaction, commits it unless do returns an error, and returns do's
// results. After a conflict with another transaction it runs do again from the start, so
// do must have no effects but rows and its result. Errors match [wpstore.ErrUnavailable]
// where trying again later may help.
//
// WordPress has no unique keys for slugs and no atomic counters. Locks of rows take their
// place, each as narrow and as late as it can be; see package edit. Transactions of
// different events wait for each other only where they count the same terms or change cron.
// What all of them would change, the calendar's options, is written after the commit; see
// finisher. WordPress itself isn't blocked.
func Write[T any](ctx context.Context, s *Session, w Writing, do func(*Tx) (T, error)) (T, error) {
	var result, none T
	var later calendarSave
	s.db.writing.Add(1)
	defer s.db.writing.Add(-1)
	err := s.run.Transact(ctx, func(run *sqlconn.Runner) (sqlconn.Ended, error) {
		later = calendarSave{}
		tx := s.db.begin(run, w, s.caughtUp)
		var err error
		if result, err = do(tx); err != nil {
			return nil, err
		}
		if later, err = tx.finish(ctx, s.db.finishes()); err != nil {
			return nil, err
		}
		return s.db.committed(ctx, tx.rows)
	})
	if err != nil {
		s.db.finisher.leave(later) // it may have been committed
		return none, err
	}
	s.db.finisher.run(ctx, later)
	return result, nil
}

// finish writes what is left of a transaction, in the order of the locks. With calendar it writes
// the calendar's options too, together with the counts where nothing comes between. Otherwise it
// returns for what they have to be written later.
func (tx *Tx) finish(ctx context.Context, calendar bool) (later calendarSave, err error) {
	if tx.multilingual || tx.rows.Cron.Due() {
		if err := tx.rows.Counts.Write(ctx, nil); err != nil {
			return later, err
		}
		if err := tx.languages.Finish(ctx); err != nil {
			return later, err
		}
		if err := tx.rows.Finish(ctx); err != nil {
			return later, err
		}
	}
	due := tx.due()
	if !calendar || !due.dates { // SaveRange writes the counts itself
		if err := tx.rows.Counts.Write(ctx, nil); err != nil {
			return later, err
		}
	}
	if calendar {
		return later, due.write(ctx, tx.Calendar)
	}
	return due, nil
}

// Saved notes that an event, a venue or an organizer was saved, for the options that The
// Events Calendar updates then. dates says that the range of all events may have changed.
func (tx *Tx) Saved(dates bool) { tx.saved, tx.dates = true, tx.dates || dates }

// due returns what the calendar's options have to be written for.
func (tx *Tx) due() calendarSave {
	if !tx.saved {
		return calendarSave{}
	}
	posts, all := tx.rows.Changed.KnownPosts()
	return calendarSave{true, tx.dates, tx.network && tx.rows.Published, posts, !all, !tx.rows.Known.Usable()}.and(calendarSave{})
}

// begin makes the stores and editors of a transaction. caughtUp is passed to rowedit.NewKnown.
func (db *DB) begin(run *sqlconn.Runner, w Writing, caughtUp bool) *Tx {
	if w.Zone == nil {
		w.Zone = time.UTC
	}
	plugin := i18n.NoPlugin
	if w.Languages.Languages != nil {
		plugin = w.Languages.Languages.Plugin
	}
	memory := db.counts
	if db.Cluster() { // rows aren't locked on other nodes
		memory = nil
	}
	rows := rowedit.New(rowedit.Config{
		Runner: run, Stamp: rowedit.Stamp{Now: db.Now(), Zone: w.Zone, User: w.User}, Tables: db.tables, Locks: rowedit.NewLocks(run, db.tables, db.Cluster()),
		Known: rowedit.NewKnown(memory, caughtUp, plugin == i18n.WPML), Charsets: w.Charsets, Reported: db.cfg.Committed != nil,
	})
	tx := &Tx{rows: rows, multilingual: plugin != i18n.NoPlugin, network: w.Network}
	tx.bind(db, run, nil)
	tx.languages = db.plugins.Of(plugin).Writer(rows, &tx.Posts, &tx.Terms, w.Languages)
	tx.PostEditor = edit.NewPosts(rows, w.Posts, &tx.Posts, &tx.Terms, db.plugins, tx.languages)
	tx.TermEditor = edit.NewTerms(rows, &tx.Terms, db.plugins, tx.languages)
	tx.LinkEditor = edit.NewLinks(rows, &tx.Posts, db.plugins)
	tx.Calendar = edit.NewCalendar(rows)
	return tx
}

// committed looks up what a transaction has changed, and returns the function that
// invalidates and reports it after the commit.
func (db *DB) committed(ctx context.Context, rows *rowedit.Rows) (sqlconn.Ended, error) {
	if db.cfg.Committed == nil && db.cfg.Tracker == nil {
		return rows.Committing(), nil
	}
	changes, err := rows.Changed.Changes(ctx, rows.Runner, rows.Tables)
	if err != nil {
		return nil, err
	}
	changes.User = rows.User
	counted := rows.Committing()
	return func(gtid string, err error) {
		counted(gtid, err)
		if db.cfg.Tracker != nil { // even after an error: it may have been committed
			db.invalidate(rows, changes)
		}
		if err == nil && db.cfg.Committed != nil && !changes.Empty() {
			db.cfg.Committed(changes)
		}
	}, nil
}

// invalidate invalidates what was committed.
func (db *DB) invalidate(rows *rowedit.Rows, changes rowedit.Changes) {
	// The sets that depend on the rows of each table that writes change.
	sets := map[string][]invalidation.Kind{"usermeta": nil, "blogs": nil}
	for _, t := range append(rowedit.Tables(), db.plugins.Tables()...) {
		sets[t.Name] = t.Sets
	}
	siteOptions, _ := options.Names(db.tables.Prefix())
	if tags, known := rows.Changed.Tags(changes, rows.TablesWritten(), sets, siteOptions); known {
		db.cfg.Tracker.Invalidate(db.withEvents(tags)...)
	} else {
		db.cfg.Tracker.InvalidateAll()
	}
}
