package sqlconn

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
)

// replica is a server that follows the primary and may be read from.
type replica struct {
	*server
	// probe is one connection for the watcher, which reads never occupy.
	probe *sql.DB
	// service is set while the replica is read from.
	service atomic.Pointer[service]

	mu sync.Mutex
	// current is the latest moment up to which the replica has everything that the
	// primary had; zero while that is unknown.
	current time.Time
	// follows is how the replica follows the primary, "" while that is unknown.
	follows kind
	// banned is until when the replica is left out that failed reads although its
	// position is fine; ban is how long that was.
	banned time.Time
	ban    time.Duration
}

// service is a time during which a replica is read from. Its end cancels the
// statements on the replica, early enough to run them on the primary.
type service struct {
	ctx context.Context
	end context.CancelCauseFunc
	lag time.Duration // as of the last look
	kind
}

// errRetired is why a statement on a replica was cancelled.
var errRetired = errors.New("the replica was taken out of use")

const (
	// shortestBan and longestBan bound how long a failing replica is left out.
	shortestBan = time.Second
	longestBan  = time.Minute
	// latestWait is the longest wait for a replica to catch up for one request. What
	// takes longer, the primary answers sooner.
	latestWait = 100 * time.Millisecond
)

// openReplica makes the pools of the i-th replica. It does not connect.
func openReplica(c *Config, i int) (*replica, error) {
	s, err := openServer(fmt.Sprintf("replica%d", i+1), c, c.Replicas[i])
	if err != nil {
		return nil, err
	}
	return &replica{server: s, probe: openProbe(s, c)}, nil
}

// leastBusy returns the least busy of the replicas in use, nil when there is none.
func leastBusy(replicas []*replica) (best *replica, in *service) {
	if len(replicas) == 0 {
		return nil, nil
	}
	first := rand.IntN(len(replicas)) // so that equals take turns
	for i := range replicas {
		r := replicas[(first+i)%len(replicas)]
		if s := r.service.Load(); s != nil && (best == nil || len(r.places) < len(best.places)) {
			best, in = r, s
		}
	}
	return best, in
}

// retire leaves out a replica that fails reads although its position is fine, each
// time for longer.
func (r *replica) retire(logger *slog.Logger, err error) {
	s := r.service.Swap(nil)
	if s == nil {
		return
	}
	s.end(errRetired)
	r.dropIdle()
	r.mu.Lock()
	r.ban = min(max(2*r.ban, shortestBan), longestBan)
	r.banned = time.Now().Add(r.ban)
	ban := r.ban
	r.mu.Unlock()
	logger.Warn("replica taken out: it does not answer as it should", "replica", r.name, "addr", r.driver.Addr, "for", ban, "err", err)
}

func (r *replica) close() error {
	if s := r.service.Swap(nil); s != nil {
		s.end(errRetired)
	}
	return errors.Join(r.probe.Close(), r.pool.Close())
}
