package kses

import (
	"strings"

	"calbridge/rest/trait"
	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/markup"
)

// Post reproduces WordPress's wp_kses_post, the filter for content of users without the
// capability unfiltered_html. It allows no embedded PDF file; see [PostHTML].
func Post(s string, traits trait.Set) string { return Filter(s, PostHTML(""), traits) }

// Title filters HTML by the short list that WordPress allows in titles,
// comments and term names.
func Title(s string, traits trait.Set) string { return Filter(s, titleHTML, traits) }

// TermDescription filters the description of a category or tag.
func TermDescription(s string, traits trait.Set) string { return Filter(s, termHTML, traits) }

// LDExcerpt filters an excerpt by the list that The Events Calendar allows
// in the descriptions of JSON-LD.
func LDExcerpt(s string, traits trait.Set) string { return Filter(s, excerptHTML, traits) }

// Filter reproduces WordPress's wp_kses: it removes elements,
// attributes, URL schemes and styles that aren't allowed, and escapes what isn't
// HTML. The content of a removed element stays as text, that of scripts too.
func Filter(s string, allowed Allowed, traits trait.Set) string {
	k := run{allowed: allowed, traits: traits, escape: escape.RulesOf(traits), budget: 16*len(s) + 1<<12}
	return k.filter(s, 0)
}

// run is one run of the filter. Comments are filtered until nothing changes;
// budget, in bytes, and maxCommentDepth bound that work.
type run struct {
	allowed Allowed
	traits  trait.Set
	escape  escape.Rules
	budget  int
}

const maxCommentDepth = 8

func (k *run) filter(s string, depth int) string {
	k.budget -= len(s)
	s = k.escape.LoneLess(k.escape.NormalizeEntities(removeControls(s)))
	if k.allowed.blocks && strings.Contains(s, "<!-- wp:") {
		s = k.filterBlocks(s, depth)
	}
	p := markup.Patch{Src: s}
	comments := commentEnds{closers: markup.NewFinder(s, "-->"), lines: markup.NewFinder(s, "\n")}
	for pos := 0; ; {
		n := strings.IndexAny(s[pos:], "<>")
		if n < 0 {
			return p.String()
		}
		start := pos + n
		pos = tokenEnd(s, start, &comments)
		if filtered := k.token(s[start:pos], depth); filtered != s[start:pos] {
			p.Replace(start, pos, filtered)
		}
	}
}

// removeControls removes the control characters except tab, line feed and
// carriage return.
func removeControls(s string) string {
	isControl := func(c byte) bool { return c < ' ' && !markup.IsPlainSpace(c) }
	for i := range len(s) {
		if isControl(s[i]) {
			return markup.ReplaceRuns(s, 1, "", isControl)
		}
	}
	return s
}

// commentEnds finds what ends comments. Its searches go forward only.
type commentEnds struct{ closers, lines markup.Finder }

// after returns the end of the comment whose text starts at i. A comment ends in its line, or
// with the text; -1 for one that does neither.
func (c *commentEnds) after(s string, i int) int {
	closer, line := c.closers.Next(i), c.lines.Next(i)
	switch {
	case closer >= 0 && (line < 0 || closer < line):
		return closer + len("-->")
	case line < 0:
		return len(s)
	case line == len(s)-1:
		return line
	}
	return -1
}

// tokenEnd returns the end of the comment, tag or lone ">" that starts at i. One that isn't
// closed takes the rest of s. A comment of several lines is a tag here, which ends with the
// first ">".
func tokenEnd(s string, i int, comments *commentEnds) int {
	if strings.HasPrefix(s[i:], "<!--") {
		if end := comments.after(s, i+len("<!--")); end >= 0 {
			return end
		}
	}
	if n := strings.IndexByte(s[i:], '>'); n >= 0 {
		return i + n + 1
	}
	return len(s)
}

func (k *run) token(token string, depth int) string {
	if strings.IndexByte(token, '\\') >= 0 {
		token = strings.ReplaceAll(token, `\"`, `"`)
	}
	switch {
	case token[0] == '>':
		return "&gt;"
	case strings.HasPrefix(token, "<!--"):
		return k.comment(token, depth)
	case isOddComment(token) && !k.traits.Has(trait.TextBefore66):
		inner := token[2 : len(token)-1]
		return token[:2] + k.settle(inner, depth) + ">"
	}
	return k.tag(token)
}

// isOddComment reports whether token is a declaration whose name begins in lower case, or
// "</" without a name behind it; browsers take both for comments.
func isOddComment(token string) bool {
	if len(token) < len("</x>") || token[len(token)-1] != '>' {
		return false
	}
	if token[1] == '!' {
		return token[2] >= 'a' && token[2] <= 'z'
	}
	return token[1] == '/' && !markup.IsLetter(token[2])
}

// comment filters the text of a comment like content, so that it is harmless in any
// browser, and removes double hyphens.
func (k *run) comment(token string, depth int) string {
	inner := strings.ReplaceAll(strings.ReplaceAll(token, "<!--", ""), "-->", "")
	inner = k.settle(inner, depth)
	inner = strings.TrimSuffix(markup.ReplaceRuns(inner, 2, "-", func(c byte) bool { return c == '-' }), "-")
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
