package sqlconn

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sqlconn/server"
)

// execution is what the statements of a request, or of a transaction, have in common.
type execution struct {
	servers *Servers
	// depends gets the sets that results depend on; it may be nil.
	depends *invalidation.Dependencies
	// queries counts statements; those of a transaction count for the request.
	queries *atomic.Int64
	conn    *requestConn // nil before KeepConnection
	// class is the one in which statements wait for a connection.
	class wpstore.CostClass
}

// run does what all statements have in common: place in the queue, deadline, count,
// metrics, errors. at is nil inside of a transaction, which has a place already.
func (x *execution) run(ctx context.Context, at *server.Server, name string, do func(context.Context) error) error {
	cfg := &x.servers.cfg
	x.queries.Add(1)
	if x.depends != nil {
		for _, kind := range x.servers.depends(name) {
			x.depends.OnSet(kind)
		}
	}
	start := time.Now()
	var err error
	if x.conn.has(at) {
		at.Entered(0)
	} else if at != nil {
		if err = at.Enter(ctx, x.class); err == nil {
			if class := x.class; !x.conn.claim(at, class) {
				defer at.Leave(class)
			}
			start = time.Now()
		}
	}
	limited := ctx
	if deadline, ok := ctx.Deadline(); !ok || deadline.Sub(start) > cfg.QueryTimeout {
		var cancel context.CancelFunc
		limited, cancel = x.conn.limit(ctx, start, cfg.QueryTimeout)
		defer cancel()
	}
	if err == nil {
		err = do(limited)
		switch {
		case at == nil: // the end of the transaction does it
		case lostDatabase(x.servers.dialect, err):
			at.Reconnect()
		case wrongServer(ctx, x.servers.dialect, err):
			at.DropIdle()
		}
	}
	if err != nil {
		err = explain(limited, x.servers.dialect, name, err)
		if at != nil && at != x.servers.primary && !crowded(err) {
			err = fmt.Errorf("%w: %s: %w", wpstore.ErrReplica, at.Name, err)
		}
	}
	if cfg.Observe != nil {
		cfg.Observe(name, time.Since(start), err)
	}
	return err
}
