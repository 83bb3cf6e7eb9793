package wptext

import "strings"

// shortcodesInTags makes the HTML tags of s safe for the search for shortcodes:
// shortcodes in attribute values are executed, and all brackets that stay are
// encoded as &#91; and &#93;.
func shortcodesInTags(s string, names shortcodeSet, ignoreHTML bool, render func(shortcode) string) string {
	s = keepWrittenBrackets.Replace(s)
	out := patch{src: s}
	pos := 0
	for piece, isTag := range HTMLTokens(s, true) {
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
			piece = shortcodesInAttrs(piece, names, render)
		}
		out.replace(start, pos, hideBrackets.Replace(piece))
	}
	return out.String()
}

// shortcodesInAttrs executes the shortcodes in the attributes of one tag.
func shortcodesInAttrs(tag string, names shortcodeSet, render func(shortcode) string) string {
	p := skipWhite(tag, 1)
	if p < len(tag) && tag[p] == '[' {
		return expandShortcodes(tag, names, render)
	}
	for p < len(tag) && !isSpace(tag[p]) && tag[p] != '>' {
		p++
	}
	out := patch{src: tag}
	for {
		a, ok := nextAttr(tag, p)
		if !ok {
			return out.String()
		}
		p = a.end
		if a.quote == 0 {
			text := tag[a.start:a.end]
			if expanded := expandShortcodes(text, names, render); expanded != text {
				out.replace(a.start, a.end, expanded)
			}
			continue
		}
		value := tag[a.valueStart:a.valueEnd]
		if expanded := expandShortcodes(value, names, render); expanded != value {
			// WordPress filters the new attribute as if an untrusted author had
			// written it, which leaves nothing of HTML.
			if strings.ContainsAny(expanded, `<>"'`) {
				expanded = ""
			}
			out.replace(a.valueStart, a.valueEnd, expanded)
		}
	}
}
