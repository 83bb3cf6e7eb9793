package shortcode

import (
	"regexp"
	"slices"
	"strings"

	"calbridge/rest/wptext/markup"
)

// Foreign holds the shortcodes of other plugins.
type Foreign struct {
	// Names are shortcodes that are registered. One of [Names] is among them if another plugin
	// has replaced it.
	Names []string
	// Complete reports that no other shortcode is registered. Otherwise shortcodes are also
	// recognized by their form.
	Complete bool
}

// Note calls note, with the name in brackets, for each shortcode of another plugin in s. Unless
// f is complete, bracketed words with attributes (name=value), a closing tag or an underscore in
// the name count as shortcodes too. [1], [sic] and [see page 3] are text, unless certain reports
// that s holds only shortcodes.
func (f *Foreign) Note(s string, certain bool, note func(bracketed string)) {
	p := markup.Patch{Src: s}
	if len(f.Names) > 0 {
		for i := range p.Each("[") {
			if name := openingName(s[i+1:]); slices.Contains(f.Names, name) {
				note("[" + name + "]")
			}
		}
	}
	if !f.Complete {
		noteByForm(s, certain, note)
	}
}

// openingName returns the name at the start of s, as WordPress reads names behind a bracket.
func openingName(s string) string {
	n := 0
	for n < len(s) && s[n] > ' ' && strings.IndexByte("<>&/[]=", s[n]) < 0 {
		n++
	}
	return s[:n]
}

// noteByForm calls note for each bracketed word that has the form of a shortcode.
func noteByForm(s string, certain bool, note func(bracketed string)) {
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
		if certain || closed[name] || strings.Contains(name, "_") || namedAttr.MatchString(attrs) {
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
