package mirror

import (
	"context"
	"database/sql/driver"
	"errors"
	"sync/atomic"
)

var errKilled = errors.New("killed")

// killed is a driver that lets some writes through and then lets nothing reach the file, as
// after SIGKILL.
type killed struct {
	driver.Connector
	left   atomic.Int64
	commit bool   // whether the last write takes place
	died   func() // ends the rest of the process
}

// dead reports whether the process would have died by now.
func (k *killed) dead() bool {
	if k.left.Add(-1) >= 0 {
		return false
	}
	k.died()
	return true
}

// Connect implements driver.Connector.
func (k *killed) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := k.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &killedConn{c.(sqliteConn), k}, nil
}

// sqliteConn is the part of a connection of the embedded engine that database/sql uses.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ExecerContext
	driver.QueryerContext
}

type killedConn struct {
	sqliteConn
	of *killed
}

// ExecContext implements driver.ExecerContext.
func (c *killedConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if c.of.dead() {
		return nil, errKilled
	}
	return c.sqliteConn.ExecContext(ctx, query, args)
}

// BeginTx implements driver.ConnBeginTx.
func (c *killedConn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	tx, err := c.sqliteConn.BeginTx(ctx, o)
	if err != nil {
		return nil, err
	}
	return &killedTx{tx, c.of}, nil
}

type killedTx struct {
	driver.Tx
	of *killed
}

// Commit implements driver.Tx.
func (t *killedTx) Commit() error {
	if !t.of.dead() {
		return t.Tx.Commit()
	}
	if t.of.commit {
		return errors.Join(t.Tx.Commit(), errKilled)
	}
	return errors.Join(t.Tx.Rollback(), errKilled)
}
