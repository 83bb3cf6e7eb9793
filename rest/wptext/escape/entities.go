package escape

import (
	"strconv"
	"strings"

	"calbridge/rest/wptext/scan"
)

// NormalizeEntities is WordPress's wp_kses_normalize_entities: it encodes
// every ampersand as &amp; except those of known named references and of
// numeric references to valid characters. Decimal references come out with at
// least three digits, hexadecimal ones without leading zeros.
func NormalizeEntities(s string) string {
	p := scan.Patch{Src: s}
	for i := scan.IndexFrom(s, '&', 0); i >= 0; {
		from := i + 1
		if end := namedReference(s, i); end > 0 {
			from = end
		} else if digits, end := numericReference(s, i); end > 0 {
			if s[i:end] != digits {
				p.Replace(i, end, digits)
			}
			from = end
		} else {
			p.Replace(i, i+1, "&amp;")
		}
		i = scan.IndexFrom(s, '&', from)
	}
	return p.String()
}

// namedReference returns the end of the known named reference at i, or 0.
func namedReference(s string, i int) int {
	const longest = 10 // eight letters and two digits
	start := i + 1
	end := start
	for end < len(s) && end-start <= longest && scan.IsWord(s[end]) {
		end++
	}
	if end < len(s) && s[end] == ';' && entityNames[s[start:end]] {
		return end + 1
	}
	return 0
}

// numericReference reads the reference to a character number at i. It returns
// the normalised reference and its end in s; the end is 0 if there is none or
// if it names no valid character.
func numericReference(s string, i int) (reference string, end int) {
	if !strings.HasPrefix(s[i:], "&#") {
		return "", 0
	}
	i += len("&#")
	base, longest, is := 10, 7, scan.IsDigit
	if i < len(s) && s[i]|0x20 == 'x' {
		base, longest, is = 16, 6, scan.IsHex
		i++
	}
	zeros := i
	for i < len(s) && s[i] == '0' {
		i++
	}
	end = i
	for end < len(s) && end-i <= longest && is(s[end]) {
		end++
	}
	if end == i || end-i > longest || end == len(s) || s[end] != ';' {
		return "", 0
	}
	code, err := strconv.ParseUint(s[i:end], base, 32)
	if err != nil || !validCodePoint(code) {
		return "", 0
	}
	if base == 16 {
		return "&#x" + s[i:end+1], end + 1
	}
	i = max(zeros, min(i, end-3))
	if end-i < 3 {
		return "&#" + strings.Repeat("0", 3-(end-i)) + s[i:end+1], end + 1
	}
	return "&#" + s[i:end+1], end + 1
}

// validCodePoint reports whether XML allows the character.
func validCodePoint(c uint64) bool {
	return c == 9 || c == 10 || c == 13 || c >= 0x20 && c <= 0xD7FF ||
		c >= 0xE000 && c <= 0xFFFD || c >= 0x10000 && c <= 0x10FFFF
}
