package shortcode

import (
	"regexp"
	"slices"
	"strings"

	"calbridge/rest/wptext/markup"
)

// NoteForeign calls note, with the name in brackets, for each likely shortcode of
// another plugin: a bracketed word that the site's settings name (registered), or one
// with attributes (name=value), a closing tag or an underscore in its name. [1], [sic]
// and [see page 3] are text, unless certain says that s holds only shortcodes.
func NoteForeign(s string, registered []string, certain bool, note func(bracketed string)) {
	closed := closingTags(s)
	p := markup.Patch{Src: s}
	for i := range p.Each("[") {
		name := leadingName(s[i+1:])
		if name == "" || slices.Contains(Names[:], name) {
			continue
		}
		rest := s[i+1+len(name):]
		end := strings.IndexAny(rest, "[]")
		if end < 0 || rest[end] == '[' {
			continue
		}
		attrs := rest[:end]
		if attrs != "" && attrs != "/" && !markup.IsSpace(attrs[0]) {
			continue
		}
		if certain || closed[name] || strings.Contains(name, "_") || namedAttr.MatchString(attrs) || slices.Contains(registered, name) {
			note("[" + name + "]")
		}
	}
}

// maxName bounds the length of names.
const maxName = 64

// leadingName returns the name at the start of s, such as plugins give to shortcodes:
// a letter or underscore, then also digits, hyphens and colons; or "".
func leadingName(s string) string {
	n := 0
	for n < len(s) && n <= maxName && (markup.IsWord(s[n]) || n > 0 && (s[n] == '-' || s[n] == ':')) {
		n++
	}
	if n == 0 || n > maxName || s[0] >= '0' && s[0] <= '9' {
		return ""
	}
	return s[:n]
}

// closingTags returns the names of which there is a closing tag.
func closingTags(s string) map[string]bool {
	names := map[string]bool{}
	p := markup.Patch{Src: s}
	for i := range p.Each("[/") {
		if name := leadingName(s[i+2:]); strings.HasPrefix(s[i+2+len(name):], "]") {
			names[name] = true
		}
	}
	return names
}

// namedAttr matches attributes as written of which one has a name.
var namedAttr = regexp.MustCompile(`\w\s*=\s*\S`)
