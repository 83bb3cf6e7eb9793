package wptext

import (
	"strings"
	"unicode/utf8"
)

// SanitizeTextField is WordPress's sanitize_text_field: one line of text
// without tags, surplus white space and percent-encoded bytes. Text that is
// not valid UTF-8 gives "".
func SanitizeTextField(s string) string {
	if !utf8.ValidString(s) {
		return ""
	}
	if strings.IndexByte(s, '<') >= 0 {
		s = StripAllTags(escapeLoneLess(s))
		s = strings.ReplaceAll(s, "<\n", "&lt;\n")
	}
	s = trimPHP(oneSpace(s))
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	cut := removeOctets(s, func(high, low byte) bool { return isHex(high) && isHex(low) })
	if len(cut) < len(s) {
		cut = trimPHP(singleSpaces(cut))
	}
	return cut
}

// oneSpace writes each run of space, tab and line breaks as one space.
func oneSpace(s string) string {
	p := patch{src: s}
	for i := 0; i < len(s); i++ {
		if !isPlainSpace(s[i]) {
			continue
		}
		start := i
		for i+1 < len(s) && isPlainSpace(s[i+1]) {
			i++
		}
		if i > start || s[start] != ' ' {
			p.replace(start, i+1, " ")
		}
	}
	return p.String()
}

// singleSpaces writes each run of spaces as one.
func singleSpaces(s string) string {
	p := patch{src: s}
	for i := 0; i+1 < len(s); i++ {
		if s[i] == ' ' && s[i+1] == ' ' {
			p.replace(i, i+1)
		}
	}
	return p.String()
}
