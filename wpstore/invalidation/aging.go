package invalidation

import "time"

// Aging says how long what is in memory of options and users may be used. Such things are
// remembered by themselves, not with an answer, and decide what clients may do.
type Aging struct {
	// Tracker has what has changed; it may be nil.
	Tracker *Tracker
	// Complete: while the tracker is active it has every change, whoever makes it.
	Complete bool
	// MaxAge bounds the age while the tracker doesn't have every change; 0 allows none.
	MaxAge time.Duration
	Now    func() time.Time // the real clock
}

// Stamp is the state as of which something was read. Take it before reading.
type Stamp struct {
	At         time.Time
	generation uint64
}

// Stamp returns that of now.
func (a *Aging) Stamp() Stamp {
	s := Stamp{At: a.Now()}
	if a.Tracker != nil {
		s.generation = a.Tracker.Generation()
	}
	return s
}

// State reports whether something may be used.
type State int

// The states. What is Old may be used while another request reads it again, what is
// Outdated may not.
const (
	Outdated State = iota
	Old
	Current
)

// State returns that of something with a stamp, which depends on the tags. proven says that the
// tracker has all changes that this request must see.
func (a *Aging) State(s Stamp, proven bool, tags ...Tag) State {
	followed := a.Tracker != nil && a.Tracker.Active()
	switch {
	case !proven || followed && !a.Tracker.Fresh(s.generation, tags):
		return Outdated
	case followed && a.Complete || a.Now().Sub(s.At) < a.MaxAge:
		return Current
	case a.MaxAge <= 0:
		return Outdated
	}
	return Old
}
