package sitedb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
)

// session is where statements run: the pool or one transaction.
type session interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// query runs a SELECT and calls scan for each row. The name is a constant such
// as "events.ids": it labels metrics, leads the statement as a comment (so that
// slow logs and process lists tell what runs), and starts every error. scan must
// not query: with all connections busy it would wait for itself.
func (db *DB) query(ctx context.Context, name string, b sq.Sqlizer, scan func(*sql.Rows) error) error {
	s, err := build(name, b)
	if err != nil {
		return err
	}
	scanned := false
	return db.read(ctx, name, &scanned, func(ctx context.Context, on session) error {
		return selecting(ctx, on, s, func(rows *sql.Rows) error {
			scanned = true
			return scan(rows)
		})
	})
}

// queryAt is query on one of the servers.
func (db *DB) queryAt(ctx context.Context, at *server, name string, b sq.Sqlizer, scan func(*sql.Rows) error) error {
	s, err := build(name, b)
	if err != nil {
		return err
	}
	keptConnOf(ctx).close()
	return db.run(ctx, at, name, func(ctx context.Context) error { return selecting(ctx, at.pool, s, scan) })
}

// reading reads the result of a statement.
type reading func(ctx context.Context, on session) error

// read asks the transaction, else the replica that [DB.OnReplica] chose for ctx,
// else the primary. What a replica fails to answer is asked of the primary,
// unless a row was given away before it failed.
func (db *DB) read(ctx context.Context, name string, given *bool, do reading) error {
	if db.inTx != nil {
		return db.run(ctx, nil, name, func(ctx context.Context) error { return do(ctx, db.inTx) })
	}
	if to, r := chosenReplica(ctx); r != nil {
		done, err := db.readReplica(ctx, to, r, name, given, do)
		if done {
			return err
		}
		to.leave(r, err)
	}
	primary := db.leader()
	return db.run(ctx, primary, name, func(ctx context.Context) error { return keptConnOf(ctx).read(ctx, primary, given, do) })
}

// exec runs any other statement, in the transaction or on the primary.
func (db *DB) exec(ctx context.Context, name string, b sq.Sqlizer) (sql.Result, error) {
	s, err := build(name, b)
	if err != nil {
		return nil, err
	}
	at := db.leader()
	on := session(at.pool)
	if db.inTx != nil {
		at, on = nil, db.inTx
	}
	keptConnOf(ctx).close()
	var result sql.Result
	err = db.run(ctx, at, name, func(ctx context.Context) (err error) {
		result, err = on.ExecContext(ctx, s.text, s.args...)
		return err
	})
	return result, err
}

func selecting(ctx context.Context, on session, s statement, scan func(*sql.Rows) error) error {
	rows, err := on.QueryContext(ctx, s.text, s.args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// run does what all statements have in common: place in the queue, deadline, count,
// metrics, errors. at is nil inside of a transaction, which has its place.
func (db *DB) run(ctx context.Context, at *server, name string, do func(context.Context) error) error {
	countQuery(ctx)
	dependOnQuery(ctx, name)
	start := time.Now()
	var err error
	if kept := keptConnOf(ctx); kept.has(at) {
		at.entered(0)
	} else if at != nil {
		if err = at.enter(ctx); err == nil {
			if !kept.keep(at) {
				defer at.leave()
			}
			start = time.Now()
		}
	}
	limited := ctx
	if deadline, ok := ctx.Deadline(); !ok || deadline.Sub(start) > db.cfg.QueryTimeout {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, db.cfg.QueryTimeout)
		defer cancel()
	}
	if err == nil {
		err = do(limited)
		if at != nil && db.leadsNowhere(ctx, err) {
			at.dropIdle()
		}
	}
	if err != nil {
		err = db.explain(limited, name, err)
		if at != nil && at != db.leader() && !errors.Is(err, errCrowded) {
			err = fmt.Errorf("%w: %s: %w", wpstore.ErrReplica, at.name, err)
		}
	}
	if db.cfg.Observe != nil {
		db.cfg.Observe(name, time.Since(start), err)
	}
	return err
}

// QueryCount counts the statements run on behalf of one request.
type QueryCount struct{ n atomic.Int64 }

// N is the number of statements so far.
func (c *QueryCount) N() int { return int(c.n.Load()) }

type queryCountKey struct{}

// WithQueryCount returns a context whose statements are counted.
func WithQueryCount(ctx context.Context) (context.Context, *QueryCount) {
	c := new(QueryCount)
	return context.WithValue(ctx, queryCountKey{}, c), c
}

func countQuery(ctx context.Context) {
	if c, ok := ctx.Value(queryCountKey{}).(*QueryCount); ok {
		c.n.Add(1)
	}
}

// likeEscaper protects the wildcards of LIKE. Backslash is the escape character
// of both engines here: MySQL's default, and that of our LIKE for SQLite.
var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// escapeLike makes text match itself inside a LIKE pattern.
func escapeLike(text string) string { return likeEscaper.Replace(text) }

// contains is the LIKE pattern of a substring search.
func contains(text string) string { return "%" + escapeLike(text) + "%" }
