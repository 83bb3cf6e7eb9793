package proof

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// entry is the proof of a shape in memory.
type entry struct {
	shape    Shape
	proven   atomic.Bool
	natives  atomic.Int64
	compared atomic.Int64 // Unix time in nanoseconds of the last comparison
	// refill is set while a response has to be compared again soon, so that its objects don't expire.
	refill atomic.Bool

	mu       sync.Mutex
	proof    Proof               // but for natives
	requests map[uint64]struct{} // hashes of those that count
}

// same counts an identical response. proved reports that it has completed the proof.
func (e *entry) same(s *Settings, request uint64, now time.Time) (proved bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.compared.Store(now.UnixNano())
	p := &e.proof
	if p.State == Proven {
		p.Last = now
		return false
	}
	_, again := e.requests[request]
	if again && now.Sub(p.Last) < s.interval() {
		return false
	}
	if p.Identical == 0 {
		p.First = now
	}
	if e.requests == nil {
		e.requests = map[uint64]struct{}{}
	}
	if len(e.requests) < s.Comparisons {
		e.requests[request] = struct{}{}
	}
	p.Identical++
	p.Last = now
	if p.Identical < s.Comparisons || now.Sub(p.First) < s.Time {
		return false
	}
	p.State, p.Kept, e.requests = Proven, false, nil
	e.proven.Store(true)
	return true
}

// maxFields bounds the fields of a difference that are stored.
const maxFields = 8

// differs ends the proof. demoted reports that there was one, or one that was kept.
func (e *entry) differs(fields []string, unstable bool, now time.Time) (demoted bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.compared.Store(now.UnixNano())
	p := &e.proof
	demoted = e.proven.Swap(false) || p.Kept
	p.Kept, p.State, p.Identical, p.First, e.requests = false, Differing, 0, time.Time{}, nil
	if unstable {
		p.State = Unstable
	}
	p.Differences++
	p.Difference = &Difference{At: now, Fields: slices.Clone(fields[:min(len(fields), maxFields)])}
	return demoted
}

// restore takes over an earlier proof. It returns false if a difference was found since, or if the
// shape is proven already. A request from before the restoring may have opened the entry.
func (e *entry) restore(k SavedShape) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.proof.State != Proving || e.proof.Differences > 0 {
		return false
	}
	e.proof.Kept, e.proof.Identical, e.proof.First, e.requests = true, k.Identical, k.First, nil
	return true
}

// doubt suspends the proof, if there is one, until the next identical response.
func (e *entry) doubt() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.proof.State == Proven {
		e.proof.State, e.proof.Kept = Proving, true
		e.proven.Store(false)
	}
}

// takeOver continues the proof of another entry, unless a difference was found meanwhile, which
// may contradict that proof.
func (e *entry) takeOver(old *entry) (taken, contradicts bool) {
	old.mu.Lock()
	defer old.mu.Unlock()
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.proof.Differences > 0 {
		return false, old.proof.State == Proven || old.proof.Kept
	}
	if e.proof.State == Proven {
		return true, false
	}
	e.proof, e.requests = old.proof, old.requests
	e.natives.Add(old.natives.Load())
	e.compared.Store(max(e.compared.Load(), old.compared.Load()))
	e.proven.Store(old.proof.State == Proven)
	return true, false
}

func (e *entry) state() State {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.proof.State
}

func (e *entry) snapshot() Proof {
	e.mu.Lock()
	defer e.mu.Unlock()
	p := e.proof
	p.Natives = e.natives.Load()
	return p
}
