package rfc5545

import (
	"strings"
	"unicode/utf8"
)

// clean returns a text without what no value may contain. Line ends of every kind become "\n",
// broken UTF-8 becomes U+FFFD, and control characters are removed.
func clean(s string) string {
	if plainASCII(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch {
		case r == '\r' && i < len(s) && s[i] == '\n':
		case r == '\n' || r == '\r' || r == '\v' || r == '\f' || r >= 0x1C && r <= 0x1E || r == 0x85 || r == 0x2028 || r == 0x2029:
			b.WriteByte('\n')
		case r == '\t':
			b.WriteByte('\t')
		case r < ' ' || r >= 0x7F && r < 0xA0:
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func plainASCII(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

// escapeText escapes what separates values and parts of them.
var escapeText = strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\n", `\n`)

// text returns a value of type TEXT.
func text(s string) string { return escapeText.Replace(clean(s)) }

// line returns a value of type TEXT in one line, without space around it.
func line(s string) string { return escapeText.Replace(oneLine(s)) }

func oneLine(s string) string { return strings.Join(strings.Fields(clean(s)), " ") }

// parameter returns a quoted value of a parameter: quotes become apostrophes, and a caret is
// doubled (RFC 6868).
func parameter(s string) string {
	return `"` + strings.NewReplacer(`"`, "'", "^", "^^").Replace(oneLine(s)) + `"`
}

// uri returns a value of type URI: characters that RFC 3986 doesn't allow are percent-encoded.
func uri(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case c <= ' ' || c >= 0x7F || strings.IndexByte("\"<>\\^`{|}", c) >= 0:
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// mailto returns the address of an e-mail, "" for an invalid one.
func mailto(address string) string {
	address = strings.TrimSpace(address)
	user, host, ok := strings.Cut(address, "@")
	if !ok || user == "" || host == "" || strings.ContainsAny(address, " \t\r\n<>,;:\"") || strings.Contains(host, "@") {
		return ""
	}
	return "mailto:" + uri(strings.NewReplacer("%", "%25", "?", "%3F", "&", "%26", "#", "%23").Replace(address))
}
