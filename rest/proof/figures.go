package proof

import (
	"time"

	"calbridge/rest/fragment"
)

// Figures are the figures of a prover.
type Figures struct {
	Shapes map[State]int
	// Seen and Closed count posts and terms.
	Seen, Closed int
	// Age is the time since the last comparison, or the age of the prover if there was none. It is 0
	// with [Settings.OnlyContent], where nothing has to be compared.
	Age time.Duration
	// Fragments are those of WordPress's own rendering of objects.
	Fragments fragment.Figures
}

// Sum returns the figures of several sites together. The age is the greatest one.
func Sum(all []Figures) Figures {
	sum := Figures{Shapes: map[State]int{}}
	parts := make([]fragment.Figures, 0, len(all))
	for _, f := range all {
		for state, n := range f.Shapes {
			sum.Shapes[state] += n
		}
		sum.Seen, sum.Closed, sum.Age = sum.Seen+f.Seen, sum.Closed+f.Closed, max(sum.Age, f.Age)
		parts = append(parts, f.Fragments)
	}
	sum.Fragments = fragment.Sum(parts)
	return sum
}

// FiguresOf returns the figures of a prover as of now.
func FiguresOf(p *Prover) Figures {
	f := Figures{Shapes: p.book.states()}
	f.Seen, f.Closed = p.objects.Sizes()
	if s := p.composer.store; s != nil {
		f.Fragments = s.Figures()
	}
	if p.cfg.OnlyContent {
		return f
	}
	last := lastCompared(p)
	if last.IsZero() {
		last = p.made
	}
	f.Age = max(p.cfg.Now().Sub(last), 0)
	return f
}
