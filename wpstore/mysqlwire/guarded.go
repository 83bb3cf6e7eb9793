package mysqlwire

import (
	"context"
	"database/sql/driver"
	"fmt"
	"net"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/guard"
)

// driverConn holds the methods of the driver's connections.
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

// driverTask is the name of the driver's work in logs and metrics.
const driverTask = "reading from the database"

// guarded is a connection of the driver that survives packets at which the driver panics.
// An example is a length in a description of a column that is longer than the packet.
// Without it database/sql would never get such a connection back, and its pool would shrink
// with each panic. Instead the call fails with [mysql.ErrInvalidConn], and the connection
// is closed.
type guarded struct {
	driverConn
	net    net.Conn
	guard  *guard.Guard
	broken bool
}

// mend turns a panic of the driver into an error. It must be deferred.
func (c *guarded) mend(err *error) {
	caught := c.guard.Caught(driverTask, recover())
	if caught == nil {
		return
	}
	*err = fmt.Errorf("%w: %v", mysql.ErrInvalidConn, caught)
	if c.broken {
		return
	}
	c.broken = true
	_ = c.net.Close()                // first, since the driver sends COM_QUIT to a server that may not read
	defer func() { _ = recover() }() // after the panic the state may be inconsistent
	_ = c.driverConn.Close()         // ends the goroutine of the connection
}

// IsValid implements driver.Validator.
func (c *guarded) IsValid() bool { return !c.broken && c.driverConn.IsValid() }

// Close implements driver.Conn.
func (c *guarded) Close() (err error) {
	if c.broken {
		return nil
	}
	defer c.mend(&err)
	return c.driverConn.Close()
}

// ResetSession implements driver.SessionResetter.
func (c *guarded) ResetSession(ctx context.Context) (err error) {
	if c.broken {
		return driver.ErrBadConn
	}
	defer c.mend(&err)
	return c.driverConn.ResetSession(ctx)
}

// Ping implements driver.Pinger.
func (c *guarded) Ping(ctx context.Context) (err error) {
	defer c.mend(&err)
	return c.driverConn.Ping(ctx)
}

// QueryContext implements driver.QueryerContext.
func (c *guarded) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (rows driver.Rows, err error) {
	defer c.mend(&err)
	return c.rows(c.driverConn.QueryContext(ctx, query, args))
}

// ExecContext implements driver.ExecerContext.
func (c *guarded) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (result driver.Result, err error) {
	defer c.mend(&err)
	return c.driverConn.ExecContext(ctx, query, args)
}

// Prepare implements driver.Conn.
func (c *guarded) Prepare(query string) (driver.Stmt, error) {
	return c.PrepareContext(context.Background(), query)
}

// PrepareContext implements driver.ConnPrepareContext.
func (c *guarded) PrepareContext(ctx context.Context, query string) (statement driver.Stmt, err error) {
	defer c.mend(&err)
	s, err := c.driverConn.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	return &guardedStatement{s.(driverStatement), c}, nil
}

// BeginTx implements driver.ConnBeginTx.
func (c *guarded) BeginTx(ctx context.Context, opts driver.TxOptions) (tx driver.Tx, err error) {
	defer c.mend(&err)
	begun, err := c.driverConn.BeginTx(ctx, opts)
	if err != nil {
		return nil, err
	}
	return &guardedTx{begun, c}, nil
}

// rows returns a guarded result.
func (c *guarded) rows(rows driver.Rows, err error) (driver.Rows, error) {
	if err != nil {
		return nil, err
	}
	return &guardedRows{rows, c}, nil
}

// guardedRows is a result of a guarded connection.
type guardedRows struct {
	driver.Rows
	of *guarded
}

// Next implements driver.Rows.
func (r *guardedRows) Next(row []driver.Value) (err error) {
	defer r.of.mend(&err)
	return r.Rows.Next(row)
}

// Close implements driver.Rows.
func (r *guardedRows) Close() (err error) {
	if r.of.broken {
		return nil
	}
	defer r.of.mend(&err)
	return r.Rows.Close()
}

// driverStatement holds the methods of the driver's prepared statements.
type driverStatement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
	driver.NamedValueChecker
}

// guardedStatement is a prepared statement of a guarded connection.
type guardedStatement struct {
	driverStatement
	of *guarded
}

// QueryContext implements driver.StmtQueryContext.
func (s *guardedStatement) QueryContext(ctx context.Context, args []driver.NamedValue) (rows driver.Rows, err error) {
	defer s.of.mend(&err)
	return s.of.rows(s.driverStatement.QueryContext(ctx, args))
}

// ExecContext implements driver.StmtExecContext.
func (s *guardedStatement) ExecContext(ctx context.Context, args []driver.NamedValue) (result driver.Result, err error) {
	defer s.of.mend(&err)
	return s.driverStatement.ExecContext(ctx, args)
}

// Close implements driver.Stmt.
func (s *guardedStatement) Close() (err error) {
	if s.of.broken {
		return nil
	}
	defer s.of.mend(&err)
	return s.driverStatement.Close()
}

// guardedTx is a transaction of a guarded connection.
type guardedTx struct {
	driver.Tx
	of *guarded
}

// Commit implements driver.Tx.
func (t *guardedTx) Commit() (err error) {
	defer t.of.mend(&err)
	return t.Tx.Commit()
}

// Rollback implements driver.Tx.
func (t *guardedTx) Rollback() (err error) {
	defer t.of.mend(&err)
	return t.Tx.Rollback()
}
