package escape

import (
	"strconv"

	"calbridge/rest/wptext/markup"
)

const ampersand = "&#038;"

// namedTail reports whether s begins with one to eight of a-z and 1-4 (in either case)
// and a semicolon, WordPress's rule for the rest of a named character reference.
func namedTail(s string) bool {
	for i := 0; i < len(s) && i <= 8; i++ {
		switch c := s[i]; {
		case c == ';':
			return i > 0
		case !markup.IsLetter(c) && (c < '1' || c > '4'):
			return false
		}
	}
	return false
}

// referenceTail reports whether s, the text behind an ampersand, makes it a character
// reference.
func referenceTail(s string) bool {
	if s == "" || s[0] != '#' {
		return namedTail(s)
	}
	s = s[1:]
	is := markup.IsDigit
	if s != "" && s[0]|0x20 == 'x' {
		s, is = s[1:], markup.IsHex
	}
	n := 0
	for n < len(s) && is(s[n]) {
		n++
	}
	return n > 0 && n < len(s) && s[n] == ';'
}

// Ampersands writes each ampersand that begins no character reference
// as &#038;.
func Ampersands(s string) string {
	p := markup.Patch{Src: s}
	for i := range p.Each("&") {
		if !referenceTail(s[i+1:]) {
			p.Replace(i, i+1, ampersand)
		}
	}
	return p.String()
}

// ConvertChars reproduces WordPress's convert_chars: it writes lone ampersands as &#038;. Its
// pattern includes the character behind the ampersand and looks
// for a named reference behind that; an ampersand at the very end stays.
func ConvertChars(s string) string {
	p := markup.Patch{Src: s}
	for i := range p.Each("&") {
		if i+1 < len(s) && s[i+1] != '#' && !namedTail(s[i+2:]) {
			p.Replace(i, i+1, ampersand)
			p.Skip(i + 2)
		}
	}
	return p.String()
}

// ConvertInvalidEntities reproduces WordPress's convert_invalid_entities, for content being
// saved: it turns the numeric references 128 to 159, which mean Windows-1252, into
// references to the Unicode characters, and drops the five undefined ones.
func ConvertInvalidEntities(s string) string {
	p := markup.Patch{Src: s}
	for i := range p.Each("&#1") {
		digits, end := i+len("&#"), i+len("&#150;")
		if end > len(s) || s[end-1] != ';' {
			continue
		}
		code, err := strconv.Atoi(s[digits : end-1])
		if n := code - 128; err == nil && n >= 0 && n < len(windowsReferences) {
			p.Replace(i, end, windowsReferences[n])
		}
	}
	return p.String()
}

var windowsReferences = [32]string{
	"&#8364;", "", "&#8218;", "&#402;", "&#8222;", "&#8230;", "&#8224;", "&#8225;",
	"&#710;", "&#8240;", "&#352;", "&#8249;", "&#338;", "", "&#381;", "",
	"", "&#8216;", "&#8217;", "&#8220;", "&#8221;", "&#8226;", "&#8211;", "&#8212;",
	"&#732;", "&#8482;", "&#353;", "&#8250;", "&#339;", "", "&#382;", "&#376;",
}
