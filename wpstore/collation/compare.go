package collation

import (
	"cmp"
	"unicode/utf8"
)

// Name is the collation's name in SQL.
const Name = "utf8mb4_unicode_520_ci"

// Compare compares two texts and returns -1, 0 or 1. Invalid UTF-8 counts as U+FFFD.
func Compare(a, b string) int {
	same := 0
	for same < len(a) && same < len(b) && a[same] == b[same] && a[same] < utf8.RuneSelf {
		same++
	}
	t := weightTable()
	x, y := weigher{t: t, text: a[same:]}, weigher{t: t, text: b[same:]}
	for {
		v, more := x.next()
		w, wanted := y.next()
		switch {
		case !more && !wanted:
			return 0
		case !more:
			v = t.space
		case !wanted:
			w = t.space
		}
		if v != w {
			return cmp.Compare(v, w)
		}
	}
}

// weigher iterates over the weights of a text.
type weigher struct {
	t       *table
	text    string
	pending []uint16
	second  uint16 // second weight of a computed pair, 0 for none
}

func (w *weigher) next() (uint16, bool) {
	for {
		if len(w.pending) > 0 {
			weight := w.pending[0]
			w.pending = w.pending[1:]
			return weight, true
		}
		if w.second != 0 {
			weight := w.second
			w.second = 0
			return weight, true
		}
		if w.text == "" {
			return 0, false
		}
		if first := w.text[0]; first < utf8.RuneSelf {
			w.text = w.text[1:]
			if weight := w.t.light[first]; weight != 0 {
				return weight, true
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(w.text)
		w.text = w.text[size:]
		c := w.t.classOf(r)
		if c&implicitClass != 0 {
			var weight uint16
			weight, w.second = implicit(rune(c &^ implicitClass))
			return weight, true
		}
		w.pending = w.t.explicit(c)
	}
}
