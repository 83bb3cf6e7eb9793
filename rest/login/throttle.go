package login

import (
	"crypto/rand"
	"crypto/sha256"
	"strings"
	"time"

	"github.com/maypok86/otter/v2"

	"calbridge/rest/api"
)

// throttle slows down clients that keep sending wrong credentials. After a few free tries, each
// failure doubles the time until the next try is checked. Counts reset after 15 minutes without a
// failure.
//
// It counts failures by client network and user name, so that failures of one user do not hold
// up other users behind the same address. It also counts the names that have failed from a
// network, and slows down new names from there, so that many names do not give many tries.
//
// A successful login does not reset the counts; otherwise an attacker with an account of their
// own could keep guessing. But a password that was accepted from a network before is checked at
// once, whatever has failed since, so that guesses from the same network do not hold up a client
// at work.
//
// A nil throttle slows nothing down.
type throttle struct {
	now  func() time.Time // the real clock
	free int              // failures without a delay
	seed [sha256.Size]byte
	// failures are counted by network, and by network and name. accepted has the credentials that
	// were right, by network.
	failures *otter.Cache[string, failures]
	accepted *otter.Cache[[sha256.Size]byte, struct{}]
}

type failures struct {
	count int
	next  time.Time // no try is checked before
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
	t := &throttle{
		now: now, free: free, failures: otter.Must(&otter.Options[string, failures]{MaximumSize: maxThrottled}),
		accepted: otter.Must(&otter.Options[[sha256.Size]byte, struct{}]{MaximumSize: maxThrottled}),
	}
	_, _ = rand.Read(t.seed[:]) // never fails
	return t
}

// login is one try of a name and password.
type login struct {
	*throttle
	network, name string // keys of failures
	credentials   [sha256.Size]byte
}

// try returns the try of a client at addr.
func (t *throttle) try(addr, name, password string) login {
	if t == nil {
		return login{}
	}
	hash := func(parts ...string) [sha256.Size]byte {
		return sha256.Sum256([]byte(string(t.seed[:]) + strings.Join(parts, "\x00")))
	}
	network := api.ClientNetwork(addr)
	named := hash(network, strings.ToLower(name))
	return login{t, network, string(named[:]), hash(network, name, password)}
}

// wait returns the time that the try has to wait until it is checked.
func (l login) wait() time.Duration {
	if l.throttle == nil {
		return 0
	}
	if _, known := l.accepted.GetIfPresent(l.credentials); known {
		return 0
	}
	key := l.name
	if f, _ := l.failures.GetIfPresent(key); l.isOver(f) {
		key = l.network
	}
	f, _ := l.failures.GetIfPresent(key)
	wait := max(0, f.next.Sub(l.now()))
	if wait > throttleMax { // the clock was set back
		return 0
	}
	return wait
}

// isOver reports whether the failures have expired.
func (t *throttle) isOver(f failures) bool {
	return f.count == 0 || t.now().Sub(f.next) > throttleForget
}

// failed counts a failure.
func (l login) failed() {
	if l.throttle != nil && l.count(l.name) == 1 {
		l.count(l.network)
	}
}

// count adds a failure to those of a key and returns their number.
func (t *throttle) count(key string) int {
	f, _ := t.failures.Compute(key, func(f failures, _ bool) (failures, otter.ComputeOp) {
		now := t.now()
		if t.isOver(f) {
			f.count = 0
		}
		f.count++
		f.next = now
		if over := f.count - t.free; over > 0 {
			f.next = now.Add(min(throttleStart<<min(over-1, 10), throttleMax))
		}
		return f, otter.WriteOp
	})
	return f.count
}

// succeeded stores credentials that were right.
func (l login) succeeded() {
	if l.throttle != nil {
		l.accepted.Set(l.credentials, struct{}{})
	}
}
