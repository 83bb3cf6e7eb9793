package journal

import (
	"context"
	"encoding"
	"sync"
	"time"

	"calbridge/wpstore/invalidation"
)

// maxQueued bounds how many tags wait to be recorded; with more, everything counts as changed.
const maxQueued = 1 << 16

// report is what the change feed has reported and is not recorded yet.
type report struct {
	tags       map[invalidation.Tag]bool
	missed     bool // changes before it, so everything has to be read
	lost       bool // the file is damaged
	everything bool
	number     uint64    // of the last call in it
	at         time.Time // of the first one
	// mark is where in the log this ends, nil if the log has nothing of it.
	mark encoding.TextMarshaler
}

func newReport() *report { return &report{tags: map[invalidation.Tag]bool{}} }

// queue collects what is reported until it is recorded.
type queue struct {
	now    func() time.Time
	signal chan struct{} // has an element when there may be something to record
	ended  chan struct{} // closed once nothing is recorded any more

	mu             sync.Mutex
	pending        *report
	reported, done uint64 // numbers of calls
	next           *Move
	// broken is why nothing can be recorded, because of the state folder; nil while it can.
	// breaks is closed while it isn't nil.
	broken error
	breaks chan struct{}
}

func newQueue(now func() time.Time) *queue {
	return &queue{now: now, signal: make(chan struct{}, 1), ended: make(chan struct{}), breaks: make(chan struct{}), pending: newReport(), next: newMove()}
}

func (q *queue) begin(missed bool, at encoding.TextMarshaler) {
	q.add(func(r *report) {
		r.mark = at
		if missed {
			r.missed = true
			clear(r.tags)
		}
	})
}

func (q *queue) record(tags []invalidation.Tag, everything bool, at encoding.TextMarshaler) {
	q.add(func(r *report) {
		if at != nil {
			r.mark = at
		}
		for _, tag := range tags {
			r.tags[tag] = true
		}
		if r.everything = r.everything || everything || len(r.tags) > maxQueued; r.everything {
			clear(r.tags)
		}
	})
}

func (q *queue) add(to func(*report)) {
	q.mu.Lock()
	defer q.mu.Unlock()
	to(q.pending)
	if q.pending.number == 0 {
		q.pending.at = q.now()
	}
	q.reported++
	q.pending.number = q.reported
	select {
	case q.signal <- struct{}{}:
	default:
	}
}

// take waits for something to record, and removes it.
func (q *queue) take(ctx context.Context) (*report, error) {
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-q.signal:
		}
		q.mu.Lock()
		r := q.pending
		q.pending = newReport()
		q.mu.Unlock()
		if r.number != 0 {
			return r, nil
		}
	}
}

// recorded says that a report is recorded.
func (q *queue) recorded(r *report) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.done = r.number
	if q.broken != nil {
		q.broken, q.breaks = nil, make(chan struct{})
	}
	q.next.reported = r.at
	close(q.next.done)
	q.next = newMove()
}

// stuck makes waiters return an error of the state folder, until a report is recorded.
func (q *queue) stuck(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.broken == nil {
		close(q.breaks)
	}
	q.broken = err
}

// trouble returns why nothing can be recorded because of the state folder, nil while it can.
func (q *queue) trouble() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.broken
}

// wait waits until all that was reported before the call is recorded.
func (q *queue) wait(ctx context.Context) error {
	q.mu.Lock()
	upTo := q.reported
	q.mu.Unlock()
	for {
		q.mu.Lock()
		done, next, broken, breaks := q.done, q.next, q.broken, q.breaks
		q.mu.Unlock()
		switch {
		case done >= upTo:
			return nil
		case broken != nil:
			return broken
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-q.ended:
			return ErrNotReady
		case <-breaks:
		case <-next.done:
		}
	}
}

// recordAgain makes the recorder record everything again, since what was recorded is lost.
func (q *queue) recordAgain() {
	q.add(func(r *report) {
		r.lost, r.missed = true, true
		clear(r.tags)
	})
}
