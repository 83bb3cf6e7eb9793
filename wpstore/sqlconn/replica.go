package sqlconn

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// replica is a server that follows the primary and may be read from.
type replica struct {
	*server
	index int    // among the settings
	addr  string // for messages
	// probe is one connection for looking at the server, which reads never occupy.
	probe *sql.DB
	dsn   string
	// service is set while the replica is read from.
	service atomic.Pointer[service]

	mu sync.Mutex
	// seen is the latest moment of which the replica is known to have everything
	// that the primary had then; zero while nothing is known.
	seen time.Time
	// follows is how the replica follows the primary, "" while that is not known.
	follows kind
	// banned keeps a replica out that failed to answer reads although it looks well;
	// ban is how long the next time.
	banned time.Time
	ban    time.Duration
}

// service is a time during which a replica is read from. Its end ends the
// statements on it, so that they can be asked of the primary in time.
type service struct {
	ctx context.Context
	end context.CancelCauseFunc
	lag time.Duration // as of the last look
	kind
}

// errRetired is why a statement on a replica was given up.
var errRetired = errors.New("the replica was taken out of use")

const (
	// shortestBan and longestBan bound how long a replica is left alone that fails
	// although it looks well.
	shortestBan = time.Second
	longestBan  = time.Minute
)

// retire takes a replica out that fails although it looks well, each time for
// longer.
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
	logger.Warn("replica taken out: it does not answer as it should", "replica", r.name, "addr", r.addr, "for", ban, "err", err)
}

// latestWait is the longest wait for a replica to catch up with one request. What
// takes longer, the primary answers sooner.
const latestWait = 100 * time.Millisecond
