package kses

import (
	"strings"

	"calbridge/rest/wptext/markup"
)

// writtenAttributes reads the attributes in a text as WordPress before 7.0 does: as they are
// written. Of attributes with the same name, in the same case, the first wins. An attribute
// whose value isn't followed by white space or the end is lost, with what is behind it up to
// the next white space.
func writtenAttributes(text string) (list []attribute) {
	seen := make(map[string]bool)
	keep := func(a attribute) {
		if !seen[a.name] {
			a.lower = markup.LowerASCII(a.name)
			seen[a.name] = true
			list = append(list, a)
		}
	}
	for p := markup.SkipWhite(text, 0); p < len(text); {
		end := attributeName(text, p)
		if end == p {
			p = skipRuns(text, p)
			continue
		}
		name := text[p:end]
		p = markup.SkipWhite(text, end)
		switch {
		case p < len(text) && text[p] == '=':
			value, next, ok := attributeValue(text, markup.SkipWhite(text, p+1))
			if !ok {
				p = skipRuns(text, next)
				continue
			}
			value.name = name
			keep(value)
			p = next
		case p > end || p == len(text):
			keep(attribute{name: name, bare: true})
		default:
			p = skipRuns(text, p)
		}
	}
	return list
}

// attributeName returns the end of the name at p, or p.
func attributeName(s string, p int) int {
	start := p
	for p < len(s) && (markup.IsLetter(s[p]) || s[p] == '_' || p > start && (markup.IsDigit(s[p]) || strings.IndexByte("-:.", s[p]) >= 0)) {
		p++
	}
	return p
}

// attributeValue reads the value at p and the white space behind it, or a slash that ends
// the text. Without a value next is p.
func attributeValue(s string, p int) (a attribute, next int, ok bool) {
	end := p
	a.quote = '"'
	if p < len(s) && (s[p] == '"' || s[p] == '\'') {
		a.quote = s[p]
		n := strings.IndexByte(s[p+1:], a.quote)
		if n < 0 {
			return a, p, false
		}
		end = p + 1 + n + 1
		a.value = s[p+1 : end-1]
	} else {
		for end < len(s) && !markup.IsSpace(s[end]) && s[end] != '"' && s[end] != '\'' {
			end++
		}
		if end == p {
			return a, p, false
		}
		a.value = s[p:end]
	}
	switch {
	case end == len(s):
		return a, end, true
	case s[end:] == "/":
		return a, len(s), true
	case markup.IsSpace(s[end]):
		return a, markup.SkipWhite(s, end), true
	}
	return a, p, false
}

// skipRuns returns the offset behind the quoted strings and other characters without white
// space at p, and the white space behind them. A quotation without its end takes the rest.
func skipRuns(s string, p int) int {
	for p < len(s) && !markup.IsSpace(s[p]) {
		if s[p] == '"' || s[p] == '\'' {
			n := strings.IndexByte(s[p+1:], s[p])
			if n < 0 {
				return len(s)
			}
			p += n + 1
		}
		p++
	}
	return markup.SkipWhite(s, p)
}
