package scan

import "strings"

// Patch collects replacements made from left to right over src. Without any
// replacement it costs nothing and the result is src itself.
type Patch struct {
	Src  string
	out  strings.Builder
	Done int // everything of src before done is in out, unless nothing was replaced
}

// Replace puts the concatenation of with in the place of src[from:to]. Calls
// come in rising order of from and do not overlap.
func (p *Patch) Replace(from, to int, with ...string) {
	if p.out.Cap() == 0 {
		p.out.Grow(len(p.Src) + len(p.Src)/8 + 32)
	}
	p.out.WriteString(p.Src[p.Done:from])
	for _, w := range with {
		p.out.WriteString(w)
	}
	p.Done = to
}

func (p *Patch) String() string {
	if p.out.Cap() == 0 {
		return p.Src
	}
	p.out.WriteString(p.Src[p.Done:])
	return p.out.String()
}
