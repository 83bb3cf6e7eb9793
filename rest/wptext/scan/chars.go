package scan

import "strings"

// WordPress's typographic patterns count as white space: carriage return, line
// feed, tab, space, the no-break space U+00A0 and the text "&nbsp;". The two
// functions below look for these in front of and behind a position.

const nbsp, nbspEntity = "\u00a0", "&nbsp;"

func IsPlainSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// SpaceBefore reports whether s[:i] ends in white space.
func SpaceBefore(s string, i int) bool {
	if i == 0 {
		return false
	}
	switch s[i-1] {
	case ' ', '\n', '\t', '\r':
		return true
	case 0xA0:
		return i >= 2 && s[i-2] == 0xC2
	case ';':
		return strings.HasSuffix(s[:i], nbspEntity)
	}
	return false
}

// SpaceAt returns the length of the one white-space item at s[i:], or 0.
func SpaceAt(s string, i int) int {
	if i >= len(s) {
		return 0
	}
	switch s[i] {
	case ' ', '\n', '\t', '\r':
		return 1
	case 0xC2:
		if i+1 < len(s) && s[i+1] == 0xA0 {
			return 2
		}
	case '&':
		if strings.HasPrefix(s[i:], nbspEntity) {
			return len(nbspEntity)
		}
	}
	return 0
}

// SkipSpaces returns the end of the run of white-space items that starts at i.
func SkipSpaces(s string, i int) int {
	for {
		n := SpaceAt(s, i)
		if n == 0 {
			return i
		}
		i += n
	}
}

// IsSpace is \s of a byte-mode PCRE pattern.
func IsSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// SkipWhite returns the end of the run of \s that starts at i.
func SkipWhite(s string, i int) int {
	for i < len(s) && IsSpace(s[i]) {
		i++
	}
	return i
}

// WhiteBefore returns the start of the run of \s that ends at i, but not less
// than limit.
func WhiteBefore(s string, i, limit int) int {
	for i > limit && IsSpace(s[i-1]) {
		i--
	}
	return i
}

func IsDigit(c byte) bool { return c >= '0' && c <= '9' }

func IsLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func IsHex(c byte) bool { return IsDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

// IsWord is \w of a byte-mode PCRE pattern.
func IsWord(c byte) bool { return IsDigit(c) || IsLetter(c) || c == '_' }

func DigitAt(s string, i int) bool { return i >= 0 && i < len(s) && IsDigit(s[i]) }
