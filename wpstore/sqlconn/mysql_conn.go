package sqlconn

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/go-sql-driver/mysql"
)

// The driver ends a query whose context ends with a goroutine of each connection,
// which it wakes at the beginning and at the end of each query: that takes longer
// than the rest of a small one. Here the reading of the answer is interrupted
// instead, which costs nothing as long as nobody does.

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

// mysqlConn is a connection of the driver with the network below it.
type mysqlConn struct {
	driverConn
	wire *wire
	text *textReader // nil where the driver encrypts or compresses
	// broken: reading past the driver has failed in the middle of a result.
	broken bool
	// moves counts how often the server's role has moved, nil where nobody counts, and
	// made is the count when the connection was made.
	moves *atomic.Int64
	made  int64
}

// outdated says whether the connection may lead to the server that had the role
// before.
func (c *mysqlConn) outdated() bool { return c.moves != nil && c.moves.Load() != c.made }

// IsValid implements driver.Validator: whether the pool takes the connection back.
func (c *mysqlConn) IsValid() bool {
	return !c.broken && !c.outdated() && (c.text == nil || len(c.text.sent) == 0) && c.driverConn.IsValid()
}

// ResetSession implements driver.SessionResetter: whether the pool gives it out again.
func (c *mysqlConn) ResetSession(ctx context.Context) error {
	if c.outdated() {
		return driver.ErrBadConn
	}
	return c.driverConn.ResetSession(ctx)
}

// readText runs a statement without the driver. Whatever goes wrong on the way counts
// as a dead connection: nothing was given away yet, so that another one may be asked.
func (c *mysqlConn) readText(text string, next []string, b *rowBuffer) error {
	return c.judge(c.text.query(text, next, b))
}

// drain leaves nothing unread before the driver is used.
func (c *mysqlConn) drain() error {
	if c.text == nil {
		return nil
	}
	return c.judge(c.text.drain())
}

func (c *mysqlConn) judge(err error) error {
	var told *mysql.MySQLError
	if err == nil || errors.As(err, &told) {
		return err
	}
	c.broken = true
	return fmt.Errorf("%w: %w", driver.ErrBadConn, err)
}

// until runs queries that end when ctx does. The connection is of no use afterwards
// if it has: the error then matches driver.ErrBadConn.
func (c *mysqlConn) until(ctx context.Context, query func(context.Context) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, c.wire.interrupt)
	err := query(context.Background())
	if !stop() {
		return errors.Join(ctx.Err(), driver.ErrBadConn)
	}
	return err
}

// connect opens a connection of the driver that can be interrupted, unless the driver
// has a way of its own to the server. plain says that the driver sends what it is
// given as it is.
func connect(ctx context.Context, cfg *mysql.Config, plain bool) (driver.Conn, error) {
	w := &wire{}
	if cfg.DialFunc == nil && (cfg.Net == "tcp" || cfg.Net == "unix") {
		cfg = cfg.Clone()
		cfg.DialFunc = w.dial
	}
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		return nil, err
	}
	conn, err := connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	if able, ok := conn.(driverConn); ok && w.Conn != nil {
		c := &mysqlConn{driverConn: able, wire: w}
		if plain {
			c.text = newTextReader(w)
		}
		return c, nil
	}
	return conn, nil
}
