package typography

import (
	"strings"

	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/markup"
	"calbridge/rest/wptext/scan"
	"calbridge/rest/wptext/shortcode"
)

// Texturize is WordPress's wptexturize: it turns straight quotes, primes,
// dashes, ellipses and multiplication signs of plain text into the
// typographic characters of the locale, written as character references, and
// encodes bare ampersands. Tags, comments, registered shortcodes and the text
// inside of pre, code, kbd, style, script and tt stay as they are, save for
// the ampersands of tags. A nil locale means English.
func Texturize(s string, loc *Locale) string {
	if !texturizable(s) {
		return s
	}
	if loc == nil {
		loc = &english
	}
	p := scan.Patch{Src: s}
	names := shortcode.Occurring(s)
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

// texturizable reports whether s holds anything that Texturize could change.
// The words of a locale need no look: each contains an apostrophe.
func texturizable(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\'', '"', '-', '&':
			return true
		case '.':
			if strings.HasPrefix(s[i:], "...") {
				return true
			}
		case '`':
			if strings.HasPrefix(s[i:], "``") {
				return true
			}
		case '(':
			if strings.HasPrefix(s[i:], "(tm)") {
				return true
			}
		case 'x':
			if scan.DigitAt(s, i-1) && scan.DigitAt(s, i+1) {
				return true
			}
		}
	}
	return false
}

// pushPop follows the nesting of the elements whose text stays untouched. As
// in WordPress the name of an element ends at the first space of its tag, or
// in front of the last character of the tag: <pre> written over two lines and
// <PRE> do not count.
func pushPop(open []string, tag string) []string {
	offset, closing := 1, false
	if len(tag) > 1 && tag[1] == '/' {
		if len(open) == 0 {
			return open
		}
		offset, closing = 2, true
	}
	end := strings.IndexByte(tag, ' ')
	if end < 0 {
		end = len(tag) - 1
	}
	if end <= offset {
		return open
	}
	switch name := tag[offset:end]; name {
	case "pre", "code", "kbd", "style", "script", "tt":
		if !closing {
			return append(open, name)
		}
		if open[len(open)-1] == name {
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
			(s[end] == ']' || s[end] == '/' || scan.IsSpace(s[end])) {
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
