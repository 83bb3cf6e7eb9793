package webhook

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"
)

const (
	// readers is the number of lists that are read at once.
	readers = 4
	// shareAge is the longest time for which targets share a response. A list may change by time alone.
	shareAge = 10 * time.Second
)

// lists reads lists of events of one calendar. Targets that send the same query share a response until something changes.
// It is safe for concurrent use.
type lists struct {
	calendar Calendar
	now      func() time.Time
	reading  chan struct{} // taken while a list of any calendar is read

	mu     sync.Mutex
	moved  <-chan struct{}      // of the responses
	shared map[string]*response // by query
}

// response is a response of events/changes.
type response struct {
	began time.Time
	done  chan struct{} // closed when the fields below are set

	status int
	body   []byte
	page   *page // nil unless status is 200
	err    error
}

func newLists(c Calendar, now func() time.Time, reading chan struct{}) *lists {
	return &lists{calendar: c, now: now, reading: reading, shared: map[string]*response{}}
}

// read returns the response to a query, and a channel that is closed when something has changed since. The
// channel is nil if that can't be known.
func (l *lists) read(ctx context.Context, query string) (*response, <-chan struct{}) {
	r, moved, first := l.response(query)
	if first {
		l.fetch(ctx, query, r)
	}
	select {
	case <-r.done:
		return r, moved
	case <-ctx.Done():
		return &response{err: ctx.Err()}, moved
	}
}

// response returns the shared response to a query. first reports that the caller has to fetch it.
func (l *lists) response(query string) (r *response, moved <-chan struct{}, first bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if moved := l.calendar.Moved(); moved != l.moved { // before reading, so that nothing is missed
		l.moved = moved
		clear(l.shared)
	}
	now := l.now()
	for query, r := range l.shared {
		if now.Sub(r.began) > shareAge || r.failed() {
			delete(l.shared, query)
		}
	}
	r = l.shared[query]
	if r == nil {
		r, first = &response{began: now, done: make(chan struct{})}, true
		l.shared[query] = r
	}
	return r, l.moved, first
}

// failed reports whether a response is complete and has no page. The next target tries again.
func (r *response) failed() bool {
	select {
	case <-r.done:
		return r.page == nil
	default:
		return false
	}
}

// fetch reads a response.
func (l *lists) fetch(ctx context.Context, query string, r *response) {
	r.err = errors.New("reading the list of events panicked") // unless it returns
	defer close(r.done)
	select {
	case l.reading <- struct{}{}:
	case <-ctx.Done():
		r.err = ctx.Err()
		return
	}
	defer func() { <-l.reading }()
	r.status, r.body, r.err = l.calendar.Changes(ctx, query)
	if r.err == nil && r.status == http.StatusOK {
		r.page, r.err = parsePage(r.body)
	}
}
