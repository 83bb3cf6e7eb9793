package shortcode

import (
	"strings"

	"calbridge/rest/wptext/markup"
)

// inTags prepares the HTML tags of s for the search for shortcodes: it executes those
// in attributes and encodes all remaining brackets as &#91; and &#93;.
func inTags(s string, names Set, ignoreHTML bool, render func(Shortcode) string) string {
	s = protectReferences.Replace(s)
	out := markup.Patch{Src: s}
	pos := 0
	for piece, isTag := range markup.Tokens(s, true) {
		start := pos
		pos += len(piece)
		if !isTag {
			continue
		}
		open, end := strings.Contains(piece, "["), strings.Contains(piece, "]")
		if !open && !end {
			continue
		}
		if open && end && !ignoreHTML && !strings.HasPrefix(piece, "<!--") && !strings.HasPrefix(piece, "<![CDATA[") {
			piece = inAttrs(piece, names, render)
		}
		out.Replace(start, pos, hideBrackets.Replace(piece))
	}
	return out.String()
}

// inAttrs executes the shortcodes in the attributes of one tag.
func inAttrs(tag string, names Set, render func(Shortcode) string) string {
	p := markup.SkipWhite(tag, 1)
	if p < len(tag) && tag[p] == '[' {
		return expand(tag, names, render)
	}
	for p < len(tag) && !markup.IsSpace(tag[p]) && tag[p] != '>' {
		p++
	}
	out := markup.Patch{Src: tag}
	for {
		a, ok := markup.NextAttr(tag, p)
		if !ok {
			return out.String()
		}
		p = a.End
		if a.Quote == 0 {
			text := tag[a.Start:a.End]
			if expanded := expand(text, names, render); expanded != text {
				out.Replace(a.Start, a.End, expanded)
			}
			continue
		}
		value := tag[a.ValueStart:a.ValueEnd]
		if expanded := expand(value, names, render); expanded != value {
			// WordPress filters the new attribute with kses, which leaves nothing of
			// HTML.
			if strings.ContainsAny(expanded, `<>"'`) {
				expanded = ""
			}
			out.Replace(a.ValueStart, a.ValueEnd, expanded)
		}
	}
}
