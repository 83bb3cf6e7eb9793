package proof

import "time"

// Figures are the figures of a prover.
type Figures struct {
	Shapes map[State]int
	// Seen and Closed count posts and terms.
	Seen, Closed int
	// Age is the time since the last comparison, or the age of the prover if there was none.
	Age time.Duration
}

// FiguresOf returns the figures of a prover as of now.
func FiguresOf(p *Prover) Figures {
	f := Figures{Shapes: p.book.states()}
	f.Seen, f.Closed = p.objects.Sizes()
	last := lastCompared(p)
	if last.IsZero() {
		last = p.made
	}
	f.Age = max(p.cfg.Now().Sub(last), 0)
	return f
}
