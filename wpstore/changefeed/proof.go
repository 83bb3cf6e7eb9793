package changefeed

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"calbridge/wpstore/binlog"
)

// proofTimeout is how long a request waits for the feed before it is answered
// without.
const proofTimeout = 50 * time.Millisecond

// errBehindServer means that it is not known what has changed.
var errBehindServer = errors.New("the binary log has not been followed up to now")

// CaughtUp returns when the ledger has been told of everything that was committed
// before the call: what it calls fresh then is no older than the call. On MariaDB
// that is all that anybody could read before; on MySQL, and of tables without
// transactions, what was confirmed to whoever wrote it. It takes one query, which
// calls at the same time share, and waits for the binary log, 50 milliseconds at
// most. After an error nothing is known.
func (f *Feed) CaughtUp(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, proofTimeout)
	defer cancel()
	if !f.progress.following() {
		return errBehindServer
	}
	q := f.questions.join()
	select {
	case <-q.done:
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", errBehindServer, ctx.Err())
	}
	if q.err != nil {
		return q.err
	}
	return f.progress.wait(ctx, q.position)
}

// question asks the server once for its position, on behalf of all who arrived
// before it was sent.
type question struct {
	done     chan struct{}
	position binlog.Position
	err      error
}

// questions collects who asks for the server's position. It is safe for concurrent
// use.
type questions struct {
	mu    sync.Mutex
	next  *question
	asked chan struct{} // there is a next question
}

func newQuestions() *questions { return &questions{asked: make(chan struct{}, 1)} }

// join joins the next question. One that has been sent may have been answered before
// the caller arrived.
func (s *questions) join() *question {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next == nil {
		s.next = &question{done: make(chan struct{})}
		select {
		case s.asked <- struct{}{}:
		default:
		}
	}
	return s.next
}

// take takes the next question: who comes now joins another.
func (s *questions) take() *question {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := s.next
	s.next = nil
	return q
}

// answer sends the questions, one at a time, until the context ends or the server is
// not the primary any more.
func (s *questions) answer(ctx context.Context, position func(context.Context) (binlog.Position, error)) error {
	defer func() {
		if q := s.take(); q != nil {
			q.err = errBehindServer
			close(q.done)
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.asked:
		}
		if q := s.take(); q != nil {
			q.position, q.err = position(ctx)
			close(q.done)
			if errors.Is(q.err, errMoved) {
				return errMoved
			}
		}
	}
}
