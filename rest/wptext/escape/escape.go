package escape

import (
	"strings"
	"unicode/utf8"

	"calbridge/rest/wptext/scan"
)

// HTML is WordPress's esc_html: it makes s safe as text of HTML. Character
// references that are there stay. Text that is not valid UTF-8 gives "".
func HTML(s string) string { return escapeHTML(s, true) }

// Attr is WordPress's esc_attr, for text inside a quoted attribute value.
// It does the same as [HTML].
func Attr(s string) string { return escapeHTML(s, true) }

func escapeHTML(s string, single bool) string {
	if !utf8.ValidString(s) {
		return ""
	}
	if !strings.ContainsAny(s, `&<>"'`) {
		return s
	}
	s = NormalizeEntities(s)
	p := scan.Patch{Src: s}
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '<':
			p.Replace(i, i+1, "&lt;")
		case '>':
			p.Replace(i, i+1, "&gt;")
		case '"':
			p.Replace(i, i+1, "&quot;")
		case '\'':
			if single {
				p.Replace(i, i+1, "&#039;")
			}
		}
	}
	return p.String()
}

// JS is WordPress's esc_js, for text inside of a string of JavaScript in an
// attribute: [HTML] except for single quotes, which get a backslash, and
// with line feeds as the two characters \n.
func JS(s string) string {
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
	p := scan.Patch{Src: s}
	for i := scan.IndexFrom(s, '\\', 0); i >= 0; i = scan.IndexFrom(s, '\\', i+2) {
		if i+1 < len(s) && s[i+1] == '0' {
			p.Replace(i, i+2, "\x00")
		} else {
			p.Replace(i, i+1)
		}
	}
	return p.String()
}

// apostrophes decodes the numeric references to the apostrophe, with any
// number of leading zeros and with or without a semicolon.
func apostrophes(s string) string {
	p := scan.Patch{Src: s}
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
			p.Replace(start, pos, "'")
		}
	}
}

// LoneLess escapes each "<" that no ">" follows, up to the next "<" or
// the end of the text, together with the text behind it.
func LoneLess(s string) string {
	p := scan.Patch{Src: s}
	for i := scan.IndexFrom(s, '<', 0); i >= 0; {
		end := len(s)
		if n := strings.IndexAny(s[i+1:], "<>"); n >= 0 {
			end = i + 1 + n
		} else if s[end-1] == '\n' {
			end--
		}
		if end == len(s) || s[end] != '>' {
			p.Replace(i, end, HTML(s[i:end]))
		}
		i = scan.IndexFrom(s, '<', end)
	}
	return p.String()
}
