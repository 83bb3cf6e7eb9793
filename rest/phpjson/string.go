package phpjson

import (
	"strconv"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// plain has the bytes that stand for themselves in a string as PHP writes it: ASCII except control
// characters, the quote, the backslash and the slash.
var plain = func() (table [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		table[c] = c != '"' && c != '\\' && c != '/'
	}
	return table
}()

// escapes holds the letter of each short escape; 0 = none.
var escapes = [utf8.RuneSelf]byte{'"': '"', '\\': '\\', '/': '/', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}

// AppendString appends s as a JSON string: slashes escaped, everything outside of ASCII as \uXXXX
// in lower case, beyond the BMP as a surrogate pair. Each sequence of bytes that is invalid UTF-8
// becomes one question mark.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if plain[c] {
			i++
			continue
		}
		dst = append(dst, s[start:i]...)
		if c < utf8.RuneSelf {
			dst = appendEscaped(dst, c)
			i++
		} else {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				dst = append(dst, '?')
				size = badSequence(s[i:])
			} else {
				dst = appendRune(dst, r)
			}
			i += size
		}
		start = i
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

// AppendInt appends n in decimal.
func AppendInt(dst []byte, n int64) []byte { return strconv.AppendInt(dst, n, 10) }

func appendEscaped(dst []byte, c byte) []byte {
	if letter := escapes[c]; letter != 0 {
		return append(dst, '\\', letter)
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}

func appendRune(dst []byte, r rune) []byte {
	if r >= 0x10000 {
		r -= 0x10000
		dst = appendUnit(dst, 0xd800+r>>10)
		r = 0xdc00 + r&0x3ff
	}
	return appendUnit(dst, r)
}

func appendUnit(dst []byte, unit rune) []byte {
	return append(dst, '\\', 'u', hexDigits[unit>>12&15], hexDigits[unit>>8&15], hexDigits[unit>>4&15], hexDigits[unit&15])
}

// badSequence returns the length of the invalid sequence that s begins with: as
// much of the beginning of a character as is there, at least one byte. PHP's
// mbstring replaces each such sequence by one character.
func badSequence(s string) int {
	low, high, more := byte(0x80), byte(0xbf), 0
	switch c := s[0]; {
	case c >= 0xe0 && c <= 0xef:
		more = 1
		if c == 0xe0 {
			low = 0xa0
		} else if c == 0xed {
			high = 0x9f
		}
	case c >= 0xf0 && c <= 0xf4:
		more = 2
		if c == 0xf0 {
			low = 0x90
		} else if c == 0xf4 {
			high = 0x8f
		}
	}
	n := 1
	for n <= more && n < len(s) && s[n] >= low && s[n] <= high {
		low, high = 0x80, 0xbf
		n++
	}
	return n
}
