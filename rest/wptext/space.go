package wptext

import "strings"

// WordPress's typographic patterns count as white space: carriage return, line
// feed, tab, space, the no-break space U+00A0 and the text "&nbsp;". The two
// functions below look for these in front of and behind a position.

const nbsp, nbspEntity = "\u00a0", "&nbsp;"

func isPlainSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// spaceBefore reports whether s[:i] ends in white space.
func spaceBefore(s string, i int) bool {
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

// spaceAt returns the length of the one white-space item at s[i:], or 0.
func spaceAt(s string, i int) int {
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

// skipSpaces returns the end of the run of white-space items that starts at i.
func skipSpaces(s string, i int) int {
	for {
		n := spaceAt(s, i)
		if n == 0 {
			return i
		}
		i += n
	}
}

// isSpace is \s of a byte-mode PCRE pattern.
func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// skipWhite returns the end of the run of \s that starts at i.
func skipWhite(s string, i int) int {
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	return i
}

// whiteBefore returns the start of the run of \s that ends at i, but not less
// than limit.
func whiteBefore(s string, i, limit int) int {
	for i > limit && isSpace(s[i-1]) {
		i--
	}
	return i
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isHex(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

// isWord is \w of a byte-mode PCRE pattern.
func isWord(c byte) bool { return isDigit(c) || isLetter(c) || c == '_' }

func digitAt(s string, i int) bool { return i >= 0 && i < len(s) && isDigit(s[i]) }

// trimPHP is PHP's trim without a character list.
func trimPHP(s string) string {
	for s != "" && isTrimmed(s[0]) {
		s = s[1:]
	}
	for s != "" && isTrimmed(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

func isTrimmed(c byte) bool {
	return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == 0 || c == '\v'
}
