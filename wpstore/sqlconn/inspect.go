package sqlconn

import (
	"context"
	"database/sql"
	"time"

	sq "github.com/Masterminds/squirrel"
)

// ReplicaFinding is the result of an inspection of a replica.
type ReplicaFinding struct {
	// Name is as metrics show it, Addr where it is.
	Name, Addr string
	// PrimaryErr: the primary does not answer, so that nothing can be compared. Err: the
	// replica does not answer.
	PrimaryErr, Err error
	// Problem is why the two cannot be compared, "" where they can.
	Problem string
	// ReadErr: the replica does not have what is to be read.
	ReadErr error
	// By is how it follows the primary, and CaughtUp whether it has what the primary
	// has, after waiting for it.
	By       string
	CaughtUp bool
	Waited   time.Duration
	// Writable: a write could go there by mistake.
	Writable bool
}

// InspectReplica looks at a replica, counted from 0, with a query that its user must
// be able to run. It waits for a second until the replica has caught up.
func (s *Servers) InspectReplica(ctx context.Context, i int, readable sq.Sqlizer) (f ReplicaFinding) {
	const name = "check.replica"
	r := s.replicas[i]
	f.Name, f.Addr = r.name, r.driver.Addr
	ctx, cancel := context.WithTimeout(ctx, s.cfg.QueryTimeout)
	defer cancel()
	primary, err := AskNode(ctx, s.primary.pool, s.dialect)
	if err != nil {
		f.PrimaryErr = err
		return f
	}
	n, err := AskNode(ctx, r.pool, s.dialect)
	if err != nil {
		f.Err = adviseConnection(r.driver, err)
		return f
	}
	k, problem := n.follows(primary, s.dialect)
	if f.Problem = problem; problem != "" {
		return f
	}
	f.By, f.Writable = string(k), k != galera && !n.ReadOnly
	f.ReadErr = ask(ctx, r.pool, name, readable, func(*sql.Rows) error { return nil })
	if f.ReadErr != nil {
		return f
	}
	start := time.Now()
	caughtUp, err := k.caughtUp(ctx, r.pool, name, primary.gtid, time.Second)
	f.CaughtUp, f.Waited = err == nil && caughtUp, time.Since(start)
	return f
}
