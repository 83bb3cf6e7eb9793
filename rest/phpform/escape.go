package phpform

import "strings"

// unreserved reports whether PHP's urlencode leaves a byte as it is.
func unreserved(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.'
}

const upperHex = "0123456789ABCDEF"

// URLEncode reproduces PHP's urlencode: letters, digits, - _ . stay, a space becomes +, any
// other byte %XX.
func URLEncode(s string) string {
	return encode(s, func(dst []byte, c byte) []byte {
		if c == ' ' {
			return append(dst, '+')
		}
		return append(dst, '%', upperHex[c>>4], upperHex[c&15])
	})
}

// RawURLEncode reproduces PHP's rawurlencode: letters, digits, - _ . ~ stay, any other byte
// becomes %XX.
func RawURLEncode(s string) string {
	return encode(s, func(dst []byte, c byte) []byte {
		if c == '~' {
			return append(dst, c)
		}
		return append(dst, '%', upperHex[c>>4], upperHex[c&15])
	})
}

func encode(s string, replace func(dst []byte, c byte) []byte) string {
	first := 0
	for first < len(s) && unreserved(s[first]) {
		first++
	}
	if first == len(s) {
		return s
	}
	dst := append(make([]byte, 0, len(s)+16), s[:first]...)
	for _, c := range []byte(s[first:]) {
		if unreserved(c) {
			dst = append(dst, c)
		} else {
			dst = replace(dst, c)
		}
	}
	return string(dst)
}

// URLDecode reproduces PHP's urldecode: + becomes a space, %XX a byte; everything else stays.
func URLDecode(s string) string { return decode(s, true) }

// RawURLDecode reproduces PHP's rawurldecode: %XX becomes a byte; everything else, including +,
// stays.
func RawURLDecode(s string) string { return decode(s, false) }

func decode(s string, plus bool) string {
	if strings.IndexByte(s, '%') < 0 && (!plus || strings.IndexByte(s, '+') < 0) {
		return s
	}
	dst := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '+' && plus:
			c = ' '
		case c == '%' && i+2 < len(s):
			high, low := unhex(s[i+1]), unhex(s[i+2])
			if high >= 0 && low >= 0 {
				c = byte(high<<4 | low)
				i += 2
			}
		}
		dst = append(dst, c)
	}
	return string(dst)
}

func unhex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}
