package typography

import (
	"strings"

	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/markup"

	"calbridge/rest/wptext/shortcode"
)

// Texturize reproduces WordPress's wptexturize: it turns straight quotes, primes, dashes,
// ellipses and multiplication signs into character references of the locale's
// typographic characters, and encodes bare ampersands. Tags (apart from their
// ampersands), comments, registered shortcodes and the text inside pre, code, kbd,
// style, script and tt stay. A nil locale means English.
func Texturize(s string, loc *Locale) string {
	if !texturizable(s) {
		return s
	}
	if loc == nil {
		loc = &english
	}
	p := markup.Patch{Src: s}
	names := shortcode.Occurring(s, true)
	var open []string // the elements around the position whose text must not change
	for pos := 0; pos < len(s); {
		start, end := nextTexturizeToken(s, pos, names)
		if text := s[pos:start]; text != "" && len(open) == 0 && texturizable(text) {
			p.Replace(pos, start, texturizeText(text, loc))
		}
		if token := s[start:end]; token != "" && token[0] == '<' && !strings.HasPrefix(token, "<!--") {
			if encoded := escape.Ampersands(token); len(encoded) != len(token) {
				p.Replace(start, end, encoded)
				token = encoded
			}
			open = pushPop(open, token)
		}
		pos = end
	}
	return p.String()
}

// texturizable reports whether s holds anything that Texturize could change. The
// words of a locale all contain an apostrophe.
func texturizable(s string) bool {
	return strings.ContainsAny(s, "'\"-&") || strings.Contains(s, "...") || strings.Contains(s, "``") ||
		strings.Contains(s, "(tm)") || hasMultiplication(s)
}

// pushPop follows the nesting of the elements whose text stays. As in WordPress the
// name of an element ends at the first space of its tag or before the last character
// of the tag, so <pre> written over two lines and <PRE> don't count.
func pushPop(open []string, tag string) []string {
	name, _, found := strings.Cut(tag[1:], " ")
	if !found {
		name = name[:max(len(name)-1, 0)]
	}
	name, closing := strings.CutPrefix(name, "/")
	switch name {
	case "pre", "code", "kbd", "style", "script", "tt":
		if !closing {
			return append(open, name)
		}
		if len(open) > 0 && open[len(open)-1] == name {
			return open[:len(open)-1]
		}
	}
	return open
}

// nextTexturizeToken returns the bounds of the first tag or shortcode of s at
// or behind pos, or len(s) twice.
func nextTexturizeToken(s string, pos int, names shortcode.Set) (start, end int) {
	if names == 0 {
		return markup.NextToken(s, pos, false)
	}
	for i := pos; i < len(s); i++ {
		switch s[i] {
		case '<':
			return markup.NextToken(s, i, false)
		case '[':
			if end := texturizeShortcode(s, i, names); end > 0 {
				return i, end
			}
		}
	}
	return len(s), len(s)
}

// texturizeShortcode returns the end of the shortcode tag that starts with the
// bracket at s[i], or 0 if none does. It may hold whole HTML tags, but no
// further bracket, and ends in one or two closing brackets.
func texturizeShortcode(s string, i int, names shortcode.Set) int {
	i++
	if i < len(s) && (s[i] == '/' || s[i] == '[') {
		i++
	}
	named := false
	for n, name := range shortcode.Names {
		end := i + len(name)
		if names&(1<<n) != 0 && end < len(s) && s[i:end] == name &&
			(s[end] == ']' || s[end] == '/' || markup.IsSpace(s[end])) {
			i, named = end, true
			break
		}
	}
	if !named {
		return 0
	}
	for ; i < len(s); i++ {
		switch s[i] {
		case '[', '>':
			return 0
		case ']':
			if i+1 < len(s) && s[i+1] == ']' {
				return i + 2
			}
			return i + 1
		case '<':
			n := strings.IndexAny(s[i+1:], "[]>")
			if n < 0 || s[i+1+n] != '>' {
				return 0
			}
			i += 1 + n
		}
	}
	return 0
}
