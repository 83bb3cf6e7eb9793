package sqlconn

import (
	"context"
	"database/sql"
	"fmt"
	"hash/maphash"
	"iter"
	"maps"
	"sync/atomic"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sqlconn/dialect"
	"calbridge/wpstore/sqlconn/mysqlconn"
	"calbridge/wpstore/sqlconn/server"
)

// Runner runs named statements: those of one request, or those of one transaction.
// The name of a statement is a constant such as "events.ids": it labels metrics, stands
// before the statement as a comment for slow logs and process lists, and starts every
// error.
//
// A Runner may be used by several goroutines at a time, except after KeepConnection.
type Runner struct {
	execution
	// own counts the statements of a request, whose transactions count them there too.
	own atomic.Int64
	// on is the transaction, or what NewDirect got; nil for the servers.
	on server.Querier
	// tx is the transaction where statements are sent past the driver, else nil.
	tx *mysqlconn.Transaction
	// written are the tables that a transaction has written to.
	written map[string]bool
	route   route
}

// NewRunner returns a Runner for a request, which adds what its queries depend on to
// depends. That may be nil.
func NewRunner(s *Servers, depends *invalidation.Dependencies) *Runner {
	r := &Runner{execution: execution{servers: s, depends: depends, class: wpstore.CostRead}}
	r.queries = &r.own
	return r
}

// NewDirect returns a Runner on a connection of the caller's: its statements wait in no
// queue, and run nowhere else.
func NewDirect(s *Servers, on server.Querier) *Runner {
	r := NewRunner(s, nil)
	r.on = on
	return r
}

// Query runs a SELECT and calls scan for each row. scan must not query: with all
// connections in use it would deadlock.
func (r *Runner) Query(ctx context.Context, name string, b sq.Sqlizer, scan func(*sql.Rows) error) error {
	s, err := Build(name, b)
	if err != nil {
		return err
	}
	passed := false
	return r.read(ctx, name, &passed, func(ctx context.Context, on server.Querier) error {
		err := server.Each(ctx, on, s.Text, s.Args, func(rows *sql.Rows) error {
			passed = true
			return scan(rows)
		})
		if nothingMatches(err, s.Args) {
			return nil
		}
		return err
	})
}

// Rows runs a SELECT and reads all of its result.
func (r *Runner) Rows(ctx context.Context, name string, s Statement) (*mysqlconn.RowSet, error) {
	b, _ := r.servers.scratch.Get().(*mysqlconn.Buffer)
	if b == nil {
		b = &mysqlconn.Buffer{}
	}
	defer func() {
		if b.Reusable() {
			r.servers.scratch.Put(b)
		}
	}()
	passed := false // until all of the result is read
	err := r.read(ctx, name, &passed, readInto(r, s, b))
	if err != nil {
		return nil, err
	}
	return b.Copy(), nil
}

// EachText runs a SELECT of many rows and calls row with the values of each as text, nil
// for NULL. They are valid until row returns, which must not query. Nothing is allocated for
// a row.
func EachText(ctx context.Context, r *Runner, name string, b sq.Sqlizer, row func(values [][]byte)) error {
	s, err := Build(name, b)
	if err != nil {
		return err
	}
	s = inlined(s)
	into := &mysqlconn.Buffer{Each: row}
	return r.read(ctx, name, &into.Passed, readInto(r, s, into))
}

// readInto reads the result of a statement past the driver where possible.
func readInto(r *Runner, s Statement, b *mysqlconn.Buffer) reading {
	return func(ctx context.Context, on server.Querier) (err error) {
		switch at := on.(type) {
		case transactionConn:
			err = readSQL(ctx, at, s, b)
		case *sql.Conn:
			err = readConn(ctx, at, s, r.conn, b)
		case *sql.DB:
			if r.servers.dialect.Embedded() {
				err = readSQL(ctx, on, s, b)
			} else {
				err = readPool(ctx, at, s, b)
			}
		default:
			err = readSQL(ctx, on, s, b)
		}
		if nothingMatches(err, s.Args) {
			return nil
		}
		return err
	}
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

// Exec runs any other statement, in the transaction or on the primary. table is the one that it
// writes to; "" is any.
func (r *Runner) Exec(ctx context.Context, name, table string, b sq.Sqlizer) (sql.Result, error) {
	s, err := Build(name, b)
	if err != nil {
		return nil, err
	}
	var at *server.Server
	on := r.on
	if on == nil {
		at = r.servers.primary
		on = at.Pool
	}
	r.writes(table)
	r.conn.close()
	var result sql.Result
	err = r.run(ctx, at, name, func(ctx context.Context) (err error) {
		result, err = on.ExecContext(ctx, s.Text, s.Args...)
		return err
	})
	return result, err
}

// Change does what Exec does, without the result. A transaction sends it with its next statement, which
// may report its error.
func (r *Runner) Change(ctx context.Context, name, table string, b sq.Sqlizer) error {
	if r.tx == nil {
		_, err := r.Exec(ctx, name, table, b)
		return err
	}
	s, err := Build(name, b)
	if err != nil {
		return err
	}
	r.writes(table)
	return r.later(ctx, name, s)
}

// writes notes that the next statement writes to a table.
func (r *Runner) writes(table string) {
	if r.written != nil {
		r.written[table] = true
	}
}

// later sends a statement of a transaction with the next one, or now if it is too long or the
// driver alone can send its values.
func (r *Runner) later(ctx context.Context, name string, s Statement) error {
	return r.run(ctx, nil, name, func(ctx context.Context) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if text, ok := mysqlconn.Interpolated(s.Text, s.Args); ok && r.tx.Later(text) {
			return nil
		}
		_, err := r.on.ExecContext(ctx, s.Text, s.Args...)
		return err
	})
}

// Lock runs a SELECT that locks rows, without its result. Like Change it may be sent with the
// next statement.
func Lock(ctx context.Context, r *Runner, name string, b sq.Sqlizer) error {
	if r.tx == nil {
		return r.Query(ctx, name, b, func(*sql.Rows) error { return nil })
	}
	s, err := Build(name, b)
	if err != nil {
		return err
	}
	return r.later(ctx, name, s)
}

// Insert adds one row to a table and returns its automatic id.
func (r *Runner) Insert(ctx context.Context, name, table string, b sq.Sqlizer) (int64, error) {
	result, err := r.Exec(ctx, name, table, b)
	if err != nil {
		return 0, err
	}
	id, err := result.LastInsertId()
	if err != nil {
		return 0, fmt.Errorf("query %s: id of the new row: %w", name, err)
	}
	return id, nil
}

// TablesWritten returns the tables that a transaction has written to, "" for any.
func (r *Runner) TablesWritten() iter.Seq[string] { return maps.Keys(r.written) }

// Queries returns the number of statements so far, transactions included.
func (r *Runner) Queries() int { return int(r.queries.Load()) }

// Depends collects what the rows read so far depend on. It may be nil, which its
// methods take.
func (r *Runner) Depends() *invalidation.Dependencies { return r.depends }

// dialect.Dialect is how the engine wants its SQL.
func (r *Runner) Dialect() dialect.Dialect { return r.servers.dialect }

// Servers returns those that statements run on.
func (r *Runner) Servers() *Servers { return r.servers }

// Templates caches statements.
func (r *Runner) Templates() *Templates { return &r.servers.templates }

// Digest returns that of stored text.
func (r *Runner) Digest(text string) wpstore.Digest {
	seeds := &r.servers.seeds
	return wpstore.Digest{maphash.String(seeds[0], text), maphash.String(seeds[1], text)}
}

// KeepConnection lets the reads on one server share a connection, which the first of
// them takes and done gives back. Until then the Runner is for one goroutine. Call done
// before anything that takes long, and before ctx ends in the course of things: its end
// interrupts the connection.
func (r *Runner) KeepConnection(ctx context.Context) (done func()) {
	if r.on != nil || r.servers.dialect.Embedded() {
		return func() {}
	}
	r.conn = &requestConn{ctx: ctx}
	return func() {
		r.conn.release()
		r.conn.deadline.end()
		r.conn.done = true
	}
}

// Classify sets the cost class of the statements that follow. The first class other than
// [wpstore.CostRead] stays. A shared connection is given back, so that a request holds none while
// it waits for its class.
func (r *Runner) Classify(class wpstore.CostClass) {
	if r.class == wpstore.CostRead && class != wpstore.CostRead {
		r.class = class
		r.conn.release()
	}
}

// Class returns the cost class of the statements that follow.
func (r *Runner) Class() wpstore.CostClass { return r.class }

// Release gives the shared connection back. The next read takes it again.
func (r *Runner) Release() { r.conn.release() }

// UseReplica sends queries outside of transactions to one of the replicas in use;
// found is false where there is none, and queries go to the primary. All queries of a
// request should go to the same server: replicas differ in how far they are.
//
// The replica lacks nothing that is older than the allowed lag. With latest, or with
// an allowed lag of 0, it lacks nothing that was committed before this call: the
// primary is asked for its position, and the replica is waited for, at most a tenth of
// a second. This gives read-your-writes without state here or a token in the client,
// through any number of processes behind a balancer. It costs one statement on the
// primary that touches no table.
//
// Rows for the row cache must be read with latest. What decides rights (users,
// passwords, sessions, roles, keys) must not be read from a replica at all.
//
// While the primary is away, the lag of replicas counts as it was, for five minutes;
// latest then leads to the primary, which fails.
func (r *Runner) UseReplica(ctx context.Context, latest bool) (found bool) {
	return r.on == nil && r.route.choose(ctx, &r.execution, latest)
}

// OnReplica reports whether UseReplica has found one.
func (r *Runner) OnReplica() bool { return r.route.replica.Load() != nil }

// read runs do in the transaction, else on the replica that UseReplica chose, else on
// the primary. If the replica fails before a row was passed on, the primary is next.
func (r *Runner) read(ctx context.Context, name string, passed *bool, do reading) error {
	if r.on != nil {
		return r.run(ctx, nil, name, func(ctx context.Context) error { return do(ctx, r.on) })
	}
	if at := r.route.replica.Load(); at != nil {
		if done, err := r.route.read(ctx, &r.execution, at, name, passed, do); done {
			return err
		}
	}
	primary := r.servers.primary
	return r.run(ctx, primary, name, func(ctx context.Context) error { return r.conn.read(ctx, primary, passed, do) })
}
