package changefeed

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/binlog"
)

// mark is where to go on: the position in a server's log, nil where that is not
// known. Positions of different servers don't compare.
type mark struct {
	server   string
	position binlog.Position
}

// after says whether a mark is further on than another.
func (m mark) after(before mark) bool {
	return m.position != nil && (before.position == nil || !before.position.Contains(m.position))
}

// resumable is the mark to go on at after an error, and none when that would not
// help: the server has forgotten it.
func (m mark) resumable(err error) mark {
	const positionLost = 1236
	var refused *mysql.MySQLError
	if errors.Is(err, errBehind) || errors.Is(err, errMoved) || errors.As(err, &refused) && refused.Number == positionLost {
		return mark{}
	}
	return m
}

// progress is how far the log has been read, and applied to the tracker. It is safe
// for concurrent use.
type progress struct {
	mu      sync.Mutex
	pending *batch          // committed, and not known to be visible
	applied binlog.Position // the tracker knows; nil while the log is not followed
	moved   chan struct{}   // closed when applied changes
	signal  chan struct{}   // there is something pending
}

func newProgress() *progress {
	return &progress{moved: make(chan struct{}), signal: make(chan struct{}, 1)}
}

// put hands a transaction over.
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

// take waits for what is pending and returns it; nil if somebody else has.
func (p *progress) take(ctx context.Context) (*batch, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-p.signal:
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	b := p.pending
	p.pending = nil
	return b, nil
}

// advance notes what has been applied, and wakes who waits for it.
func (p *progress) advance(to binlog.Position) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.move(to)
}

// end says that the log is not followed any more. It returns what was applied.
func (p *progress) end() binlog.Position {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := p.applied
	p.pending = nil
	p.move(nil)
	return at
}

func (p *progress) move(to binlog.Position) {
	p.applied = to
	close(p.moved)
	p.moved = make(chan struct{})
}

// following says whether the log is followed.
func (p *progress) following() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.applied != nil
}

// wait waits until a position has been applied.
func (p *progress) wait(ctx context.Context, position binlog.Position) error {
	for {
		p.mu.Lock()
		applied, moved := p.applied, p.moved
		p.mu.Unlock()
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
