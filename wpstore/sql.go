package wpstore

import (
	"context"
	"database/sql"
	"strings"
	"sync/atomic"
	"time"

	sq "github.com/Masterminds/squirrel"
)

// session is where statements run: the pool or one transaction.
type session interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// session is where this DB's statements run.
func (db *DB) session() session {
	if db.inTx != nil {
		return db.inTx
	}
	return db.pool
}

// query runs a SELECT and calls scan for each row. The name is a constant such
// as "events.ids": it labels metrics, leads the statement as a comment (so that
// slow logs and process lists tell what runs), and starts every error. scan must
// not query: with all connections busy it would wait for itself.
func (db *DB) query(ctx context.Context, name string, b sq.Sqlizer, scan func(*sql.Rows) error) error {
	return db.queryOn(ctx, db.session(), name, b, scan)
}

// exec runs any other statement.
func (db *DB) exec(ctx context.Context, name string, b sq.Sqlizer) (sql.Result, error) {
	return db.execOn(ctx, db.session(), name, b)
}

func (db *DB) queryOn(ctx context.Context, on session, name string, b sq.Sqlizer, scan func(*sql.Rows) error) error {
	return db.run(ctx, name, b, func(ctx context.Context, text string, args []any) error {
		rows, err := on.QueryContext(ctx, text, args...)
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
	})
}

func (db *DB) execOn(ctx context.Context, on session, name string, b sq.Sqlizer) (sql.Result, error) {
	var result sql.Result
	err := db.run(ctx, name, b, func(ctx context.Context, text string, args []any) (err error) {
		result, err = on.ExecContext(ctx, text, args...)
		return err
	})
	return result, err
}

// run builds a statement and runs it.
func (db *DB) run(ctx context.Context, name string, b sq.Sqlizer, do func(context.Context, string, []any) error) error {
	s, err := build(name, b)
	if err != nil {
		return err
	}
	return db.observe(ctx, name, func(ctx context.Context) error { return do(ctx, s.text, s.args) })
}

// observe does what all statements have in common: deadline, count, metrics,
// errors.
func (db *DB) observe(ctx context.Context, name string, do func(context.Context) error) error {
	countQuery(ctx)
	dependOnQuery(ctx, name)
	start := time.Now()
	limited := ctx
	if deadline, ok := ctx.Deadline(); !ok || deadline.Sub(start) > db.cfg.QueryTimeout {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, db.cfg.QueryTimeout)
		defer cancel()
	}
	err := do(limited)
	if err != nil {
		err = db.explain(limited, name, err)
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
