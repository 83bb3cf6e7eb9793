package sitedb

import (
	"context"
	"errors"
	"fmt"
	"time"

	"calbridge/wpstore/binlog"
)

// caughtUpTimeout is how long a request waits for the feed before it is answered
// without.
const caughtUpTimeout = 50 * time.Millisecond

// errBehindServer means that it is not known what has changed.
var errBehindServer = errors.New("the binary log has not been followed up to now")

// question asks the server once for its position, on behalf of all who arrived
// before it was sent.
type question struct {
	done     chan struct{}
	position binlog.Position
	err      error
}

// CaughtUp returns when the ledger has been told of everything that was committed
// before the call: what it calls fresh then is no older than the call. On MariaDB
// that is all that anybody could read before; on MySQL, and of tables without
// transactions, what was confirmed to whoever wrote it. It takes one query, which
// calls at the same time share, and waits for the binary log, 50 milliseconds at
// most. After an error nothing is known.
func (db *DB) CaughtUp(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, caughtUpTimeout)
	defer cancel()
	q, err := db.feed.ask()
	if err != nil {
		return err
	}
	select {
	case <-q.done:
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", errBehindServer, ctx.Err())
	}
	if q.err != nil {
		return q.err
	}
	return db.feed.wait(ctx, q.position)
}

// ask joins the next question. One that has been sent may have been answered before
// the caller arrived.
func (f *feed) ask() (*question, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.applied == nil {
		return nil, errBehindServer
	}
	if f.next == nil {
		f.next = &question{done: make(chan struct{})}
		select {
		case f.asked <- struct{}{}:
		default:
		}
	}
	return f.next, nil
}

// answer sends the questions, one at a time.
func (f *feed) answer(ctx context.Context) error {
	defer func() {
		if q := f.question(); q != nil {
			q.err = errBehindServer
			close(q.done)
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-f.asked:
		}
		if q := f.question(); q != nil {
			q.position, q.err = f.primaryPosition(ctx)
			close(q.done)
			if errors.Is(q.err, errMoved) {
				return errMoved
			}
		}
	}
}

// question takes the next question: who comes now joins another.
func (f *feed) question() *question {
	f.mu.Lock()
	defer f.mu.Unlock()
	q := f.next
	f.next = nil
	return q
}

// wait waits until a position has been applied.
func (f *feed) wait(ctx context.Context, position binlog.Position) error {
	for {
		f.mu.Lock()
		applied, moved := f.applied, f.moved
		f.mu.Unlock()
		switch {
		case applied == nil:
			return errBehindServer
		case applied.Contains(position):
			return nil
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", errBehindServer, ctx.Err())
		}
	}
}
