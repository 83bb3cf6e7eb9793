package notice

import "time"

// Verdict describes what the number of a notice means to its receiver.
type Verdict string

// The verdicts. After Repeated and Restarted anything may have changed.
const (
	// Applied is a number that was due, in order or not.
	Applied Verdict = "applied"
	// Late is a number that was taken before the count began here, or that was given up.
	Late Verdict = "late"
	// Repeated is a number that has been used before: the count was set back, or two sites count
	// for the same receiver.
	Repeated Verdict = "repeated"
	// Restarted is a number of a new count.
	Restarted Verdict = "restarted"
)

// Verdicts lists all verdicts.
func Verdicts() []Verdict { return []Verdict{Applied, Late, Repeated, Restarted} }

const (
	// maxAhead is more than the numbers that a site takes while its notices are on their way. A
	// larger step is a new count.
	maxAhead = 10_000
	// coalesced is how much too early a number may be given up together with others, so that few
	// deadlines are stored.
	coalesced = 100 * time.Millisecond
)

// Sequence detects missing notices. It has the numbers that have arrived, and those that are known
// to have been taken. Each of these must arrive within a time, the grace; otherwise it is lost. It
// is for one goroutine at a time.
type Sequence struct {
	grace time.Duration
	epoch string
	// base is where the count began here. Numbers up to through have arrived or were given up;
	// arrived has larger ones.
	base, through, taken uint64
	arrived, lost        map[uint64]bool
	due                  []deadline // by time
	// settle is when all requests have ended that had taken a number before the count began.
	settle time.Time
}

// deadline is the time by which all numbers up to one must have arrived.
type deadline struct {
	upTo uint64
	at   time.Time
}

// NewSequence returns a Sequence that has not begun.
func NewSequence(grace time.Duration) *Sequence { return &Sequence{grace: grace} }

// Begin starts to count after a mark, from now on. The caller handles earlier changes.
func (s *Sequence) Begin(m Mark, now time.Time) {
	*s = Sequence{
		grace: s.grace, epoch: m.Epoch, base: m.Number, through: m.Number, taken: m.Number,
		arrived: map[uint64]bool{}, lost: map[uint64]bool{}, settle: now.Add(s.grace),
	}
}

// Last returns the last number that is known to have been taken.
func (s *Sequence) Last() uint64 { return s.taken }

// Arrived interprets the mark of a notice that has just arrived.
func (s *Sequence) Arrived(m Mark, now time.Time) Verdict {
	n := m.Number
	switch {
	case m.Epoch != s.epoch || n > s.taken+maxAhead:
		s.Begin(m, now)
		return Restarted
	case n <= s.base:
		return Late
	case s.lost[n]:
		delete(s.lost, n)
		return Late
	case n <= s.through || s.arrived[n]:
		return Repeated
	}
	s.take(n, now)
	s.arrived[n] = true
	s.advance()
	return Applied
}

// Taken records the last number that WordPress has taken. before is the value of [Sequence.Last]
// before the query. restarted reports that a new count has begun.
func (s *Sequence) Taken(m Mark, before uint64, now time.Time) (restarted bool) {
	if m.Epoch != s.epoch || m.Number < before || m.Number > s.taken+maxAhead {
		s.Begin(m, now)
		return true
	}
	s.take(m.Number, now)
	return false
}

// Overdue gives up the numbers that should have arrived by now. everything reports that anything
// may have changed: because of them, or because requests that had begun before the count may have
// ended.
func (s *Sequence) Overdue(now time.Time) (lost int, everything bool) {
	if !s.settle.IsZero() && !now.Before(s.settle) {
		s.settle, everything = time.Time{}, true
	}
	for len(s.due) > 0 && !now.Before(s.due[0].at) {
		for n := s.through + 1; n <= s.due[0].upTo; n++ {
			if !s.arrived[n] {
				s.lost[n] = true
				lost++
			}
			delete(s.arrived, n)
		}
		s.through = max(s.through, s.due[0].upTo)
		s.due = s.due[1:]
	}
	s.advance()
	if len(s.lost) > maxAhead { // remove them: unknown numbers count as late
		s.base, s.lost = s.through, map[uint64]bool{}
	}
	return lost, everything || lost > 0
}

// take records that numbers up to n have been taken.
func (s *Sequence) take(n uint64, now time.Time) {
	if n <= s.taken {
		return
	}
	s.taken = n
	at := now.Add(s.grace)
	if last := len(s.due) - 1; last >= 0 && at.Sub(s.due[last].at) < coalesced {
		s.due[last].upTo = n
		return
	}
	s.due = append(s.due, deadline{n, at})
}

// advance moves through past the numbers that have arrived.
func (s *Sequence) advance() {
	for s.arrived[s.through+1] {
		s.through++
		delete(s.arrived, s.through)
	}
	for len(s.due) > 0 && s.due[0].upTo <= s.through {
		s.due = s.due[1:]
	}
}
