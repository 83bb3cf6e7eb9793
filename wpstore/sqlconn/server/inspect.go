package server

import (
	"context"
	"database/sql"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/sqlconn/dialect"
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

// InspectReplica looks at a replica of a primary with a query that its user must be able to run, for
// a limited time. It waits for a second until the replica has caught up.
func InspectReplica(ctx context.Context, primary *Server, r *Replica, d dialect.Dialect, limit time.Duration, readable sq.Sqlizer) (f ReplicaFinding) {
	const name = "check.replica"
	f.Name, f.Addr = r.Name, r.Driver.Addr
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	ahead, err := ReadNode(ctx, primary.Pool, d)
	if err != nil {
		f.PrimaryErr = err
		return f
	}
	n, err := ReadNode(ctx, r.Pool, d)
	if err != nil {
		f.Err = Advise(r.Driver, err)
		return f
	}
	k, problem := n.Follows(ahead, d)
	if f.Problem = problem; problem != "" {
		return f
	}
	f.By, f.Writable = string(k), k != dialect.Galera && !n.ReadOnly
	f.ReadErr = Ask(ctx, r.Pool, name, readable, func(*sql.Rows) error { return nil })
	if f.ReadErr != nil {
		return f
	}
	start := time.Now()
	reached, err := CaughtUp(ctx, r.Pool, k, name, ahead.GTID, time.Second)
	f.CaughtUp, f.Waited = err == nil && reached, time.Since(start)
	return f
}
