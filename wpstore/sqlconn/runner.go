package sqlconn

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
)

// Runner runs named statements: those of one request, or those of one transaction.
// The name of a statement is a constant such as "events.ids": it labels metrics, leads
// the statement as a comment (so that slow logs and process lists tell what runs), and
// starts every error.
//
// A Runner may be used by several goroutines at a time, unless it keeps a connection.
type Runner struct {
	servers *Servers
	depends *invalidation.Dependencies
	// queries counts statements; those of a transaction count for the request.
	queries *atomic.Int64
	own     atomic.Int64
	// on is the transaction, or whatever else the statements run on; nil for the
	// servers.
	on Querier
	// written are the tables that a transaction has written to, by their physical
	// names.
	written map[string]bool
	route   route
	kept    *keptConn // nil where no connection is kept
}

// NewRunner returns a Runner for a request. What its queries depend on is noted in
// depends, which may be nil.
func NewRunner(s *Servers, depends *invalidation.Dependencies) *Runner {
	r := &Runner{servers: s, depends: depends}
	r.queries = &r.own
	return r
}

// NewDirect returns a Runner on a connection of the caller's own: its statements wait
// in no queue, and are asked of nobody else.
func NewDirect(s *Servers, on Querier) *Runner {
	r := NewRunner(s, nil)
	r.on = on
	return r
}

// Query runs a SELECT and calls scan for each row. scan must not query: with all
// connections busy it would wait for itself.
func (r *Runner) Query(ctx context.Context, name string, b sq.Sqlizer, scan func(*sql.Rows) error) error {
	s, err := Build(name, b)
	if err != nil {
		return err
	}
	scanned := false
	return r.read(ctx, name, &scanned, func(ctx context.Context, on Querier) error {
		return selecting(ctx, on, s, func(rows *sql.Rows) error {
			scanned = true
			return scan(rows)
		})
	})
}

// Rows runs a SELECT and reads all of its result.
func (r *Runner) Rows(ctx context.Context, name string, s Statement) (*RowSet, error) {
	b, _ := r.servers.scratch.Get().(*rowBuffer)
	if b == nil {
		b = &rowBuffer{}
	}
	defer func() {
		if cap(b.text) <= maxScratch {
			r.servers.scratch.Put(b)
		}
	}()
	given := false // before all of it is read
	err := r.read(ctx, name, &given, func(ctx context.Context, on Querier) error {
		switch on := on.(type) {
		case *sql.DB:
			if !r.servers.dialect.Embedded() {
				return readPool(ctx, on, s, b)
			}
		case *sql.Conn:
			return readConn(ctx, on, s, r.kept.next(s.Text), b)
		}
		return readSQL(ctx, on, s, b)
	})
	if err != nil {
		return nil, err
	}
	return &RowSet{string(b.text), slices.Clone(b.ends), b.columns}, nil
}

// IDs runs a query of one id column.
func (r *Runner) IDs(ctx context.Context, name string, b sq.Sqlizer) ([]int64, error) {
	var ids []int64
	err := r.Query(ctx, name, b, func(rows *sql.Rows) error {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return fmt.Errorf("id column: %w", err)
		}
		ids = append(ids, id)
		return nil
	})
	return ids, err
}

// Number runs a query of one number, such as a count.
func (r *Runner) Number(ctx context.Context, name string, b sq.Sqlizer) (int64, error) {
	var n int64
	err := r.Query(ctx, name, b, func(rows *sql.Rows) error { return rows.Scan(&n) })
	return n, err
}

// Text runs a query of one text, "" for NULL and for no row.
func (r *Runner) Text(ctx context.Context, name string, b sq.Sqlizer) (string, error) {
	var value sql.NullString
	err := r.Query(ctx, name, b, func(rows *sql.Rows) error { return rows.Scan(&value) })
	return value.String, err
}

// Exec runs any other statement, in the transaction or on the primary.
func (r *Runner) Exec(ctx context.Context, name string, b sq.Sqlizer) (sql.Result, error) {
	s, err := Build(name, b)
	if err != nil {
		return nil, err
	}
	var at *server
	on := r.on
	if on == nil {
		at = r.servers.cluster.leader()
		on = at.pool
	}
	if r.written != nil {
		r.written[firstTable(s.Text)] = true
	}
	r.kept.close()
	var result sql.Result
	err = r.run(ctx, at, name, func(ctx context.Context) (err error) {
		result, err = on.ExecContext(ctx, s.Text, s.Args...)
		return err
	})
	return result, err
}

// Change is Exec where nobody needs the result.
func (r *Runner) Change(ctx context.Context, name string, b sq.Sqlizer) error {
	_, err := r.Exec(ctx, name, b)
	return err
}

// Insert adds one row and returns its automatic id.
func (r *Runner) Insert(ctx context.Context, name string, b sq.Sqlizer) (int64, error) {
	result, err := r.Exec(ctx, name, b)
	if err != nil {
		return 0, err
	}
	id, err := result.LastInsertId()
	if err != nil {
		return 0, fmt.Errorf("query %s: id of the new row: %w", name, err)
	}
	return id, nil
}

// TablesWritten are the physical names of the tables that a transaction has written
// to.
func (r *Runner) TablesWritten() iter.Seq[string] { return maps.Keys(r.written) }

// Queries is the number of statements so far, transactions included.
func (r *Runner) Queries() int { return int(r.queries.Load()) }

// Depends collects what the rows read so far depend on; nil where nobody asks, which
// its methods take.
func (r *Runner) Depends() *invalidation.Dependencies { return r.depends }

// Dialect is how the engine wants its SQL.
func (r *Runner) Dialect() Dialect { return r.servers.dialect }

// Templates are the statements that have been built lately.
func (r *Runner) Templates() *Templates { return &r.servers.templates }

// Digest is that of stored text.
func (r *Runner) Digest(text string) wpstore.Digest { return r.servers.digest(text) }

// KeepConnection has the reads on one server share a connection, which is taken for
// the first of them and given back by done; those that come later are on their own.
// Until then the Runner is for one goroutine. done is to be called before anything that
// takes long.
func (r *Runner) KeepConnection() (done func()) {
	if r.on != nil || r.servers.dialect.Embedded() {
		return func() {}
	}
	r.kept = &keptConn{}
	return func() {
		r.kept.release()
		r.kept.over = true
	}
}

// Release gives the kept connection back. It may be taken again.
func (r *Runner) Release() { r.kept.release() }

// Announce says which statements come next, so that they can be sent together where a
// connection is kept: no others must come before them, nor before AnnounceNothing.
func (r *Runner) Announce(coming func() ([]Statement, error)) error {
	if r.kept == nil {
		return nil
	}
	statements, err := coming()
	if err == nil {
		r.kept.announce(statements...)
	}
	return err
}

// AnnounceNothing says that it is not known what comes next.
func (r *Runner) AnnounceNothing() { r.kept.announce() }

// read asks the transaction, else the replica that UseReplica chose, else the primary.
// What a replica fails to answer is asked of the primary, unless a row was given away
// before it failed.
func (r *Runner) read(ctx context.Context, name string, given *bool, do reading) error {
	if r.on != nil {
		return r.run(ctx, nil, name, func(ctx context.Context) error { return do(ctx, r.on) })
	}
	if at := r.route.replica.Load(); at != nil {
		done, err := r.readReplica(ctx, at, name, given, do)
		if done {
			return err
		}
		r.route.leave(at, err, r.servers.cfg.Logger)
	}
	primary := r.servers.cluster.leader()
	return r.run(ctx, primary, name, func(ctx context.Context) error { return r.kept.read(ctx, primary, given, do) })
}

// run does what all statements have in common: place in the queue, deadline, count,
// metrics, errors. at is nil inside of a transaction, which has its place.
func (r *Runner) run(ctx context.Context, at *server, name string, do func(context.Context) error) error {
	cfg := &r.servers.cfg
	r.queries.Add(1)
	if r.depends != nil {
		for _, kind := range r.servers.site.DependsOn(name) {
			r.depends.OnSet(kind)
		}
	}
	start := time.Now()
	var err error
	if r.kept.has(at) {
		at.entered(0)
	} else if at != nil {
		if err = at.enter(ctx); err == nil {
			if !r.kept.keep(at) {
				defer at.leave()
			}
			start = time.Now()
		}
	}
	limited := ctx
	if deadline, ok := ctx.Deadline(); !ok || deadline.Sub(start) > cfg.QueryTimeout {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, cfg.QueryTimeout)
		defer cancel()
	}
	if err == nil {
		err = do(limited)
		if at != nil && leadsNowhere(ctx, r.servers.dialect, err) {
			at.dropIdle()
		}
	}
	if err != nil {
		err = explain(limited, r.servers.dialect, name, err)
		if at != nil && at != r.servers.cluster.leader() && !errors.Is(err, errCrowded) {
			err = fmt.Errorf("%w: %s: %w", wpstore.ErrReplica, at.name, err)
		}
	}
	if cfg.Observe != nil {
		cfg.Observe(name, time.Since(start), err)
	}
	return err
}

// firstTable is the first quoted name of a statement: the table, in all that write.
func firstTable(statement string) string {
	_, after, _ := strings.Cut(statement, "`")
	table, _, _ := strings.Cut(after, "`")
	return table
}
