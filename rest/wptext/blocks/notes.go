package blocks

import (
	"strings"

	"calbridge/rest/trait"
	"calbridge/rest/wptext/markup"
)

// noteClass marks the text that an editor's note is about.
const noteClass = "wp-note"

// withoutNotes removes the marks of editors' notes, as WordPress since 7.1 does. The text
// inside stays.
func withoutNotes(html string, traits trait.Set) string {
	if !traits.Has(trait.TextSince71) || !strings.Contains(html, noteClass) {
		return html
	}
	p := markup.Patch{Src: html}
	var open []bool // whether each open mark is a note
	type cut struct{ start, end int }
	var cuts []cut
search:
	for start := range p.Each("<") {
		rest := html[start:]
		switch {
		case strings.HasPrefix(rest, "<!--"):
			_, end := markup.NextToken(html, start, false)
			p.Skip(end)
		case isTag(rest[1:], "mark"):
			tag, ok := markup.FirstTag(rest)
			if !ok {
				break search
			}
			note := markup.HasClass(tag.Value(rest, "class"), noteClass)
			open = append(open, note)
			if note {
				cuts = append(cuts, cut{start, start + tag.End})
			}
			p.Skip(start + tag.End)
		case strings.HasPrefix(rest, "</") && isTag(rest[2:], "mark"):
			if len(open) == 0 {
				continue
			}
			note := open[len(open)-1]
			open = open[:len(open)-1]
			end := strings.IndexByte(rest, '>')
			if end < 0 {
				break search
			}
			if note {
				cuts = append(cuts, cut{start, start + end + 1})
			}
		}
	}
	for _, c := range cuts {
		p.Replace(c.start, c.end)
	}
	return p.String()
}

// isTag reports whether the text behind "<" or "</" is a name.
func isTag(s, name string) bool {
	if !markup.HasPrefixFold(s, name) || len(s) == len(name) {
		return false
	}
	next := s[len(name)]
	return next == '>' || next == '/' || markup.IsSpace(next)
}
