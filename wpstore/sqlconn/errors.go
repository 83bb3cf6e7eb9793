package sqlconn

import (
	"context"
	"errors"
	"fmt"

	"calbridge/wpstore"
	"calbridge/wpstore/sqlconn/dialect"
	"calbridge/wpstore/sqlconn/server"
)

// ErrConflict matches conflicts with another transaction, such as deadlocks and lock
// waits. [Runner.Transact] runs the transaction again.
var ErrConflict = errors.New("another transaction is in the way")

// explain wraps an error of a statement with its name and kind. The context is
// the one the statement ran under.
func explain(ctx context.Context, d dialect.Dialect, name string, err error) error {
	switch {
	case errors.Is(ctx.Err(), context.Canceled): // the client has gone
		return fmt.Errorf("query %s: %w: %w", name, context.Canceled, err)
	case ctx.Err() != nil || server.Lost(err) || crowded(err):
		return fmt.Errorf("query %s: %w: %w", name, wpstore.ErrUnavailable, err)
	}
	switch d.Classify(err) {
	case dialect.Conflict:
		return fmt.Errorf("query %s: %w: %w: %w", name, wpstore.ErrUnavailable, ErrConflict, err)
	case dialect.Unavailable, dialect.Node, dialect.NoDatabase:
		return fmt.Errorf("query %s: %w: %w", name, wpstore.ErrUnavailable, err)
	case dialect.Schema:
		return fmt.Errorf("query %s: %w; check the table prefix and the blog id: %w", name, wpstore.ErrSchema, err)
	case dialect.Privilege:
		return fmt.Errorf("query %s: the database user lacks a privilege; the check command prints the GRANT statements to run: %w", name, err)
	}
	return fmt.Errorf("query %s: %w", name, err)
}

// crowded reports whether a statement was never sent, because no connection became free in time.
func crowded(err error) bool {
	_, crowded := wpstore.Crowded(err)
	return crowded
}

// lostDatabase reports whether a statement has failed because the database of its connection was
// dropped. No other connection that was made before has one either.
func lostDatabase(d dialect.Dialect, err error) bool {
	return err != nil && d.Classify(err) == dialect.NoDatabase
}

// wrongServer says of a statement's error that other connections of the same pool are
// likely to fail too: the server has gone, hangs, or refuses to write, which the driver
// reports as a bad connection.
func wrongServer(ctx context.Context, d dialect.Dialect, err error) bool {
	if err == nil || errors.Is(ctx.Err(), context.Canceled) {
		return false
	}
	return server.Lost(err) || d.Classify(err) == dialect.Node
}
