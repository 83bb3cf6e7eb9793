package sqlconn

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/guard"
	"calbridge/wpstore/sqlconn/mysqlconn"
)

const (
	// writeAttempts bounds how often a transaction is run after deadlocks and lock
	// waits, for about two seconds in all. Servers roll back the transaction with less
	// to undo: a statement that changes a whole table always wins.
	writeAttempts = 12
	// writePause is the longest pause before the second attempt; it doubles, up to
	// longestPause.
	writePause   = 20 * time.Millisecond
	longestPause = 500 * time.Millisecond
)

// Ended gets the outcome of COMMIT, and the GTID of the transaction: "" after an error, and
// where the server doesn't tell its clients.
type Ended func(gtid string, err error)

// Transact runs do inside of a transaction on the primary and commits it if do returns
// no error. After a conflict with another transaction it runs do again, from the start:
// after deadlocks, lock waits, rows that both have added, and [ErrConflict]. Only so many
// transactions of this process run at once that readers still find connections. Where an
// idle connection turns out to be dead, do runs again on another one. Errors match
// [wpstore.ErrUnavailable] where trying again later may help.
//
// The function that do returns, if any, gets the outcome of COMMIT before Transact
// returns, or later where the context ends first. After an error the transaction may
// have been committed.
func (r *Runner) Transact(ctx context.Context, do func(tx *Runner) (ended Ended, err error)) error {
	select {
	case r.servers.writers <- struct{}{}:
		defer func() { <-r.servers.writers }()
	case <-ctx.Done():
		return r.servers.Explain(ctx, "write.place", ctx.Err())
	}
	return r.TransactAhead(ctx, do)
}

// TransactAhead returns [Runner.Transact] without waiting for the transactions of other
// requests. It is for one caller at a time.
func (r *Runner) TransactAhead(ctx context.Context, do func(tx *Runner) (ended Ended, err error)) error {
	pause := writePause
	for attempt := 1; ; attempt++ {
		err := transactOnce(ctx, r, do)
		if errors.Is(err, mysqlconn.ErrNotBegun) && attempt == 1 && ctx.Err() == nil {
			continue // on a new connection: the idle ones were dropped
		}
		if err == nil || !errors.Is(err, ErrConflict) || attempt == writeAttempts {
			return err
		}
		select {
		case <-time.After(rand.N(pause)):
			pause = min(2*pause, longestPause)
		case <-ctx.Done():
			return err
		}
	}
}

func transactOnce(ctx context.Context, r *Runner, do func(*Runner) (Ended, error)) (err error) {
	s := r.servers
	r.conn.release()
	primary := s.primary
	if err := primary.Enter(ctx); err != nil {
		return s.Explain(ctx, "write.begin", err)
	}
	defer primary.Leave()
	defer func() {
		switch {
		case wrongServer(ctx, s.dialect, err):
			primary.Refused()
		case err == nil:
			primary.Written() // before the caller learns of it
		}
	}()
	var gtid string
	var options mysqlconn.Options
	options.Session, options.SessionAfter = s.dialect.ByKeys()
	if !s.dialect.Embedded() && s.dialect.LastGTID() {
		options.GTID = &gtid
	}
	begun, err := primary.Pool.BeginTx(mysqlconn.WithOptions(ctx, options), s.dialect.Isolation())
	if errors.Is(err, mysql.ErrInvalidConn) { // only the driver sends BEGIN alone
		err = fmt.Errorf("%w: %w", mysqlconn.ErrNotBegun, err)
	}
	if err != nil {
		return s.Explain(ctx, "write.begin", err)
	}
	done := false
	defer func() {
		if !done { // also when do panics
			_ = within(ctx, s.cfg.Guard, begun.Rollback) // if it fails, the connection is dropped
		}
	}()
	ended, err := do(&Runner{execution: execution{servers: s, depends: r.depends, queries: r.queries}, on: begun, written: map[string]bool{}})
	if err != nil {
		return err
	}
	done = true
	err = within(ctx, s.cfg.Guard, func() error {
		err := begun.Commit()
		if ended != nil {
			ended(gtid, err)
		}
		return err
	})
	if err != nil {
		return s.Explain(ctx, "write.commit", err)
	}
	return nil
}

// within runs do and returns its error, or when ctx ends: the driver gives COMMIT and
// ROLLBACK no deadline, and a server that hangs, or a cluster that has lost a node,
// delays them. Whether do has succeeded is then unknown.
func within(ctx context.Context, g *guard.Guard, do func() error) error {
	ended := make(chan error, 1)
	go func() { ended <- g.Do("ending a transaction", do) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
