package rest

import (
	"sync"
	"time"
)

// needsLatest says whether a reading request must not ask a replica from here on. The user and the
// site's options have been read from the primary by then: they decide rights.
//
// A client that may have written must find what it wrote. Writing takes
// credentials, so that requests with any get the latest state, whichever process
// they reach. A client that writes with credentials and reads without them is
// known by its address, in this process only: through another one it sees its
// write after --replica-max-lag at the latest. With a lag of 0 everybody gets the
// latest state.
//
// So do requests whose rows and answers may be kept in memory: the binary log that
// tells of changes is the primary's, and a replica may not have yet what it has
// told of. Where freshness is promised, they get it also when it could not be proved.
func (s *Server) needsLatest(x *exchange) bool {
	return s.cfg.Prove != nil || x.identity.Credentials || x.current || s.writers.recent(x.req.ClientIP)
}

// writeMargin is added to the allowed lag: the time between two looks at replicas.
const writeMargin = time.Second

// maxWriters bounds the addresses that are remembered; beyond it all clients count
// as writers until the oldest have been forgotten.
const maxWriters = 10000

// recentWriters are the addresses that have written a moment ago: for longer than
// replicas may be behind.
type recentWriters struct {
	now      func() time.Time // the real clock
	remember time.Duration

	mu    sync.Mutex
	until map[string]time.Time
	all   time.Time // until when everybody counts
}

// wrote takes note of a write, whatever became of it.
func (w *recentWriters) wrote(addr string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.now()
	if len(w.until) >= maxWriters {
		for a, until := range w.until {
			if now.After(until) {
				delete(w.until, a)
			}
		}
	}
	if len(w.until) >= maxWriters {
		w.all, w.until = now.Add(w.remember), nil
	}
	if w.until == nil {
		w.until = map[string]time.Time{}
	}
	w.until[addr] = now.Add(w.remember)
}

// recent says whether the address may have written a moment ago.
func (w *recentWriters) recent(addr string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.now()
	if now.Before(w.all) {
		return true
	}
	until, ok := w.until[addr]
	if ok && now.After(until) {
		delete(w.until, addr)
		return false
	}
	return ok
}
