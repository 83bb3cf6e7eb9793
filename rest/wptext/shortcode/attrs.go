package shortcode

import (
	"regexp"
	"strconv"
	"strings"

	"calbridge/rest/wptext/markup"
	"calbridge/wpstore/php"
)

// ParseAttrs reads the attributes of a shortcode:
// name="value", name='value' and name=value under their lower-case names, everything
// else ("value", 'value', word) under numbers from 0.
func ParseAttrs(text string) *php.Array {
	attrs := &php.Array{}
	text = oddSpaces.ReplaceAllLiteralString(text, " ")
	for p := markup.SkipWhite(text, 0); p < len(text); p = markup.SkipWhite(text, p) {
		name, value, end := parseAttr(text, p)
		value = unescapeC(value)
		if strings.LastIndexByte(value, '<') > strings.LastIndexByte(value, '>') {
			value = "" // an unclosed tag
		}
		if name == "" {
			attrs.Append(value)
		} else {
			attrs.SetString(strings.ToLower(name), value)
		}
		p = end
	}
	return attrs
}

// oddSpaces are runs of no-break and zero-width spaces.
var oddSpaces = regexp.MustCompile("[\u00a0\u200b]+")

// parseAttr reads the attribute at p, which isn't white space.
func parseAttr(s string, p int) (name, value string, end int) {
	q := p
	for q < len(s) && (markup.IsWord(s[q]) || s[q] == '-') {
		q++
	}
	if q > p {
		if e := markup.SkipWhite(s, q); e < len(s) && s[e] == '=' {
			v := markup.SkipWhite(s, e+1)
			if value, end, ok := quotedAt(s, v); ok {
				return s[p:q], value, end
			}
			if w := unspaced(s, v); w > v && !strings.ContainsAny(s[v:w], `"'`) {
				return s[p:q], s[v:w], w
			}
		}
	}
	if value, end, ok := quotedAt(s, p); ok {
		return "", value, end
	}
	end = unspaced(s, p)
	return "", s[p:end], end
}

// unspaced returns the end of the run without white space at p.
func unspaced(s string, p int) int {
	for p < len(s) && !markup.IsSpace(s[p]) {
		p++
	}
	return p
}

// quotedAt reads a quoted text at p that white space or the end follows.
func quotedAt(s string, p int) (value string, end int, ok bool) {
	if p >= len(s) || s[p] != '"' && s[p] != '\'' {
		return "", 0, false
	}
	i := strings.IndexByte(s[p+1:], s[p])
	if i < 0 {
		return "", 0, false
	}
	end = p + 1 + i + 1
	if end < len(s) && !markup.IsSpace(s[end]) {
		return "", 0, false
	}
	return s[p+1 : end-1], end, true
}

// unescapeC reproduces PHP's stripcslashes: it resolves C's backslash escapes and drops other
// backslashes.
func unescapeC(s string) string {
	return cEscape.ReplaceAllStringFunc(s, func(escape string) string {
		code := escape[1:]
		switch {
		case code == "":
			return escape // at the end of the text
		case len(code) > 1 && code[0] == 'x':
			n, _ := strconv.ParseUint(code[1:], 16, 8)
			return string([]byte{byte(n)})
		case code[0] >= '0' && code[0] <= '7':
			n, _ := strconv.ParseUint(code, 8, 16)
			return string([]byte{byte(n)}) // more than a byte wraps
		}
		if i := strings.Index("abtnvfr", code); i >= 0 {
			return "\a\b\t\n\v\f\r"[i : i+1]
		}
		return code
	})
}

var cEscape = regexp.MustCompile(`(?s)\\(?:x[0-9A-Fa-f]{1,2}|[0-7]{1,3}|.|$)`)

// Attr returns an attribute, or fallback without it.
func Attr(attrs *php.Array, name, fallback string) string {
	v, ok := attrs.Lookup(name)
	if !ok {
		return fallback
	}
	return php.ToString(v)
}
