package markup

import (
	"iter"
	"strings"
)

// NextToken finds the first HTML token of s at or behind from and returns
// its bounds; start is len(s) when there is none. A token begins with "<" and
// runs to the next ">". A comment runs to "-->" (the dashes of its opening
// count, so "<!-->" is complete) and, if cdata is set, a CDATA section to
// "]]>". A token without its end takes the rest of s.
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

// Tokens walks over s as WordPress's HTML splitter does and yields, in
// turn, each non-empty piece of text (tag is false) and each HTML token (tag
// is true; tags, comments and declarations alike). The pieces concatenate to
// s. Set cdata to treat CDATA sections as one token: WordPress does so
// everywhere but in wptexturize.
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
