package markup

import (
	"iter"
	"strings"
)

// Patch collects replacements made from left to right over Src. Without any
// replacement it costs nothing and the result is Src itself.
type Patch struct {
	Src  string
	Done int // Src before Done is in out, once anything was replaced
	out  strings.Builder
	next int // where Each searches next
}

// Replace puts the concatenation of with in the place of Src[from:to]. Calls
// come in rising order of from and don't overlap.
func (p *Patch) Replace(from, to int, with ...string) {
	if p.out.Cap() == 0 {
		p.out.Grow(len(p.Src) + len(p.Src)/8 + 32)
	}
	p.out.WriteString(p.Src[p.Done:from])
	for _, w := range with {
		p.out.WriteString(w)
	}
	p.Done = to
	p.Skip(to)
}

// Each yields the offset of each hit of what in Src. The search goes on behind
// the first byte of the hit, or later after Replace and Skip.
func (p *Patch) Each(what string) iter.Seq[int] {
	return func(yield func(i int) bool) {
		for p.next < len(p.Src) {
			n := strings.Index(p.Src[p.next:], what)
			if n < 0 {
				return
			}
			i := p.next + n
			p.next = i + 1
			if !yield(i) {
				return
			}
		}
	}
}

// Skip makes Each go on at offset to or later.
func (p *Patch) Skip(to int) { p.next = max(p.next, to) }

func (p *Patch) String() string {
	if p.out.Cap() == 0 {
		return p.Src
	}
	p.out.WriteString(p.Src[p.Done:])
	return p.out.String()
}

// ReplaceRuns replaces each run of at least least bytes of a class by with.
func ReplaceRuns(s string, least int, with string, class func(c byte) bool) string {
	p := Patch{Src: s}
	for i := 0; i < len(s); i++ {
		start := i
		for i < len(s) && class(s[i]) {
			i++
		}
		if i-start >= least && s[start:i] != with {
			p.Replace(start, i, with)
		}
	}
	return p.String()
}
