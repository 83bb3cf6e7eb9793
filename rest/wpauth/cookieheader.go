package wpauth

import "strings"

// maxCookies is PHP's default of max_input_vars; later cookies do not exist.
const maxCookies = 1000

// FindCookie returns the value of the cookie name as PHP shows it in $_COOKIE.
// headers are the raw values of the request's Cookie headers, in order.
//
// As in PHP the first of several cookies of one name counts, blanks and points in
// the names sent become "_", values are percent-decoded with "+" left alone, and a
// cookie sent in array form ("name[x]=…") is no text, so it is not found.
func FindCookie(headers []string, name string) (value string, ok bool) {
	seen := 0
	for _, header := range headers {
		for header != "" {
			var pair string
			pair, header, _ = strings.Cut(header, ";")
			sent, raw, _ := strings.Cut(strings.TrimLeft(pair, " \t\n\v\f\r"), "=")
			if sent == "" {
				continue
			}
			if seen++; seen > maxCookies {
				return value, ok
			}
			switch matchCookieName(sent, name) {
			case cookieText:
				if !ok {
					value, ok = rawURLDecode(raw), true
				}
			case cookieArray:
				// An array replaces a text sent before and is not replaced itself.
				return "", false
			}
		}
	}
	return value, ok
}

type cookieMatch int

const (
	cookieOther cookieMatch = iota
	cookieText
	cookieArray
)

// matchCookieName compares a name as sent with the one that PHP registers.
func matchCookieName(sent, name string) cookieMatch {
	bracketClosed := true
	for i := range len(sent) {
		c := sent[i]
		if c == '[' && bracketClosed {
			bracketClosed = strings.IndexByte(sent[i+1:], ']') >= 0
			if bracketClosed {
				if i == len(name) && i > 0 {
					return cookieArray
				}
				return cookieOther
			}
		}
		if c == ' ' || c == '.' || c == '[' {
			c = '_'
		}
		if i >= len(name) || c != name[i] {
			return cookieOther
		}
	}
	if len(sent) != len(name) {
		return cookieOther
	}
	return cookieText
}

// rawURLDecode is PHP's rawurldecode: "%" and two hexadecimal digits become a
// byte, everything else stays.
func rawURLDecode(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			high, low := hexDigit(s[i+1]), hexDigit(s[i+2])
			if high >= 0 && low >= 0 {
				out = append(out, byte(high<<4|low))
				i += 2
				continue
			}
		}
		out = append(out, s[i])
	}
	return string(out)
}

// hexDigit returns the value of a hexadecimal digit, -1 for anything else.
func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
