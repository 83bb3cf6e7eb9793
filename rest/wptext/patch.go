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

// finder searches s for what at growing positions. It remembers its last hit,
// so that any number of searches together read s once.
type finder struct {
	s, what string
	at      int // the first hit at or behind every position asked so far; -1: not asked yet
}

func newFinder(s, what string) finder { return finder{s: s, what: what, at: -1} }

// next returns the offset of the first what at or behind from, or -1. From
// must not be smaller than in an earlier call.
func (f *finder) next(from int) int {
	if f.at < from {
		f.at = len(f.s)
		if from < len(f.s) {
			if i := strings.Index(f.s[from:], f.what); i >= 0 {
				f.at = from + i
			}
		}
	}
	if f.at >= len(f.s) {
		return -1
	}
	return f.at
}
