package sqlconn

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore"
	"calbridge/wpstore/guard"
	"calbridge/wpstore/sqlconn/mysqlconn"
	"calbridge/wpstore/sqlconn/server"
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
	primary := r.servers.primary
	if err := primary.Admit(ctx, wpstore.CostWrite); err != nil {
		return r.servers.Explain(ctx, "write.place", err)
	}
	defer primary.Dismiss(wpstore.CostWrite)
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
	if err := primary.Connect(ctx, wpstore.CostWrite); err != nil {
		return s.Explain(ctx, "write.begin", err)
	}
	defer primary.Disconnect()
	defer func() {
		switch {
		case lostDatabase(s.dialect, err):
			primary.Reconnect()
		case wrongServer(ctx, s.dialect, err):
			primary.Refused()
		case err == nil:
			primary.Written() // before the caller learns of it
		}
	}()
	var gtid string
	begun, err := begin(ctx, s, &gtid)
	if errors.Is(err, mysql.ErrInvalidConn) { // only the driver sends BEGIN alone
		err = fmt.Errorf("%w: %w", mysqlconn.ErrNotBegun, err)
	}
	if err != nil {
		return s.Explain(ctx, "write.begin", err)
	}
	done := false
	defer func() {
		if !done { // also when do panics
			_ = within(ctx, s.cfg.Guard, begun.rollback) // if it fails, the connection is dropped
		}
	}()
	ended, err := do(&Runner{execution: execution{servers: s, depends: r.depends, queries: r.queries}, on: begun.on, tx: begun.tx, written: map[string]bool{}})
	if err != nil {
		return err
	}
	done = true
	err = within(ctx, s.cfg.Guard, func() error {
		err := begun.commit()
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

// openTransaction is one on a connection of its own. commit or rollback is called once, and
// gives the connection back.
type openTransaction struct {
	on               server.Querier
	tx               *mysqlconn.Transaction // nil where the driver alone sends statements
	commit, rollback func() error
}

// begin begins a transaction on the primary. Its GTID is stored after COMMIT where the server
// tells it.
func begin(ctx context.Context, s *Servers, gtid *string) (*openTransaction, error) {
	pool, isolation := s.primary.Pool, s.dialect.Isolation()
	if !s.dialect.Embedded() {
		options := mysqlconn.Options{Isolation: isolation.Isolation}
		options.Session, options.SessionAfter = s.dialect.ByKeys()
		if s.dialect.LastGTID() {
			options.GTID = gtid
		}
		if begun, err := beginPastDriver(ctx, pool, options); begun != nil || err != nil {
			return begun, err
		}
	}
	tx, err := pool.BeginTx(ctx, isolation)
	if err != nil {
		return nil, err
	}
	return &openTransaction{tx, nil, tx.Commit, tx.Rollback}, nil
}

// beginPastDriver begins a transaction past the driver. It returns nil where the driver alone
// sends statements.
func beginPastDriver(ctx context.Context, pool *sql.DB, options mysqlconn.Options) (*openTransaction, error) {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	var t *mysqlconn.Transaction
	err = conn.Raw(func(raw any) error {
		t = raw.(*mysqlconn.Conn).StartTransaction(options)
		return nil
	})
	if err != nil || t == nil {
		return nil, errors.Join(err, conn.Close())
	}
	end := func(how func() error) func() error {
		return func() error {
			defer conn.Close() // fails if the connection has died, and is closed already
			return how()
		}
	}
	return &openTransaction{transactionConn{conn}, t, end(t.Commit), end(t.Rollback)}, nil
}

// transactionConn is a connection on which a mysqlconn.Transaction is open.
type transactionConn struct{ *sql.Conn }

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
