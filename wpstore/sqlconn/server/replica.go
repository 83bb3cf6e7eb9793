package server

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/sqlconn/dialect"
)

// Replica is a server that follows the primary and may be read from.
type Replica struct {
	*Server
	// probe is one connection for the watcher, which reads never occupy.
	probe *sql.DB
	// service is set while the replica is read from.
	service atomic.Pointer[Service]

	mu sync.Mutex
	// current is the latest moment up to which the replica has everything that the
	// primary had; zero while that is unknown.
	current time.Time
	// follows is how the replica follows the primary, "" while that is unknown.
	follows dialect.Kind
	// banned is until when the replica is left out that failed reads although its
	// position is fine; ban is how long that was.
	banned time.Time
	ban    time.Duration
}

// Service is a time during which a replica is read from. Its end cancels the
// statements on the replica, early enough to run them on the primary.
type Service struct {
	// Context ends with it.
	Context context.Context
	// Lag is that of the last look.
	Lag time.Duration
	// By is how the replica follows the primary.
	By  dialect.Kind
	end context.CancelCauseFunc
}

// ErrRetired is why a statement on a replica was cancelled.
var ErrRetired = errors.New("the replica was taken out of use")

const (
	// shortestBan and longestBan bound how long a failing replica is left out.
	shortestBan = time.Second
	longestBan  = time.Minute
	// LatestWait is the longest wait for a replica to catch up for one request. What
	// takes longer, the primary answers sooner.
	LatestWait = 100 * time.Millisecond
)

// OpenReplica makes the pools of the i-th replica. It does not connect.
func OpenReplica(c *Settings, i int, at *mysql.Config) (*Replica, error) {
	s, err := Open(fmt.Sprintf("replica%d", i+1), c, at)
	if err != nil {
		return nil, err
	}
	return &Replica{Server: s, probe: s.OpenProbe()}, nil
}

// Service returns the present time of service, nil while the replica is not read from.
func (r *Replica) Service() *Service { return r.service.Load() }

// LeastBusy returns the least busy of the replicas in use, nil when there is none.
func LeastBusy(replicas []*Replica) (best *Replica, in *Service) {
	if len(replicas) == 0 {
		return nil, nil
	}
	first := rand.IntN(len(replicas)) // so that equals take turns
	for i := range replicas {
		r := replicas[(first+i)%len(replicas)]
		if s := r.service.Load(); s != nil && (best == nil || r.Busy() < best.Busy()) {
			best, in = r, s
		}
	}
	return best, in
}

// Retire leaves out a replica that fails reads although its position is fine, each
// time for longer.
func (r *Replica) Retire(logger *slog.Logger, err error) {
	s := r.service.Swap(nil)
	if s == nil {
		return
	}
	s.end(ErrRetired)
	r.DropIdle()
	r.mu.Lock()
	r.ban = min(max(2*r.ban, shortestBan), longestBan)
	r.banned = time.Now().Add(r.ban)
	ban := r.ban
	r.mu.Unlock()
	logger.Warn("replica taken out: it does not answer as it should", "replica", r.Name, "addr", r.Driver.Addr, "for", ban, "err", err)
}

// Close ends the service and all connections.
func (r *Replica) Close() error {
	if s := r.service.Swap(nil); s != nil {
		s.end(ErrRetired)
	}
	return errors.Join(r.probe.Close(), r.Pool.Close())
}
