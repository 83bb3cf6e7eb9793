package sqlconn

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"sync/atomic"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/sqlconn/server"
)

// route is the replica that the reads of one request go to, nil for none.
type route struct {
	replica atomic.Pointer[server.Replica]
	service *server.Service
}

// choose picks a replica in use, if there is one; see [Runner.UseReplica].
func (to *route) choose(ctx context.Context, x *execution, latest bool) (found bool) {
	at, s := server.LeastBusy(x.servers.replicas)
	if at == nil {
		return false
	}
	if latest || x.servers.cfg.ReplicaMaxLag == 0 {
		// One that is far behind now will hardly have caught up in time.
		if s.Lag > server.LatestWait || !catchUp(ctx, x, at, s) {
			return false
		}
	}
	to.service = s
	to.replica.Store(at)
	return true
}

// catchUp waits until a replica has what the primary has now.
func catchUp(ctx context.Context, x *execution, at *server.Replica, s *server.Service) bool {
	ctx, cancel := context.WithTimeout(ctx, 2*server.LatestWait)
	defer cancel()
	x.conn.close()
	position, reached := "", false
	if variable := s.By.Variable(); variable != "" {
		const name = "replica.position"
		primary := x.servers.primary
		err := x.run(ctx, primary, name, func(ctx context.Context) error {
			return server.Ask(ctx, primary.Pool, name, sq.Select(variable), func(rows *sql.Rows) error { return rows.Scan(&position) })
		})
		if err != nil || position == "" {
			return false
		}
	}
	const name = "replica.wait"
	err := x.run(ctx, at.Server, name, func(ctx context.Context) (err error) {
		reached, err = server.CaughtUp(ctx, at.Pool, s.By, name, position, server.LatestWait)
		return err
	})
	return err == nil && reached
}

// read reads from a replica. done is false when the primary should be asked
// instead: the replica failed before a row was passed on.
func (to *route) read(ctx context.Context, x *execution, at *server.Replica, name string, passed *bool, do reading) (done bool, err error) {
	limited, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(to.service.Context, func() { cancel(server.ErrRetired) })()
	err = x.run(limited, at.Server, name, func(ctx context.Context) error { return x.conn.read(ctx, at.Server, passed, do) })
	if err == nil || ctx.Err() != nil || crowded(err) {
		return true, err // a crowd must not be sent on to the primary
	}
	to.leave(at, err, x.servers.cfg.Logger)
	if *passed {
		return true, fmt.Errorf("%w: %w", wpstore.ErrUnavailable, err)
	}
	return false, err
}

// leave sends the rest of a request to the primary after a replica has failed.
func (to *route) leave(at *server.Replica, err error, logger *slog.Logger) {
	to.replica.Store(nil)
	if to.service.Context.Err() == nil {
		at.Retire(logger, err)
	}
}
