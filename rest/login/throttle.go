package login

import (
	"math"
	"sync"
	"time"
)

// throttle slows down an address that keeps sending wrong credentials: after a
// few free tries each further failure doubles the time until its next try is
// looked at. Addresses are forgotten when they have been quiet.
type throttle struct {
	now func() time.Time // the real clock
	// free is how many failures cost nothing; 0 or less switches it off.
	free int

	mu      sync.Mutex
	clients map[string]*failures
}

type failures struct {
	count int
	next  time.Time // no try is looked at before
}

const (
	throttleStart  = 500 * time.Millisecond
	throttleMax    = time.Minute
	throttleForget = 15 * time.Minute
	// maxThrottled bounds the memory; beyond it the quiet ones go first, then all.
	maxThrottled = 10000
)

// wait returns how long the address has to wait before its credentials are looked
// at; 0 lets it pass.
func (t *throttle) wait(addr string) time.Duration {
	if t.free <= 0 {
		return 0
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.clients[addr]
	if f == nil {
		return 0
	}
	return max(0, f.next.Sub(t.now()))
}

// failed counts a failure of the address.
func (t *throttle) failed(addr string) {
	if t.free <= 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	f := t.clients[addr]
	if f == nil {
		t.makeRoom(now)
		f = &failures{}
		t.clients[addr] = f
	}
	if now.Sub(f.next) > throttleForget {
		f.count = 0
	}
	f.count++
	f.next = now
	if over := f.count - t.free; over > 0 {
		f.next = now.Add(time.Duration(math.Min(float64(throttleStart)*math.Pow(2, float64(over-1)), float64(throttleMax))))
	}
}

// succeeded forgets the failures of an address that knows a password after all.
func (t *throttle) succeeded(addr string) {
	if t.free <= 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.clients, addr)
}

func (t *throttle) makeRoom(now time.Time) {
	if t.clients == nil {
		t.clients = make(map[string]*failures)
	}
	if len(t.clients) < maxThrottled {
		return
	}
	for addr, f := range t.clients {
		if now.Sub(f.next) > throttleForget {
			delete(t.clients, addr)
		}
	}
	if len(t.clients) >= maxThrottled {
		clear(t.clients)
	}
}
