package shortcode

import (
	"strings"

	"calbridge/rest/wptext/markup"
)

// Run replaces the allowed shortcodes in s by what render returns for them. Inside
// HTML tags shortcodes run in attributes only, and with ignoreHTML not at all.
func Run(s string, allowed Set, ignoreHTML bool, render func(Shortcode) string) string {
	if !strings.Contains(s, "[") {
		return s
	}
	names := Occurring(s, false) & allowed
	if names == 0 {
		return s
	}
	s = inTags(s, names, ignoreHTML, render)
	s = expand(s, names, render)
	return showBrackets.Replace(s)
}

var (
	protectReferences = strings.NewReplacer("&#91;", "&#091;", "&#93;", "&#093;")
	hideBrackets      = strings.NewReplacer("[", "&#91;", "]", "&#93;")
	showBrackets      = strings.NewReplacer("&#91;", "[", "&#93;", "]")
)

// expand replaces the shortcodes in s by their output. An escaped one, in double
// brackets, loses the outer ones instead.
func expand(s string, names Set, render func(Shortcode) string) string {
	scanner := NewScanner(s, names)
	out := markup.Patch{Src: s}
	for pos := 0; ; {
		found, ok := scanner.next(pos)
		if !ok {
			return out.String()
		}
		pos = found.end
		if found.extraOpen && found.extraClose {
			out.Replace(found.start, found.end, s[found.start+1:found.end-1])
			continue
		}
		open, end := "", ""
		if found.extraOpen {
			open = "["
		}
		if found.extraClose {
			end = "]"
		}
		out.Replace(found.start, found.end, open, render(found), end)
	}
}
