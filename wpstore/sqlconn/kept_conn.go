package sqlconn

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
)

// keptConn is the connection that the reads of one request share: the pool asks the
// system with each that it gives out whether it is still alive. The zero value, which is empty, is ready for use by one
// goroutine at a time; nil is good for nothing and may be asked for all of it.
type keptConn struct {
	at   *server   // whose place is taken, nil for none
	conn *sql.Conn // nil until a statement needs it
	over bool      // nothing is kept any more
	// plan are the statements that come next, nil where that is not known.
	plan []string
	// moves are the server's when the connection was asked for.
	moves int64
}

// has says whether a place at a server is taken already.
func (k *keptConn) has(at *server) bool { return k != nil && at != nil && k.at == at }

// keep takes over the place at a server that the caller has entered, if it can.
func (k *keptConn) keep(at *server) bool {
	if k == nil || k.at != nil || k.over {
		return false
	}
	k.at = at
	return true
}

// release gives connection and place back. Both may be taken again.
func (k *keptConn) release() {
	if k == nil || k.at == nil {
		return
	}
	k.close()
	k.at.leave()
	k.at = nil
}

// close gives the connection back, whoever then takes another one at the place.
func (k *keptConn) close() {
	if k != nil && k.conn != nil {
		_ = k.conn.Close() // fails where it has died, and is closed already
		k.conn = nil
	}
}

// read has a statement read on the connection, and on another one where that has
// died, unless a row was given away.
func (k *keptConn) read(ctx context.Context, at *server, given *bool, do reading) (err error) {
	if !k.has(at) {
		return do(ctx, at.pool)
	}
	if k.conn != nil && k.moves != at.moves.Load() {
		k.close() // the address leads to another server since
	}
	if k.conn == nil {
		k.moves = at.moves.Load()
		if k.conn, err = at.pool.Conn(ctx); err != nil {
			return err
		}
	}
	if err = do(ctx, k.conn); err == nil {
		return nil
	}
	k.close()
	if errors.Is(err, driver.ErrBadConn) && !*given && ctx.Err() == nil {
		return do(ctx, at.pool)
	}
	return err
}

// announce says which statements come next, so that they can be sent together.
func (k *keptConn) announce(statements ...Statement) {
	if k == nil {
		return
	}
	k.plan = k.plan[:0]
	for _, s := range statements {
		if len(s.Args) > 0 {
			k.plan = nil
			return
		}
		k.plan = append(k.plan, s.Text)
	}
}

// next returns what was announced to come after a statement.
func (k *keptConn) next(text string) []string {
	if k == nil || len(k.plan) == 0 || k.plan[0] != text {
		return nil
	}
	return k.plan[1:]
}
