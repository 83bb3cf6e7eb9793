package changefeed

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"calbridge/wpstore/binlog"
)

var errNotFollowing = errors.New("the binary log has not been followed up to now")

// progress records how far a session has read the log and applied it to the tracker. It is
// safe for concurrent use.
type progress struct {
	mu      sync.Mutex
	pending *batch          // committed, perhaps not yet visible
	applied binlog.Position // nil before and after the session follows the log
	moved   chan struct{}   // closed when applied changes
	signal  chan struct{}   // has an element when there may be something pending
}

func newProgress() *progress {
	return &progress{moved: make(chan struct{}), signal: make(chan struct{}, 1)}
}

// put adds a transaction to those pending.
func (p *progress) put(b *batch) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pending == nil {
		p.pending = b
	} else {
		p.pending.merge(b)
	}
	select {
	case p.signal <- struct{}{}:
	default:
	}
}

// take waits for pending transactions and removes them.
func (p *progress) take(ctx context.Context) (b *batch, err error) {
	for b == nil {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-p.signal:
		}
		p.mu.Lock()
		b, p.pending = p.pending, nil
		p.mu.Unlock()
	}
	return b, nil
}

// advance sets what has been applied, and wakes the waiting calls.
func (p *progress) advance(to binlog.Position) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.applied = to
	close(p.moved)
	p.moved = make(chan struct{})
}

// end marks the session as over.
func (p *progress) end() { p.advance(nil) }

func (p *progress) state() (applied binlog.Position, moved chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.applied, p.moved
}

// wait waits until a position has been applied.
func (p *progress) wait(ctx context.Context, position binlog.Position) error {
	for {
		applied, moved := p.state()
		switch {
		case applied == nil:
			return errNotFollowing
		case applied.Contains(position):
			return nil
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", errNotFollowing, ctx.Err())
		}
	}
}
