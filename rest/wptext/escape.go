package wptext

import (
	"strings"
	"unicode/utf8"
)

// EscHTML is WordPress's esc_html: it makes s safe as text of HTML. Character
// references that are there stay. Text that is not valid UTF-8 gives "".
func EscHTML(s string) string { return escapeHTML(s, true) }

// EscAttr is WordPress's esc_attr, for text inside a quoted attribute value.
// It does the same as [EscHTML].
func EscAttr(s string) string { return escapeHTML(s, true) }

func escapeHTML(s string, single bool) string {
	if !utf8.ValidString(s) {
		return ""
	}
	if !strings.ContainsAny(s, `&<>"'`) {
		return s
	}
	s = NormalizeEntities(s)
	p := patch{src: s}
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '<':
			p.replace(i, i+1, "&lt;")
		case '>':
			p.replace(i, i+1, "&gt;")
		case '"':
			p.replace(i, i+1, "&quot;")
		case '\'':
			if single {
				p.replace(i, i+1, "&#039;")
			}
		}
	}
	return p.String()
}

// EscJS is WordPress's esc_js, for text inside of a string of JavaScript in an
// attribute: [EscHTML] except for single quotes, which get a backslash, and
// with line feeds as the two characters \n.
func EscJS(s string) string {
	s = apostrophes(StripSlashes(escapeHTML(s, false)))
	var b strings.Builder
	b.Grow(len(s) + 16)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '\r':
		case '\n':
			b.WriteString(`\n`)
		case 0:
			b.WriteString(`\0`)
		case '\\', '\'', '"':
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// StripSlashes is PHP's stripslashes: it takes one level of backslashes away.
// WordPress does this to texts that reach the database through the REST API.
func StripSlashes(s string) string {
	p := patch{src: s}
	for i := indexFrom(s, '\\', 0); i >= 0; i = indexFrom(s, '\\', i+2) {
		if i+1 < len(s) && s[i+1] == '0' {
			p.replace(i, i+2, "\x00")
		} else {
			p.replace(i, i+1)
		}
	}
	return p.String()
}

// apostrophes decodes the numeric references to the apostrophe, with any
// number of leading zeros and with or without a semicolon.
func apostrophes(s string) string {
	p := patch{src: s}
	for pos := 0; ; {
		n := strings.Index(s[pos:], "&#")
		if n < 0 {
			return p.String()
		}
		start := pos + n
		end := start + len("&#")
		code := "39"
		if end < len(s) && s[end]|0x20 == 'x' {
			code = "27"
			end++
		}
		for end < len(s) && s[end] == '0' {
			end++
		}
		pos = end
		if strings.HasPrefix(s[end:], code) {
			pos += len(code)
			if pos < len(s) && s[pos] == ';' {
				pos++
			}
			p.replace(start, pos, "'")
		}
	}
}

// escapeLoneLess escapes each "<" that no ">" follows, up to the next "<" or
// the end of the text, together with the text behind it.
func escapeLoneLess(s string) string {
	p := patch{src: s}
	for i := indexFrom(s, '<', 0); i >= 0; {
		end := len(s)
		if n := strings.IndexAny(s[i+1:], "<>"); n >= 0 {
			end = i + 1 + n
		} else if s[end-1] == '\n' {
			end--
		}
		if end == len(s) || s[end] != '>' {
			p.replace(i, end, EscHTML(s[i:end]))
		}
		i = indexFrom(s, '<', end)
	}
	return p.String()
}
