package changefeed

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/binlog"
)

// errWentBack means that a transaction came again, or that the server counts anew.
var errWentBack = errors.New("the binary log went back")

// mark is where to resume: a position in a server's log, nil where none is known.
// Positions of different servers can't be compared.
type mark struct {
	server   string
	position binlog.Position
}

// after reports whether a mark is further on than another.
func (m mark) after(before mark) bool {
	return m.position != nil && (before.position == nil || !before.position.Contains(m.position))
}

// resumable is the mark at which to resume after an error: none if the server can't
// send the log from there.
func (m mark) resumable(err error) mark {
	const positionLost = 1236
	var refused *mysql.MySQLError
	if errors.Is(err, errWentBack) || errors.Is(err, errNotPrimary) || errors.As(err, &refused) && refused.Number == positionLost {
		return mark{}
	}
	return m
}

// progress is how far a session has read the log, and applied it to the tracker. It is
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

// advance sets what has been applied, and wakes the waiting.
func (p *progress) advance(to binlog.Position) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.applied = to
	close(p.moved)
	p.moved = make(chan struct{})
}

// end says that the session is over. It returns what was applied.
func (p *progress) end() binlog.Position {
	at, _ := p.state()
	p.advance(nil)
	return at
}

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
