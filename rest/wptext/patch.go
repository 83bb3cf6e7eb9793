package wptext

import "strings"

// patch collects replacements made from left to right over src. Without any
// replacement it costs nothing and the result is src itself.
type patch struct {
	src  string
	out  strings.Builder
	done int // everything of src before done is in out, unless nothing was replaced
}

// replace puts the concatenation of with in the place of src[from:to]. Calls
// come in rising order of from and do not overlap.
func (p *patch) replace(from, to int, with ...string) {
	if p.out.Cap() == 0 {
		p.out.Grow(len(p.src) + len(p.src)/8 + 32)
	}
	p.out.WriteString(p.src[p.done:from])
	for _, w := range with {
		p.out.WriteString(w)
	}
	p.done = to
}

func (p *patch) String() string {
	if p.out.Cap() == 0 {
		return p.src
	}
	p.out.WriteString(p.src[p.done:])
	return p.out.String()
}
