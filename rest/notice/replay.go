package notice

import "sync"

// replays stores the nonces of the last messages. Of evicted nonces it keeps only the latest time
// of signing: everything signed up to then is refused.
type replays struct {
	mu    sync.Mutex
	seen  map[string]int64 // nonce → Unix time of its signature
	ring  []string         // in order of arrival
	next  int              // the oldest of a full ring
	floor int64
}

func newReplays(capacity int) *replays {
	return &replays{seen: make(map[string]int64), ring: make([]string, 0, capacity)}
}

// first reports whether the nonce is new, and stores it. Messages signed before oldest would be
// refused for their age anyway.
func (r *replays) first(nonce string, signed, oldest int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, again := r.seen[nonce]; again || signed <= r.floor {
		return false
	}
	r.seen[nonce] = signed
	if len(r.ring) < cap(r.ring) {
		r.ring = append(r.ring, nonce)
		return true
	}
	if evicted := r.seen[r.ring[r.next]]; evicted >= oldest {
		r.floor = max(r.floor, evicted)
	}
	delete(r.seen, r.ring[r.next])
	r.ring[r.next] = nonce
	r.next = (r.next + 1) % len(r.ring)
	return true
}
