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

// UseReplica sends queries outside of transactions to one replica that is fit, or to
// the primary where none is; found says which. All of a request's queries should go to
// the same server: replicas differ in how far they are.
//
// A fit replica lacks nothing that is older than the allowed lag. With latest, or
// with an allowed lag of 0, it lacks nothing that was committed before this call,
// by whomever: the primary is asked for its position, and the replica is waited
// for, at most a tenth of a second. That is how clients read what they wrote: it
// needs neither memory here nor a token in their hands, so that it works through
// any number of processes behind a balancer, and answers stay what they are
// without replicas. The price is one statement on the primary that touches no
// table, for the few clients that may write.
//
// Rows that are kept in memory must be read with latest.
//
// While the primary is away, replicas count as being as far behind as when it was
// last heard of, for five minutes; latest then leads to the primary, which fails.
//
// What decides rights must not be read after it: users, their passwords and sessions,
// roles, keys.
func (r *Runner) UseReplica(ctx context.Context, latest bool) (found bool) {
	if r.on != nil {
		return false
	}
	at, s := r.servers.cluster.choose()
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
	var position string
	if variable := s.variable(); variable != "" {
		err := r.queryAt(ctx, r.servers.cluster.leader(), "replica.position", sq.Select(variable), func(rows *sql.Rows) error { return rows.Scan(&position) })
		if err != nil || position == "" {
			return false
		}
	}
	var reached sql.NullInt64
	err := r.queryAt(ctx, at.server, "replica.wait", s.await(position, latestWait), func(rows *sql.Rows) error { return rows.Scan(&reached) })
	return err == nil && reached.Int64 == 1
}

// queryAt is Query on one of the servers.
func (r *Runner) queryAt(ctx context.Context, at *server, name string, b sq.Sqlizer, scan func(*sql.Rows) error) error {
	r.kept.close()
	return r.run(ctx, at, name, func(ctx context.Context) error { return ask(ctx, at.pool, name, b, scan) })
}

// readReplica asks a replica. done is false when the primary should be asked
// instead: the replica failed before it gave a row away.
func (r *Runner) readReplica(ctx context.Context, at *replica, name string, given *bool, do reading) (done bool, err error) {
	limited, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(r.route.service.ctx, func() { cancel(errRetired) })()
	err = r.run(limited, at.server, name, func(ctx context.Context) error { return r.kept.read(ctx, at.server, given, do) })
	switch {
	case err == nil, ctx.Err() != nil, errors.Is(err, errCrowded):
		return true, err // a crowd must not be sent on to the primary
	case *given:
		r.route.leave(at, err, r.servers.cfg.Logger)
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
