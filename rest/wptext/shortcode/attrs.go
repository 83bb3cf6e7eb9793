package shortcode

import (
	"strings"

	"calbridge/rest/wptext/scan"
	"calbridge/wpstore/php"
)

// ParseAttrs reads the attributes of a shortcode: name="value",
// name='value' and name=value under their lower-case names, everything else
// ("value", 'value', word) under numbers from 0.
func ParseAttrs(text string) *php.Array {
	attrs := &php.Array{}
	text = plainSpaces(text)
	for p := scan.SkipWhite(text, 0); p < len(text); p = scan.SkipWhite(text, p) {
		name, value, end := parseAttr(text, p)
		value = balancedOrNothing(unescapeC(value))
		if name == "" {
			attrs.Append(value)
		} else {
			attrs.SetString(strings.ToLower(name), value)
		}
		p = end
	}
	return attrs
}

// plainSpaces turns no-break and zero-width spaces into plain ones, a run into
// one.
func plainSpaces(s string) string {
	const noBreak, zeroWidth = "\u00a0", "\u200b"
	if !strings.Contains(s, noBreak) && !strings.Contains(s, zeroWidth) {
		return s
	}
	var sb strings.Builder
	run := false
	for i := 0; i < len(s); {
		switch {
		case strings.HasPrefix(s[i:], noBreak):
			i += len(noBreak)
		case strings.HasPrefix(s[i:], zeroWidth):
			i += len(zeroWidth)
		default:
			run = false
			sb.WriteByte(s[i])
			i++
			continue
		}
		if !run {
			sb.WriteByte(' ')
		}
		run = true
	}
	return sb.String()
}

// parseAttr reads the attribute at p, which is no white space.
func parseAttr(s string, p int) (name, value string, end int) {
	q := p
	for q < len(s) && (scan.IsWord(s[q]) || s[q] == '-') {
		q++
	}
	if q > p {
		if e := scan.SkipWhite(s, q); e < len(s) && s[e] == '=' {
			v := scan.SkipWhite(s, e+1)
			if value, end, ok := quotedAt(s, v); ok {
				return s[p:q], value, end
			}
			w := v
			for w < len(s) && !scan.IsSpace(s[w]) && s[w] != '"' && s[w] != '\'' {
				w++
			}
			if w > v && (w == len(s) || scan.IsSpace(s[w])) {
				return s[p:q], s[v:w], w
			}
		}
	}
	if value, end, ok := quotedAt(s, p); ok {
		return "", value, end
	}
	for end = p; end < len(s) && !scan.IsSpace(s[end]); end++ {
	}
	return "", s[p:end], end
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
	if end < len(s) && !scan.IsSpace(s[end]) {
		return "", 0, false
	}
	return s[p+1 : end-1], end, true
}

// balancedOrNothing drops a value with a "<" that no ">" closes.
func balancedOrNothing(value string) string {
	for rest := value; ; {
		i := strings.IndexByte(rest, '<')
		if i < 0 {
			return value
		}
		j := strings.IndexByte(rest[i:], '>')
		if j < 0 {
			return ""
		}
		rest = rest[i+j+1:]
	}
}

// controls are the characters that a backslash and a letter stand for in C.
var controls = [...]byte{'n': '\n', 't': '\t', 'r': '\r', 'a': '\a', 'v': '\v', 'b': '\b', 'f': '\f'}

// unescapeC is PHP's stripcslashes: it resolves backslash escapes as C knows
// them and drops other backslashes.
func unescapeC(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			if s[i] != '\\' {
				out = append(out, s[i])
			}
			continue
		}
		i++
		switch c := s[i]; c {
		case 'n', 't', 'r', 'a', 'v', 'b', 'f':
			out = append(out, controls[c])
		case 'x':
			if i+1 < len(s) && scan.IsHex(s[i+1]) {
				n, digits := byteValue(s[i+1:], 2, 16)
				out = append(out, n)
				i += digits
			} else {
				out = append(out, c)
			}
		default:
			if n, digits := byteValue(s[i:], 3, 8); digits > 0 {
				out = append(out, n)
				i += digits - 1
			} else {
				out = append(out, c)
			}
		}
	}
	return string(out)
}

// byteValue reads at most limit digits of the base; more than a byte wraps.
func byteValue(s string, limit, base int) (value byte, digits int) {
	for digits < limit && digits < len(s) {
		c := s[digits]
		d := 99
		switch {
		case scan.IsDigit(c):
			d = int(c - '0')
		case scan.IsHex(c):
			d = int(c|0x20-'a') + 10
		}
		if d >= base {
			break
		}
		value = value*byte(base) + byte(d)
		digits++
	}
	return value, digits
}

// Attr returns an attribute, fallback when it is not given.
func Attr(attrs *php.Array, name, fallback string) string {
	v, ok := attrs.Lookup(name)
	if !ok {
		return fallback
	}
	return php.ToString(v)
}
