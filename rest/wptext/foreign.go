package wptext

import (
	"slices"
	"strings"
)

// foreignBlock says whether the block is another plugin's and may show something
// else than the HTML saved in the text. Only the plugin knows, so the site names
// the blocks that do not.
func (r *renderer) foreignBlock(b *block) bool {
	space, _, _ := strings.Cut(b.name, "/")
	return space != "core" && !slices.ContainsFunc(r.site.StaticBlocks, func(known string) bool {
		return known == b.name || known == space+"/*"
	})
}

// countForeignShortcodes takes note of what is written like a shortcode of another
// plugin. Which ones there are, no table tells: a word in brackets is one if the
// site names it, or if nobody would write it as mere text: with attributes
// (name=value), with a closing tag behind it, with an underscore in its name, or in
// the block for shortcodes. Such as [1], [sic] and [see page 3] are text.
func (r *renderer) countForeignShortcodes(s string, certain bool) {
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
		name := shortcodeWord(s[pos:])
		if name == "" || slices.Contains(shortcodeNames[:], name) {
			continue
		}
		rest := s[pos+len(name):]
		end := strings.IndexAny(rest, "[]")
		if end < 0 || rest[end] == '[' {
			continue
		}
		attrs := rest[:end]
		if attrs != "" && attrs != "/" && !isSpace(attrs[0]) {
			continue
		}
		if certain || closed[name] || strings.Contains(name, "_") || hasNamedAttr(attrs) || slices.Contains(r.site.Shortcodes, name) {
			r.req.notRendered("[" + name + "]")
		}
	}
}

// maxShortcodeWord bounds the length of names that are looked at.
const maxShortcodeWord = 64

// shortcodeWord returns the name that s starts with if it is one that plugins give
// to shortcodes: a letter, then letters, digits, hyphens, underscores and colons.
func shortcodeWord(s string) string {
	n := 0
	for n < len(s) && n <= maxShortcodeWord && (isWord(s[n]) || n > 0 && (s[n] == '-' || s[n] == ':')) {
		n++
	}
	if n == 0 || n > maxShortcodeWord || s[0] >= '0' && s[0] <= '9' {
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
		if name := shortcodeWord(s); name != "" && strings.HasPrefix(s[len(name):], "]") {
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
		if n := len(before); n > 0 && isWord(before[n-1]) && strings.TrimLeft(after, " \t\r\n") != "" {
			return true
		}
		attrs = after
	}
}
