package markup

import "strings"

// WordPress's typographic patterns count as white space: carriage return, line
// feed, tab, space, the no-break space U+00A0 and the text "&nbsp;".
const noBreakSpace, noBreakEntity = "\u00a0", "&nbsp;"

func IsPlainSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// SpaceBefore reports whether s[:i] ends in such white space.
func SpaceBefore(s string, i int) bool {
	if i == 0 {
		return false
	}
	switch c := s[i-1]; c {
	case noBreakSpace[1]:
		return strings.HasSuffix(s[:i], noBreakSpace)
	case ';':
		return strings.HasSuffix(s[:i], noBreakEntity)
	default:
		return IsPlainSpace(c)
	}
}

// SpaceAt returns the length of the white-space item at s[i:], or 0.
func SpaceAt(s string, i int) int {
	if i >= len(s) {
		return 0
	}
	switch s = s[i:]; {
	case IsPlainSpace(s[0]):
		return 1
	case strings.HasPrefix(s, noBreakSpace):
		return len(noBreakSpace)
	case strings.HasPrefix(s, noBreakEntity):
		return len(noBreakEntity)
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

// IsSpace reports whether c matches \s of a byte-mode PCRE pattern.
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

// IsWord reports whether c matches \w of a byte-mode PCRE pattern.
func IsWord(c byte) bool { return IsDigit(c) || IsLetter(c) || c == '_' }

func DigitAt(s string, i int) bool { return i >= 0 && i < len(s) && IsDigit(s[i]) }

// WordSet returns the words of list as a set.
func WordSet(list string) map[string]bool {
	set := make(map[string]bool)
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}
