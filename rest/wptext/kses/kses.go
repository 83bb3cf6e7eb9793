package kses

import (
	"strings"

	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/scan"
)

// Post reproduces WordPress's wp_kses_post, the filter for content of users without the
// capability unfiltered_html. It allows no embedded PDF file; see [PostHTML].
func Post(s string) string { return Filter(s, PostHTML("")) }

// Title filters HTML by the short list that WordPress allows in titles,
// comments and term names.
func Title(s string) string { return Filter(s, titleHTML) }

// LDExcerpt filters an excerpt by the list that The Events Calendar allows
// in the descriptions of JSON-LD.
func LDExcerpt(s string) string { return Filter(s, excerptHTML) }

// Filter reproduces WordPress's wp_kses (spec/rendering.md 12.3): it removes elements,
// attributes, URL schemes and styles that aren't allowed, and escapes what isn't
// HTML. The content of a removed element stays as text, that of scripts too.
func Filter(s string, allowed Allowed) string {
	k := run{allowed: allowed, budget: 16*len(s) + 1<<12}
	return k.filter(s, 0)
}

// run is one run of the filter. Comments are filtered until nothing changes;
// budget, in bytes, and maxCommentDepth bound that work.
type run struct {
	allowed Allowed
	budget  int
}

const maxCommentDepth = 8

func (k *run) filter(s string, depth int) string {
	k.budget -= len(s)
	s = escape.LoneLess(escape.NormalizeEntities(removeControls(s)))
	if k.allowed.blocks && strings.Contains(s, "<!-- wp:") {
		s = k.filterBlocks(s, depth)
	}
	p := scan.Patch{Src: s}
	for pos := 0; ; {
		n := strings.IndexAny(s[pos:], "<>")
		if n < 0 {
			return p.String()
		}
		start := pos + n
		pos = tokenEnd(s, start)
		if filtered := k.token(s[start:pos], depth); filtered != s[start:pos] {
			p.Replace(start, pos, filtered)
		}
	}
}

// removeControls removes the control characters except tab, line feed and
// carriage return.
func removeControls(s string) string {
	isControl := func(c byte) bool { return c < ' ' && !scan.IsPlainSpace(c) }
	for i := range len(s) {
		if isControl(s[i]) {
			return scan.ReplaceRuns(s, 1, "", isControl)
		}
	}
	return s
}

// tokenEnd returns the end of the comment, tag or lone ">" that starts at i.
// What isn't closed takes the rest of s.
func tokenEnd(s string, i int) int {
	closer, skip := ">", 0
	if strings.HasPrefix(s[i:], "<!--") {
		closer, skip = "-->", len("<!--")
	}
	if n := strings.Index(s[i+skip:], closer); n >= 0 {
		return i + skip + n + len(closer)
	}
	return len(s)
}

func (k *run) token(token string, depth int) string {
	switch {
	case token[0] == '>':
		return "&gt;"
	case strings.HasPrefix(token, "<!--"):
		return k.comment(token, depth)
	case isOddComment(token):
		inner := token[2 : len(token)-1]
		return token[:2] + k.settle(inner, depth) + ">"
	}
	return k.tag(token)
}

// isOddComment reports whether token is a declaration, or "</" without a name
// behind it; browsers take both for comments.
func isOddComment(token string) bool {
	if len(token) < 4 || token[len(token)-1] != '>' {
		return false
	}
	return token[1] == '!' || token[1] == '/' && !scan.IsLetter(token[2])
}

// comment filters the text of a comment like content, so that it is harmless in any
// browser, and removes double hyphens.
func (k *run) comment(token string, depth int) string {
	inner := strings.TrimSuffix(strings.TrimPrefix(token, "<!--"), "-->")
	inner = k.settle(inner, depth)
	inner = strings.TrimSuffix(scan.ReplaceRuns(inner, 2, "-", func(c byte) bool { return c == '-' }), "-")
	if inner == "" {
		return ""
	}
	return "<!--" + inner + "-->"
}

// settle filters s until it no longer changes. It drops text that still changes
// when the budget is used up, which only hostile text does.
func (k *run) settle(s string, depth int) string {
	if !strings.ContainsAny(s, "<>") {
		return s // everything else has been filtered already
	}
	for k.budget > 0 && depth < maxCommentDepth {
		filtered := k.filter(s, depth+1)
		if filtered == s {
			return s
		}
		s = filtered
	}
	return ""
}
