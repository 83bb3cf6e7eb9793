package shortcode

import (
	"slices"
	"strings"

	"calbridge/rest/wptext/scan"
)

// NoteForeign calls note, with the name in brackets, for whatever is
// written like a shortcode of another plugin. Which ones there are, no table
// tells: a word in brackets is one if it is among those that the site names
// (registered), or if nobody would write it as mere text: with attributes
// (name=value), with a closing tag behind it, with an underscore in its name.
// Such as [1], [sic] and [see page 3] are text, unless certain says that s holds
// nothing but shortcodes.
func NoteForeign(s string, registered []string, certain bool, note func(bracketed string)) {
	if !strings.Contains(s, "[") {
		return
	}
	closed := closingTags(s)
	for pos := 0; ; {
		i := strings.IndexByte(s[pos:], '[')
		if i < 0 {
			return
		}
		pos += i + 1
		name := leadingName(s[pos:])
		if name == "" || slices.Contains(Names[:], name) {
			continue
		}
		rest := s[pos+len(name):]
		end := strings.IndexAny(rest, "[]")
		if end < 0 || rest[end] == '[' {
			continue
		}
		attrs := rest[:end]
		if attrs != "" && attrs != "/" && !scan.IsSpace(attrs[0]) {
			continue
		}
		if certain || closed[name] || strings.Contains(name, "_") || hasNamedAttr(attrs) || slices.Contains(registered, name) {
			note("[" + name + "]")
		}
	}
}

// maxName bounds the length of names that are looked at.
const maxName = 64

// leadingName returns the name that s starts with if it is one that plugins give
// to shortcodes: a letter, then letters, digits, hyphens, underscores and colons.
func leadingName(s string) string {
	n := 0
	for n < len(s) && n <= maxName && (scan.IsWord(s[n]) || n > 0 && (s[n] == '-' || s[n] == ':')) {
		n++
	}
	if n == 0 || n > maxName || s[0] >= '0' && s[0] <= '9' {
		return ""
	}
	return s[:n]
}

// closingTags returns the names of which there is a closing tag.
func closingTags(s string) map[string]bool {
	var names map[string]bool
	for {
		_, after, found := strings.Cut(s, "[/")
		if !found {
			return names
		}
		s = after
		if name := leadingName(s); name != "" && strings.HasPrefix(s[len(name):], "]") {
			if names == nil {
				names = map[string]bool{}
			}
			names[name] = true
		}
	}
}

// hasNamedAttr says whether attributes as written have one with a name.
func hasNamedAttr(attrs string) bool {
	for {
		before, after, found := strings.Cut(attrs, "=")
		if !found {
			return false
		}
		before = strings.TrimRight(before, " \t\r\n")
		if n := len(before); n > 0 && scan.IsWord(before[n-1]) && strings.TrimLeft(after, " \t\r\n") != "" {
			return true
		}
		attrs = after
	}
}
