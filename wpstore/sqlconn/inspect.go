package sqlconn

import (
	"context"
	"database/sql"
	"time"

	sq "github.com/Masterminds/squirrel"
)

// ReplicaFinding is what an inspection of a replica has found.
type ReplicaFinding struct {
	// Name is as metrics show it, Addr where it is.
	Name, Addr string
	// PrimaryErr: the primary does not answer, so that nothing can be compared. Err: the
	// replica does not.
	PrimaryErr, Err error
	// Problem is why the two cannot be compared, "" where they can.
	Problem string
	// ReadErr: the replica does not have what is to be read.
	ReadErr error
	// By is how it follows the primary, and CaughtUp whether it has what the primary
	// has, after it was waited for.
	By       string
	CaughtUp bool
	Waited   time.Duration
	// Writable: a write could go there by mistake.
	Writable bool
}

// InspectReplica looks at a replica, counted from 0, with a query that its user must
// be able to run. It waits for a second until the replica has caught up.
func (s *Servers) InspectReplica(ctx context.Context, i int, readable sq.Sqlizer) (f ReplicaFinding) {
	r := s.cluster.replicas[i]
	f.Name, f.Addr = r.name, r.addr
	ctx, cancel := context.WithTimeout(ctx, s.cfg.QueryTimeout)
	defer cancel()
	primary, err := AskNode(ctx, s.configured.pool, s.dialect)
	if err != nil {
		f.PrimaryErr = err
		return f
	}
	n, err := AskNode(ctx, r.pool, s.dialect)
	if err != nil {
		if cfg, configErr := driverConfig(&s.cfg, r.dsn); configErr == nil {
			err = adviseConnection(cfg, err)
		}
		f.Err = err
		return f
	}
	k, problem := n.follows(primary, s.dialect)
	f.Problem = problem
	if problem != "" {
		return f
	}
	f.By, f.Writable = string(k), k != galera && !n.ReadOnly
	f.ReadErr = ask(ctx, r.pool, "check.replica", readable, func(*sql.Rows) error { return nil })
	if f.ReadErr != nil {
		return f
	}
	start := time.Now()
	var reached sql.NullInt64
	err = ask(ctx, r.pool, "check.replica", k.await(primary.gtid, time.Second), func(rows *sql.Rows) error { return rows.Scan(&reached) })
	f.CaughtUp, f.Waited = err == nil && reached.Int64 == 1, time.Since(start)
	return f
}
