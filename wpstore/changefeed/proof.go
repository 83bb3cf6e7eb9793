package changefeed

import (
	"context"
	"errors"
	"sync"

	"calbridge/wpstore/binlog"
)

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
