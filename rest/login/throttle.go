package login

import (
	"time"

	"github.com/maypok86/otter/v2"
)

// throttle slows down an address that keeps sending wrong credentials: after a few free
// tries, each failure doubles the time until the next try is accepted. A quiet address
// starts afresh. A nil throttle slows nothing down.
type throttle struct {
	now     func() time.Time // the real clock
	free    int              // failures without a delay
	clients *otter.Cache[string, failures]
}

type failures struct {
	count int
	next  time.Time // no try is accepted before
}

const (
	throttleStart  = 500 * time.Millisecond
	throttleMax    = time.Minute
	throttleForget = 15 * time.Minute
	maxThrottled   = 10000
)

// newThrottle returns nil where free is not positive.
func newThrottle(now func() time.Time, free int) *throttle {
	if free <= 0 {
		return nil
	}
	return &throttle{now, free, otter.Must(&otter.Options[string, failures]{MaximumSize: maxThrottled})}
}

// wait returns how long an address has to wait until its credentials are checked.
func (t *throttle) wait(addr string) time.Duration {
	if t == nil {
		return 0
	}
	f, _ := t.clients.GetIfPresent(addr)
	return max(0, f.next.Sub(t.now()))
}

// failed counts a failure of an address.
func (t *throttle) failed(addr string) {
	if t == nil {
		return
	}
	now := t.now()
	t.clients.Compute(addr, func(f failures, _ bool) (failures, otter.ComputeOp) {
		if now.Sub(f.next) > throttleForget {
			f.count = 0
		}
		f.count++
		f.next = now
		if over := f.count - t.free; over > 0 {
			f.next = now.Add(min(throttleStart<<min(over-1, 10), throttleMax))
		}
		return f, otter.WriteOp
	})
}

// succeeded forgets the failures of an address.
func (t *throttle) succeeded(addr string) {
	if t != nil {
		t.clients.Invalidate(addr)
	}
}
