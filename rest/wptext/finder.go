package wptext

import "strings"

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

// indexFrom returns the offset of c at or behind from, or -1.
func indexFrom(s string, c byte, from int) int {
	if from >= len(s) {
		return -1
	}
	i := strings.IndexByte(s[from:], c)
	if i < 0 {
		return -1
	}
	return from + i
}
