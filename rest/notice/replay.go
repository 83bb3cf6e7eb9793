package notice

import "sync"

// replays remembers the nonces of the last messages, and of those it has forgotten
// when the last was signed: nothing signed up to then is taken any more.
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

// first says whether the nonce is new, and remembers it. What was signed before
// oldest would be refused for its age and is forgotten without trace.
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
	if forgotten := r.seen[r.ring[r.next]]; forgotten >= oldest {
		r.floor = max(r.floor, forgotten)
	}
	delete(r.seen, r.ring[r.next])
	r.ring[r.next] = nonce
	r.next = (r.next + 1) % len(r.ring)
	return true
}
