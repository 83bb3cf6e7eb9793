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
