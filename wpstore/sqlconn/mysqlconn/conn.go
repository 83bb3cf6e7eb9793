package mysqlconn

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/guard"
	"calbridge/wpstore/mysqlwire"
)

// driverConn is what the driver's connections can do.
type driverConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.NamedValueChecker
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// Conn is a connection of the driver with the network below it.
type Conn struct {
	driverConn
	wire *wire
	text *textReader // nil where the driver alone reads and sends
	// broken: reading past the driver has failed in the middle of a result.
	broken bool
	// running is the transaction; nil if there is none, or the driver has begun it.
	running *Transaction
	// level is the session's level of isolation as a transaction has set it, "" where that is
	// unknown.
	level string
	// answerTimeout bounds the wait for an answer that has no context.
	answerTimeout time.Duration
	// generation is the server's, made its value when the connection was made.
	generation *atomic.Int64
	made       int64
	// watched is the context that interrupts the connection until stop is called, nil for none.
	watched context.Context
	stop    func() bool
}

// connect opens a connection of the driver. generation is read before: an address that
// moves meanwhile makes the connection outdated.
func connect(ctx context.Context, cfg *mysql.Config, generation *atomic.Int64, driverOnly bool, g *guard.Guard) (*Conn, error) {
	c := &Conn{generation: generation, made: generation.Load(), answerTimeout: cfg.ReadTimeout}
	conn, err := (&net.Dialer{Timeout: cfg.Timeout}).DialContext(ctx, cfg.Net, cfg.Addr)
	if err != nil {
		return nil, err
	}
	c.wire = &wire{Conn: conn}
	logged, stream, err := mysqlwire.Login(ctx, c.wire, cfg, g)
	if err != nil {
		conn.Close()
		return nil, err
	}
	c.driverConn = logged.(driverConn)
	if !driverOnly {
		c.text = newTextReader(c.wire, stream)
	}
	return c, nil
}

// outdated reports whether the connection may lead to a former primary.
func (c *Conn) outdated() bool { return c.generation.Load() != c.made }

// IsValid implements driver.Validator: whether the pool takes the connection back.
func (c *Conn) IsValid() bool {
	return !c.broken && !c.outdated() && (c.text == nil || len(c.text.sent) == 0) && c.driverConn.IsValid()
}

// ResetSession implements driver.SessionResetter: whether the pool hands it out again.
func (c *Conn) ResetSession(ctx context.Context) error {
	if c.outdated() {
		return driver.ErrBadConn
	}
	return c.driverConn.ResetSession(ctx)
}

// PastDriver reports whether statements without arguments can be run past the driver.
func (c *Conn) PastDriver() bool { return c.text != nil }

// ReadText runs a statement past the driver, and adds its rows to b. next are the statements
// to send along. Where the driver alone reads, it must not be called.
func (c *Conn) ReadText(ctx context.Context, text string, next []string, b *Buffer) error {
	if c.watched == nil || c.watched != ctx {
		return c.until(ctx, func() error { return c.judge(c.text.query(text, next, b)) })
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	err := c.judge(c.text.query(text, next, b))
	if ended := ctx.Err(); ended != nil {
		return errors.Join(ended, driver.ErrBadConn)
	}
	return err
}

// Watch lets a context interrupt the connection until Unwatch is called. For the statements
// of a request it is called once: it takes longer than parsing a small result.
func (c *Conn) Watch(ctx context.Context) {
	c.watched, c.stop = ctx, context.AfterFunc(ctx, c.wire.interrupt)
}

// Unwatch ends Watch. Where the context has ended, the connection is unusable.
func (c *Conn) Unwatch() {
	if !c.stop() {
		c.broken = true
	}
	c.watched, c.stop = nil, nil
}

// QueryContext implements driver.QueryerContext. The results of a batch that were not read must
// not reach the driver.
func (c *Conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if c.running != nil {
		return c.running.query(ctx, query, args)
	}
	if c.text != nil && len(c.text.sent) > 0 {
		return nil, c.judge(errUnread)
	}
	return c.driverConn.QueryContext(ctx, query, args)
}

// ExecContext implements driver.ExecerContext.
func (c *Conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if c.running != nil {
		return c.running.exec(ctx, query, args)
	}
	if c.text != nil && len(c.text.sent) > 0 {
		return nil, c.judge(errUnread)
	}
	return c.driverConn.ExecContext(ctx, query, args)
}

// judge makes every error but the server's that of a dead connection. No row was passed
// on yet, so that the statement can run on another one.
func (c *Conn) judge(err error) error {
	if err == nil {
		return nil
	}
	var serverErr *mysql.MySQLError
	if errors.As(err, &serverErr) {
		if readOnlyError(err) {
			c.broken = true
		}
		return err
	}
	c.broken = true
	return fmt.Errorf("%w: %w", driver.ErrBadConn, err)
}

// until runs a query past the driver that ends with ctx. If ctx has ended, the error
// matches driver.ErrBadConn, and the connection is unusable.
//
// The driver would wake a goroutine of the connection at the beginning and at the end
// of each query, which takes longer than the rest of a small one. Interrupting the
// network costs nothing unless it happens.
func (c *Conn) until(ctx context.Context, query func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, c.wire.interrupt)
	err := query()
	if !stop() {
		return errors.Join(ctx.Err(), driver.ErrBadConn)
	}
	return err
}
