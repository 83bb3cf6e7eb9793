package sanitize

import (
	"strings"
	"unicode/utf8"

	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/scan"
	"calbridge/wpstore/php"
)

// TextField is WordPress's sanitize_text_field: one line of text
// without tags, surplus white space and percent-encoded bytes. Text that is
// not valid UTF-8 gives "".
func TextField(s string) string {
	if !utf8.ValidString(s) {
		return ""
	}
	if strings.IndexByte(s, '<') >= 0 {
		s = StripAllTags(escape.LoneLess(s))
		s = strings.ReplaceAll(s, "<\n", "&lt;\n")
	}
	s = php.Trim(oneSpace(s))
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	cut := escape.RemoveOctets(s, func(high, low byte) bool { return scan.IsHex(high) && scan.IsHex(low) })
	if len(cut) < len(s) {
		cut = php.Trim(singleSpaces(cut))
	}
	return cut
}

// oneSpace writes each run of space, tab and line breaks as one space.
func oneSpace(s string) string {
	p := scan.Patch{Src: s}
	for i := 0; i < len(s); i++ {
		if !scan.IsPlainSpace(s[i]) {
			continue
		}
		start := i
		for i+1 < len(s) && scan.IsPlainSpace(s[i+1]) {
			i++
		}
		if i > start || s[start] != ' ' {
			p.Replace(start, i+1, " ")
		}
	}
	return p.String()
}

// singleSpaces writes each run of spaces as one.
func singleSpaces(s string) string {
	p := scan.Patch{Src: s}
	for i := 0; i+1 < len(s); i++ {
		if s[i] == ' ' && s[i+1] == ' ' {
			p.Replace(i, i+1)
		}
	}
	return p.String()
}
