package sqlconn

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"time"

	"calbridge/wpstore"
	"calbridge/wpstore/sqlconn/mysqlconn"
	"calbridge/wpstore/sqlconn/server"
)

// requestConn is the connection that the reads of one request share: taking one from
// the pool costs a system call, which asks whether it is still alive. A nil
// requestConn is valid: each statement then takes its own. The zero value is ready for
// use by one goroutine at a time.
type requestConn struct {
	ctx context.Context // the request's
	at  *server.Server  // where the request has a place, nil for none
	// class is that of the place.
	class wpstore.CostClass
	conn  *sql.Conn // nil until a statement needs it
	done  bool      // later statements take their own
	// watching ends with the request.
	watching *mysqlconn.Conn
	// batch are the statements of the batch that is being read, from the next one on.
	batch []string
	// generation is the server's when conn was taken.
	generation int64
	deadline   timeLimit
}

// reading reads the result of a statement.
type reading func(ctx context.Context, on server.Querier) error

// timeLimit is a context with a deadline that statements share, since each costs a timer
// and its registration with the request's context.
type timeLimit struct {
	of, limited context.Context
	cancel      context.CancelFunc
	ends        time.Time
}

func (t *timeLimit) end() {
	if t.cancel != nil {
		t.cancel()
	}
	*t = timeLimit{}
}

// limit returns [context.WithTimeout] for a statement that starts now. One of a request that
// comes soon after the first has its deadline, up to a tenth earlier.
func (k *requestConn) limit(ctx context.Context, now time.Time, timeout time.Duration) (context.Context, context.CancelFunc) {
	if k == nil || k.done {
		return context.WithTimeout(ctx, timeout)
	}
	t := &k.deadline
	if t.of != ctx || t.limited.Err() != nil || t.ends.Sub(now) < timeout-timeout/10 {
		t.end()
		t.of, t.ends = ctx, now.Add(timeout)
		t.limited, t.cancel = context.WithDeadline(ctx, t.ends)
	}
	return t.limited, func() {}
}

// has reports whether the request has a place at a server.
func (k *requestConn) has(at *server.Server) bool { return k != nil && at != nil && k.at == at }

// claim takes over the place at a server that the caller has entered, if it can.
func (k *requestConn) claim(at *server.Server, class wpstore.CostClass) bool {
	if k == nil || k.at != nil || k.done {
		return false
	}
	k.at, k.class = at, class
	return true
}

// release gives connection and place back. Both may be taken again.
func (k *requestConn) release() {
	if k == nil || k.at == nil {
		return
	}
	k.close()
	k.at.Leave(k.class)
	k.at = nil
}

// close gives the connection back, for another one at the same place.
func (k *requestConn) close() {
	if k != nil && k.conn != nil {
		k.watch(nil)
		_ = k.conn.Close() // fails if the connection has died, and is closed already
		k.conn = nil
	}
}

// read runs do on the connection, and on another one if that has died before a row was
// passed on.
func (k *requestConn) read(ctx context.Context, at *server.Server, passed *bool, do reading) (err error) {
	if !k.has(at) {
		return do(ctx, at.Pool)
	}
	if k.conn != nil && k.generation != at.Generation() {
		k.close() // may lead to a former primary
	}
	if k.conn == nil {
		k.generation = at.Generation()
		if k.conn, err = at.Pool.Conn(ctx); err != nil {
			return err
		}
	}
	if err = do(ctx, k.conn); err == nil {
		return nil
	}
	k.close()
	if errors.Is(err, driver.ErrBadConn) && !*passed && ctx.Err() == nil {
		return do(ctx, at.Pool)
	}
	return err
}

// watch ends statements on a connection with the request; nil is none.
func (k *requestConn) watch(c *mysqlconn.Conn) {
	if k == nil || k.watching == c {
		return
	}
	if k.watching != nil {
		k.watching.Unwatch()
	}
	if k.watching = c; c != nil {
		c.Watch(k.ctx)
	}
}

// start makes the next statement take along those that follow it in its batch. They have no
// arguments.
func (k *requestConn) start(batch []string) {
	if k != nil {
		k.batch = batch
	}
}

// following returns the statements after this one, which the same batch has.
func (k *requestConn) following(text string) []string {
	if k == nil || len(k.batch) == 0 || k.batch[0] != text {
		return nil
	}
	return k.batch[1:]
}
