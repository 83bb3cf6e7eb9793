package sitedb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	sq "github.com/Masterminds/squirrel"
)

// Tx is the transaction of one writing request: its rows appear all at once or
// not at all. The methods of DB that it embeds read inside of it. It is used by
// one goroutine.
type Tx struct {
	*DB
	// clock of the transaction: one instant for all rows.
	now     time.Time
	touched *touched
	// languages keeps the rows of the site's language plugin.
	languages languageWriter
}

// Now is the instant that all rows of the transaction carry.
func (tx *Tx) Now() time.Time { return tx.now }

const (
	// writeAttempts bounds how often a transaction is run after deadlocks and lock
	// waits. Against a statement that changes a whole table this program always
	// loses, having less to undo, so it tries for about two seconds.
	writeAttempts = 12
	// writePause is the longest pause before the second attempt; it doubles, up to
	// longestPause.
	writePause   = 20 * time.Millisecond
	longestPause = 500 * time.Millisecond
)

// Write runs do inside of a transaction and commits it if do returns nil. It runs
// do again, from the start, when another transaction was in the way; do must
// therefore leave nothing behind but rows. Errors match [ErrUnavailable] where
// trying again later may help.
//
// Writers of this program take turns, which is what keeps slugs unique and counts
// right: WordPress has neither unique keys nor counters that add up by themselves.
// Those of one process wait before they take a connection, so that readers still
// find some; those of several wait on a row. WordPress itself is not held up.
func (db *DB) Write(ctx context.Context, do func(*Tx) error) error {
	select {
	case db.writers <- struct{}{}:
		defer func() { <-db.writers }()
	case <-ctx.Done():
		return db.explain(ctx, "write.turn", ctx.Err())
	}
	pause := writePause
	for attempt := 1; ; attempt++ {
		err := db.writeOnce(ctx, do)
		if err == nil || !errors.Is(err, errConflict) || attempt == writeAttempts {
			return err
		}
		select {
		case <-time.After(rand.N(pause)):
			pause = min(2*pause, longestPause)
		case <-ctx.Done():
			return err
		}
	}
}

func (db *DB) writeOnce(ctx context.Context, do func(*Tx) error) (err error) {
	// Committed rows of others are seen at once, and ranges stay unlocked.
	options := &sql.TxOptions{Isolation: sql.LevelReadCommitted}
	if db.Engine() == "sqlite" {
		options = nil
	}
	keptConnOf(ctx).release()
	primary := db.leader()
	if err := primary.enter(ctx); err != nil {
		return db.explain(ctx, "write.begin", err)
	}
	defer primary.leave()
	defer func() {
		switch {
		case db.leadsNowhere(ctx, err):
			primary.refused.Store(true)
			primary.dropIdle()
		case err == nil && primary.refused.CompareAndSwap(true, false):
			primary.moved() // before anybody hears that it was written
		}
	}()
	begun, err := primary.pool.BeginTx(ctx, options)
	if err != nil {
		return db.explain(ctx, "write.begin", err)
	}
	done := false
	defer func() {
		if !done { // also when do panics
			_ = within(ctx, begun.Rollback) // the connection is given up if that fails
		}
	}()
	inner := *db
	touched := newTouched()
	inner.inTx = writes{begun, touched}
	tx := &Tx{DB: &inner, now: db.Now(), touched: touched}
	tx.languages = oneLanguage{tx}
	if err := tx.takeTurn(ctx); err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return err
	}
	if err := tx.languages.finish(ctx); err != nil {
		return err
	}
	var changes Changes
	if db.cfg.Committed != nil || db.cfg.Ledger != nil {
		if changes, err = tx.changes(ctx); err != nil {
			return err
		}
	}
	done = true
	err = within(ctx, func() error {
		err := begun.Commit()
		// Also when nobody waits any more.
		if db.cfg.Ledger != nil { // also after an error, which leaves open whether it was committed
			tx.tell(changes)
		}
		if err == nil && db.cfg.Committed != nil && !changes.Empty() {
			db.cfg.Committed(changes)
		}
		return err
	})
	if err != nil {
		return db.explain(ctx, "write.commit", err)
	}
	return nil
}

// within runs do and returns what it returns, or when ctx ends: COMMIT and ROLLBACK
// know no deadline of their own, and a server that hangs, or a cluster that has
// lost a node, holds them up. Whether do has succeeded is then not known.
func within(ctx context.Context, do func() error) error {
	ended := make(chan error, 1)
	go func() { ended <- do() }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// takeTurn locks a row that every site has and nobody changes.
func (tx *Tx) takeTurn(ctx context.Context) error {
	if tx.Engine() == "sqlite" {
		return nil // the transaction took the lock when it began
	}
	_, err := tx.number(ctx, "write.turn", sq.Select("option_id").From(tx.table("options")).
		Where(sq.Eq{"option_name": "siteurl"}).Suffix(tx.d.forUpdate()))
	return err
}

// insert adds one row and returns its automatic id.
func (tx *Tx) insert(ctx context.Context, name string, b sq.Sqlizer) (int64, error) {
	result, err := tx.exec(ctx, name, b)
	if err != nil {
		return 0, err
	}
	id, err := result.LastInsertId()
	if err != nil {
		return 0, fmt.Errorf("query %s: id of the new row: %w", name, err)
	}
	return id, nil
}

// column is a column with its value.
type column struct {
	name  string
	value any
}

// insertRow adds a row of named columns and returns its automatic id.
func (tx *Tx) insertRow(ctx context.Context, name, table string, columns []column) (int64, error) {
	names := make([]string, len(columns))
	values := make([]any, len(columns))
	for i, c := range columns {
		names[i], values[i] = c.name, c.value
	}
	id, err := tx.insert(ctx, name, sq.Insert(tx.table(table)).Columns(names...).Values(values...))
	if err == nil {
		tx.touched.row(table, id)
	}
	return id, err
}

// change runs a statement whose result nobody needs.
func (tx *Tx) change(ctx context.Context, name string, b sq.Sqlizer) error {
	_, err := tx.exec(ctx, name, b)
	return err
}

// textValue runs a query of one text, "" for NULL and for no row.
func (tx *Tx) textValue(ctx context.Context, name string, b sq.Sqlizer) (string, error) {
	var value sql.NullString
	err := tx.query(ctx, name, b, func(rows *sql.Rows) error { return rows.Scan(&value) })
	return value.String, err
}
