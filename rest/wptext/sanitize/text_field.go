package sanitize

import (
	"strings"
	"unicode/utf8"

	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/scan"
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
	s = php.Trim(scan.ReplaceRuns(s, 1, " ", scan.IsPlainSpace))
	cut := escape.RemoveOctets(s, func(high, low byte) bool { return scan.IsHex(high) && scan.IsHex(low) })
	if len(cut) < len(s) {
		cut = php.Trim(scan.ReplaceRuns(cut, 1, " ", func(c byte) bool { return c == ' ' }))
	}
	return cut
}
