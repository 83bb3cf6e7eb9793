package wpauth

import (
	"strings"

	"calbridge/rest/phpform"
)

// maxCookies is PHP's default of max_input_vars; later cookies do not exist.
const maxCookies = 1000

// FindCookie returns the value of the cookie name as PHP shows it in $_COOKIE.
// headers are the raw values of the request's Cookie headers, in order.
//
// As in PHP, the first of several cookies of one name counts, and blanks and points in the names
// sent become "_". Values are percent-decoded, with "+" left alone. A cookie sent in array form
// ("name[x]=…") is an array, not a text, so it is not found.
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
			seen++
			if seen > maxCookies {
				return value, ok
			}
			switch matchCookieName(sent, name) {
			case cookieText:
				if !ok {
					value, ok = phpform.RawURLDecode(raw), true
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
