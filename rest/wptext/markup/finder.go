package markup

import "strings"

// Finder searches s for what at growing positions. It remembers its last hit,
// so that any number of searches together read s once.
type Finder struct {
	s, What string
	at      int // the first hit at or behind every position asked so far; -1: not asked yet
}

func NewFinder(s, what string) Finder { return Finder{s: s, What: what, at: -1} }

// Next returns the offset of the first what at or behind from, or -1. From
// must not be smaller than in an earlier call.
func (f *Finder) Next(from int) int {
	if f.at < from {
		f.at = len(f.s)
		if from < len(f.s) {
			if i := strings.Index(f.s[from:], f.What); i >= 0 {
				f.at = from + i
			}
		}
	}
	if f.at >= len(f.s) {
		return -1
	}
	return f.at
}

// IndexFrom returns the offset of c at or behind from, or -1.
func IndexFrom(s string, c byte, from int) int {
	if from >= len(s) {
		return -1
	}
	i := strings.IndexByte(s[from:], c)
	if i < 0 {
		return -1
	}
	return from + i
}
