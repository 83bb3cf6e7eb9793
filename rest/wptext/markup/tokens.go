package markup

import (
	"iter"
	"strings"
)

// NextToken returns the bounds of the first HTML token of s at or behind from; start
// is len(s) when there is none. A token runs from "<" to the next ">", a comment to
// "-->" (the dashes of its opening count, so "<!-->" is complete) and, if cdata is
// set, a CDATA section to "]]>". A token without its end takes the rest of s.
func NextToken(s string, from int, cdata bool) (start, end int) {
	i := strings.IndexByte(s[from:], '<')
	if i < 0 {
		return len(s), len(s)
	}
	start = from + i
	rest := s[start:]
	closer, skip := ">", 1
	switch {
	case strings.HasPrefix(rest, "<!--"):
		closer, skip = "-->", 2
	case cdata && strings.HasPrefix(rest, "<![CDATA["):
		closer, skip = "]]>", 9
	}
	if j := strings.Index(rest[skip:], closer); j >= 0 {
		return start, start + skip + j + len(closer)
	}
	return start, len(s)
}

// ReplaceInTokens replaces old by new inside the HTML tokens of s.
func ReplaceInTokens(s, old, new string) string {
	p := Patch{Src: s}
	pos := 0
	for piece, isToken := range Tokens(s, true) {
		if isToken && strings.Contains(piece, old) {
			p.Replace(pos, pos+len(piece), strings.ReplaceAll(piece, old, new))
		}
		pos += len(piece)
	}
	return p.String()
}

// Tokens yields, in turn, each non-empty piece of text (tag is false) and each HTML
// token (tag is true: tags, comments and declarations), which together make up s. Set
// cdata to treat CDATA sections as one token, as WordPress does everywhere but in
// wptexturize.
func Tokens(s string, cdata bool) iter.Seq2[string, bool] {
	return func(yield func(piece string, tag bool) bool) {
		for pos := 0; pos < len(s); {
			start, end := NextToken(s, pos, cdata)
			if start > pos && !yield(s[pos:start], false) {
				return
			}
			if end > start && !yield(s[start:end], true) {
				return
			}
			pos = end
		}
	}
}
