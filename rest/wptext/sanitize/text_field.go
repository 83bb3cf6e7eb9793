package sanitize

import (
	"strings"
	"unicode/utf8"

	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/markup"
	"calbridge/wpstore/php"
)

// TextField reproduces WordPress's sanitize_text_field: one line of text without tags,
// surplus white space and percent-encoded bytes. Text
// that isn't valid UTF-8 gives "".
func TextField(s string) string {
	if !utf8.ValidString(s) {
		return ""
	}
	if strings.IndexByte(s, '<') >= 0 {
		s = StripAllTags(escape.Rules{}.LoneLess(s))
		s = strings.ReplaceAll(s, "<\n", "&lt;\n")
	}
	s = php.Trim(markup.ReplaceRuns(s, 1, " ", markup.IsPlainSpace))
	cut := escape.RemoveOctets(s, func(high, low byte) bool { return markup.IsHex(high) && markup.IsHex(low) })
	if len(cut) < len(s) {
		cut = php.Trim(markup.ReplaceRuns(cut, 1, " ", func(c byte) bool { return c == ' ' }))
	}
	return cut
}
