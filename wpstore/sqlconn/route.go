package sqlconn

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
)

// route is the replica that the reads of one request go to, nil for none.
type route struct {
	replica atomic.Pointer[replica]
	service *service
}

// UseReplica sends queries outside of transactions to one of the replicas in use;
// found is false where there is none, and queries go to the primary. All queries of a
// request should go to the same server: replicas differ in how far they are.
//
// The replica lacks nothing that is older than the allowed lag. With latest, or with
// an allowed lag of 0, it lacks nothing that was committed before this call: the
// primary is asked for its position, and the replica is waited for, at most a tenth of
// a second. This gives read-your-writes without state here or a token in the client,
// through any number of processes behind a balancer. It costs one statement on the
// primary that touches no table.
//
// Rows for the row cache must be read with latest. What decides rights (users,
// passwords, sessions, roles, keys) must not be read from a replica at all.
//
// While the primary is away, the lag of replicas counts as it was, for five minutes;
// latest then leads to the primary, which fails.
func (r *Runner) UseReplica(ctx context.Context, latest bool) (found bool) {
	if r.on != nil {
		return false
	}
	at, s := leastBusy(r.servers.replicas)
	if at == nil {
		return false
	}
	if latest || r.servers.cfg.ReplicaMaxLag == 0 {
		// One that is far behind now will hardly have caught up in time.
		if s.lag > latestWait || !r.catchUp(ctx, at, s) {
			return false
		}
	}
	r.route.service = s
	r.route.replica.Store(at)
	return true
}

// catchUp waits until a replica has what the primary has now.
func (r *Runner) catchUp(ctx context.Context, at *replica, s *service) bool {
	ctx, cancel := context.WithTimeout(ctx, 2*latestWait)
	defer cancel()
	r.conn.close()
	position, reached := "", false
	if variable := s.variable(); variable != "" {
		const name = "replica.position"
		primary := r.servers.primary
		err := r.run(ctx, primary, name, func(ctx context.Context) error {
			return ask(ctx, primary.pool, name, sq.Select(variable), func(rows *sql.Rows) error { return rows.Scan(&position) })
		})
		if err != nil || position == "" {
			return false
		}
	}
	const name = "replica.wait"
	err := r.run(ctx, at.server, name, func(ctx context.Context) (err error) {
		reached, err = s.caughtUp(ctx, at.pool, name, position, latestWait)
		return err
	})
	return err == nil && reached
}

// readReplica reads from a replica. done is false when the primary should be asked
// instead: the replica failed before a row was passed on.
func (r *Runner) readReplica(ctx context.Context, at *replica, name string, passed *bool, do reading) (done bool, err error) {
	limited, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(r.route.service.ctx, func() { cancel(errRetired) })()
	err = r.run(limited, at.server, name, func(ctx context.Context) error { return r.conn.read(ctx, at.server, passed, do) })
	if err == nil || ctx.Err() != nil || errors.Is(err, errCrowded) {
		return true, err // a crowd must not be sent on to the primary
	}
	r.route.leave(at, err, r.servers.cfg.Logger)
	if *passed {
		return true, fmt.Errorf("%w: %w", wpstore.ErrUnavailable, err)
	}
	return false, err
}

// leave sends the rest of a request to the primary after a replica has failed.
func (to *route) leave(at *replica, err error, logger *slog.Logger) {
	to.replica.Store(nil)
	if to.service.ctx.Err() == nil {
		at.retire(logger, err)
	}
}
