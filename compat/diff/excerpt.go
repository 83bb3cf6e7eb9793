package diff

import (
	"strconv"
	"unicode/utf8"
)

// Head shortens a text to about n bytes, at a character boundary.
func Head(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
}

// Around quotes a short stretch of a text around a byte offset.
func Around(text string, at int) string {
	const before, after = 24, 72
	from := min(max(0, at-before), len(text))
	for from > 0 && from < len(text) && !utf8.RuneStart(text[from]) {
		from--
	}
	to := min(len(text), at+after)
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	quoted := strconv.Quote(text[from:to])
	if from > 0 {
		quoted = "…" + quoted
	}
	if to < len(text) {
		quoted += "…"
	}
	return quoted
}

// CommonPrefix returns the length in bytes of the common prefix of two texts.
func CommonPrefix(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
