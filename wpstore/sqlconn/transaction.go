package sqlconn

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

const (
	// writeAttempts bounds how often a transaction is run after deadlocks and lock
	// waits. Against a statement that changes a whole table this program always
	// loses, having less to undo, so it tries for about two seconds.
	writeAttempts = 12
	// writePause is the longest pause before the second attempt; it doubles, up to
	// longestPause.
	writePause   = 20 * time.Millisecond
	longestPause = 500 * time.Millisecond
)

// Transact runs do inside of a transaction on the primary and commits it if do returns
// no error. It runs do again, from the start, when another transaction was in the way.
// Writers of this process take turns: they wait before they take a connection, so that
// readers still find some. Errors match [wpstore.ErrUnavailable] where trying again
// later may help.
//
// The function that do returns, if any, is called with the outcome of COMMIT before
// Transact returns, or later where the context ends first. After an error it is not
// known whether the transaction was committed.
func (r *Runner) Transact(ctx context.Context, do func(tx *Runner) (ended func(error), err error)) error {
	select {
	case r.servers.writers <- struct{}{}:
		defer func() { <-r.servers.writers }()
	case <-ctx.Done():
		return r.servers.Explain(ctx, "write.turn", ctx.Err())
	}
	pause := writePause
	for attempt := 1; ; attempt++ {
		err := transactOnce(ctx, r, do)
		if err == nil || !errors.Is(err, errConflict) || attempt == writeAttempts {
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

func transactOnce(ctx context.Context, r *Runner, do func(*Runner) (func(error), error)) (err error) {
	s := r.servers
	r.kept.release()
	primary := s.cluster.leader()
	if err := primary.enter(ctx); err != nil {
		return s.Explain(ctx, "write.begin", err)
	}
	defer primary.leave()
	defer func() {
		switch {
		case leadsNowhere(ctx, s.dialect, err):
			primary.refused.Store(true)
			primary.dropIdle()
		case err == nil && primary.refused.CompareAndSwap(true, false):
			primary.moved() // before anybody hears that it was written
		}
	}()
	begun, err := primary.pool.BeginTx(ctx, s.dialect.isolation())
	if err != nil {
		return s.Explain(ctx, "write.begin", err)
	}
	done := false
	defer func() {
		if !done { // also when do panics
			_ = within(ctx, begun.Rollback) // the connection is given up if that fails
		}
	}()
	ended, err := do(&Runner{servers: s, depends: r.depends, queries: r.queries, on: begun, written: map[string]bool{}})
	if err != nil {
		return err
	}
	done = true
	err = within(ctx, func() error {
		err := begun.Commit()
		if ended != nil {
			ended(err)
		}
		return err
	})
	if err != nil {
		return s.Explain(ctx, "write.commit", err)
	}
	return nil
}

// within runs do and returns what it returns, or when ctx ends: COMMIT and ROLLBACK
// know no deadline of their own, and a server that hangs, or a cluster that has
// lost a node, holds them up. Whether do has succeeded is then not known.
func within(ctx context.Context, do func() error) error {
	ended := make(chan error, 1)
	go func() { ended <- do() }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
