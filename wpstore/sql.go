package wpstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
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

// query runs a SELECT and calls scan for each row. The name is a constant such
// as "events.ids": it labels metrics, leads the statement as a comment (so that
// slow logs and process lists tell what runs), and starts every error. scan must
// not query: with all connections busy it would wait for itself.
//
// It asks the transaction, else the replica that [DB.OnReplica] chose for ctx,
// else the primary. What a replica fails to answer is asked of the primary,
// unless rows were scanned before it failed.
func (db *DB) query(ctx context.Context, name string, b sq.Sqlizer, scan func(*sql.Rows) error) error {
	if db.inTx != nil {
		return db.run(ctx, nil, name, b, selecting(db.inTx, scan))
	}
	if to, r := chosenReplica(ctx); r != nil {
		done, err := db.queryReplica(ctx, to, r, name, b, scan)
		if done {
			return err
		}
		to.leave(r, err)
	}
	return db.run(ctx, db.primary, name, b, selecting(db.primary.pool, scan))
}

// exec runs any other statement, in the transaction or on the primary.
func (db *DB) exec(ctx context.Context, name string, b sq.Sqlizer) (sql.Result, error) {
	at, on := db.primary, session(db.primary.pool)
	if db.inTx != nil {
		at, on = nil, db.inTx
	}
	var result sql.Result
	err := db.run(ctx, at, name, b, func(ctx context.Context, text string, args []any) (err error) {
		result, err = on.ExecContext(ctx, text, args...)
		return err
	})
	return result, err
}

// statement runs a text with its arguments.
type statement func(ctx context.Context, text string, args []any) error

func selecting(on session, scan func(*sql.Rows) error) statement {
	return func(ctx context.Context, text string, args []any) error {
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
	}
}

// run does what all statements have in common: text, place in the queue, deadline,
// count, metrics, errors. at is nil inside of a transaction, which has its place.
func (db *DB) run(ctx context.Context, at *server, name string, b sq.Sqlizer, do statement) error {
	text, args, err := b.ToSql()
	if err != nil {
		return fmt.Errorf("build query %s: %w", name, err)
	}
	countQuery(ctx)
	dependOnQuery(ctx, name)
	start := time.Now()
	if at != nil {
		if err = at.enter(ctx); err == nil {
			defer at.leave()
			start = time.Now()
		}
	}
	limited, cancel := context.WithTimeout(ctx, db.cfg.QueryTimeout)
	defer cancel()
	if err == nil {
		err = do(limited, "/* calbridge:"+name+" */ "+text, args)
		if at != nil && db.leadsNowhere(ctx, err) {
			at.dropIdle()
		}
	}
	if err != nil {
		err = db.explain(limited, name, err)
		if at != nil && at != db.primary && !errors.Is(err, errCrowded) {
			err = fmt.Errorf("%w: %s: %w", ErrReplica, at.name, err)
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
