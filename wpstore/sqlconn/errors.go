package sqlconn

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"

	"calbridge/wpstore"
)

// ErrConflict matches conflicts with another transaction, such as deadlocks and lock
// waits. [Runner.Transact] runs the transaction again.
var ErrConflict = errors.New("another transaction is in the way")

// errCrowded matches [wpstore.ErrUnavailable]: no connection became free in time.
var errCrowded = errors.New("all connections are in use")

// explain wraps an error of a statement with its name and kind. The context is
// the one the statement ran under.
func explain(ctx context.Context, d Dialect, name string, err error) error {
	switch {
	case errors.Is(ctx.Err(), context.Canceled): // the client has gone
		return fmt.Errorf("query %s: %w: %w", name, context.Canceled, err)
	case ctx.Err() != nil || lostConnection(err) || errors.Is(err, errCrowded):
		return fmt.Errorf("query %s: %w: %w", name, wpstore.ErrUnavailable, err)
	}
	switch d.classify(err) {
	case failureConflict:
		return fmt.Errorf("query %s: %w: %w: %w", name, wpstore.ErrUnavailable, ErrConflict, err)
	case failureUnavailable, failureNode:
		return fmt.Errorf("query %s: %w: %w", name, wpstore.ErrUnavailable, err)
	case failureSchema:
		return fmt.Errorf("query %s: %w; check the table prefix and the blog id: %w", name, wpstore.ErrSchema, err)
	case failurePrivilege:
		return fmt.Errorf("query %s: the database user lacks a privilege; the check command prints the GRANT statements to run: %w", name, err)
	}
	return fmt.Errorf("query %s: %w", name, err)
}

// lostConnection recognises the errors of database/sql and the network for a
// connection that has failed.
func lostConnection(err error) bool {
	var network net.Error
	return errors.As(err, &network) ||
		errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, context.DeadlineExceeded)
}

// wrongServer says of a statement's error that other connections of the same pool are
// likely to fail too: the server has gone, hangs, or refuses to write, which the driver
// reports as a bad connection.
func wrongServer(ctx context.Context, d Dialect, err error) bool {
	if err == nil || errors.Is(ctx.Err(), context.Canceled) {
		return false
	}
	return lostConnection(err) || d.classify(err) == failureNode
}
