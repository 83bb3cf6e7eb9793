package markup

import (
	"strings"
	"unicode/utf8"
)

// IndexFold returns strings.Index for a lower-case ASCII needle, letter case ignored.
func IndexFold(s, lower string) int {
	first := lower[:1]
	if IsLetter(lower[0]) {
		first += strings.ToUpper(first)
	}
	for i := 0; ; i++ {
		j := strings.IndexAny(s[i:], first)
		if j < 0 || i+j+len(lower) > len(s) {
			return -1
		}
		i += j
		if strings.EqualFold(s[i:i+len(lower)], lower) {
			return i
		}
	}
}

// LowerASCII returns strings.ToLower for ASCII letters alone; the length stays.
func LowerASCII(s string) string {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= 'A' && c <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if b[i] >= 'A' && b[i] <= 'Z' {
					b[i] |= 0x20
				}
			}
			return string(b)
		}
	}
	return s
}

func HasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

func IsASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
