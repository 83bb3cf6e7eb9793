package rfc5545

import "unicode/utf8"

// maxLine is the most octets of a line, its end aside (RFC 5545, section 3.1).
const maxLine = 75

// appendLine appends a content line, folded between characters. The parts must contain
// neither line ends nor broken UTF-8.
func appendLine(b []byte, parts ...string) []byte {
	octets := 0
	for _, part := range parts {
		for part != "" {
			if n := len(part); octets+n <= maxLine {
				b, octets = append(b, part...), octets+n
				break
			}
			end := cut(part, maxLine-octets)
			b = append(append(b, part[:end]...), "\r\n "...)
			part, octets = part[end:], 1
		}
	}
	return append(b, "\r\n"...)
}

// cut returns the largest index of at most limit at which a character begins.
func cut(s string, limit int) int {
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return limit
}
