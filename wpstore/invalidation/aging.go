package invalidation

import "time"

// Aging limits how long cached options and users may be used. They are cached on their own
// rather than with a response, and they determine what clients may do.
type Aging struct {
	// Tracker holds what has changed; it may be nil.
	Tracker *Tracker
	// Complete is set if an active tracker has every change, including those by other
	// programs.
	Complete bool
	// MaxAge limits the age while the tracker doesn't have every change; 0 disables the
	// cache.
	MaxAge time.Duration
	Now    func() time.Time // the real clock
}

// Stamp is the state as of which something was read. Take it before reading.
type Stamp struct {
	At         time.Time
	generation uint64
}

// Stamp returns the current state.
func (a *Aging) Stamp() Stamp {
	s := Stamp{At: a.Now()}
	if a.Tracker != nil {
		s.generation = a.Tracker.Generation()
	}
	return s
}

// State is whether something may be used.
type State int

// The states. A value that is Old may be used while another request reads it again. One
// that is Outdated may not be used.
const (
	Outdated State = iota
	Old
	Current
)

// State returns the state of a value with a stamp that depends on the tags. caughtUp is set
// if the tracker has all changes that this request must see.
func (a *Aging) State(s Stamp, caughtUp bool, tags ...Tag) State {
	followed := a.Tracker != nil && a.Tracker.Active()
	switch {
	case !caughtUp || followed && !a.Tracker.Fresh(s.generation, tags):
		return Outdated
	case followed && a.Complete || a.Now().Sub(s.At) < a.MaxAge:
		return Current
	case a.MaxAge <= 0:
		return Outdated
	}
	return Old
}
