package wptext

import (
	"strings"
)

// runShortcodes replaces those of the allowed shortcodes that occur in s by what
// render returns for them. Shortcodes inside HTML tags run in the values of
// attributes only, and not at all with ignoreHTML.
func runShortcodes(s string, allowed shortcodeSet, ignoreHTML bool, render func(shortcode) string) string {
	if !strings.Contains(s, "[") {
		return s
	}
	names := openShortcodes(s) & allowed
	if names == 0 {
		return s
	}
	s = shortcodesInTags(s, names, ignoreHTML, render)
	s = expandShortcodes(s, names, render)
	return showBrackets.Replace(s)
}

var (
	keepWrittenBrackets = strings.NewReplacer("&#91;", "&#091;", "&#93;", "&#093;")
	hideBrackets        = strings.NewReplacer("[", "&#91;", "]", "&#93;")
	showBrackets        = strings.NewReplacer("&#91;", "[", "&#93;", "]")
)

// expandShortcodes replaces the shortcodes in s by their output. An escaped one
// loses its outer brackets instead.
func expandShortcodes(s string, names shortcodeSet, render func(shortcode) string) string {
	scanner := newShortcodeScanner(s, names)
	out := patch{src: s}
	for pos := 0; ; {
		found, ok := scanner.next(pos)
		if !ok {
			return out.String()
		}
		pos = found.end
		if found.extraOpen && found.extraClose {
			out.replace(found.start, found.end, s[found.start+1:found.end-1])
			continue
		}
		open, end := "", ""
		if found.extraOpen {
			open = "["
		}
		if found.extraClose {
			end = "]"
		}
		out.replace(found.start, found.end, open, render(found), end)
	}
}
