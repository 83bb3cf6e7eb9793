package changefeed

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/guard"
)

// proofTimeout is how long a request waits until the tracker has caught up.
const proofTimeout = 50 * time.Millisecond

// proof confirms that everything committed before has been applied.
type proof struct {
	guard    *guard.Guard
	source   *Source
	progress *progress
	// refuted receives the reason why the server or its log is no longer the one to follow.
	refuted chan<- error

	positions singleflight.Group
	asking    sync.Mutex // held while the primary is queried for its position
}

// catchUp implements [Feed.CatchUp] with a context that has a deadline.
func (p *proof) catchUp(ctx context.Context) error {
	applied, _ := p.progress.state()
	if applied == nil {
		return errNotFollowing
	}
	select {
	case r := <-p.position(ctx):
		if r.Err != nil {
			return r.Err
		}
		position := r.Val.(binlog.Position)
		if err := checkHistory(applied, position); err != nil {
			p.refute(err)
			return err
		}
		return p.progress.wait(ctx, position)
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", errNotFollowing, ctx.Err())
	}
}

// position queries the primary for its position, on behalf of all callers that arrive
// before the query is sent. The result of an earlier query proves nothing to a later
// caller.
func (p *proof) position(ctx context.Context) <-chan singleflight.Result {
	ctx = context.WithoutCancel(ctx) // shared; each query has its own deadline
	return p.guard.Flight(&p.positions, "", "asking for the position in the binary log", func() (any, error) {
		p.asking.Lock()
		defer p.asking.Unlock()
		p.positions.Forget("")
		position, err := p.source.Position(ctx)
		if errors.Is(err, ErrNotPrimary) {
			p.refute(err)
		}
		return position, err
	})
}

// refute ends the session with an error.
func (p *proof) refute(why error) {
	select {
	case p.refuted <- why:
	default:
	}
}
