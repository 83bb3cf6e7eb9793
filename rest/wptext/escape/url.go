package escape

import (
	"html"
	"strings"

	"calbridge/rest/wptext/scan"
	"calbridge/wpstore/php"
)

// allowedProtocols are the URL schemes that WordPress lets through.
var allowedProtocols = scan.WordSet(`http https ftp ftps mailto news irc irc6 ircs gopher nntp feed telnet
mms rtsp sms svn tel fax xmpp webcal urn`)

// URL is WordPress's esc_url (display is true), for an attribute of HTML,
// and esc_url_raw (display is false), for storage and redirects. It removes
// characters that no URL may hold, puts http:// in front of a bare host name
// and returns "" for a scheme that is not allowed.
func URL(s string, display bool) string {
	s = removeURLStrangers(strings.ReplaceAll(strings.TrimLeft(s, " \t\n\r\x00\v"), " ", "%20"))
	if s == "" {
		return ""
	}
	if !scan.HasPrefixFold(s, "mailto:") {
		s = removeEncodedBreaks(s)
	}
	s = strings.ReplaceAll(s, ";//", "://")
	if s == "" {
		return ""
	}
	if strings.IndexByte(s, ':') < 0 && strings.IndexByte("/#?", s[0]) < 0 && !isScriptName(s) {
		s = "http://" + s
	}
	if display {
		s = NormalizeEntities(s)
		s = strings.ReplaceAll(s, "&amp;", ampersand)
		s = strings.ReplaceAll(s, "'", "&#039;")
	}
	s = encodeBrackets(s)
	if s[0] != '/' && !strings.EqualFold(CutBadProtocol(s), s) {
		return ""
	}
	return s
}

// removeURLStrangers removes what is not part of the alphabet of URLs. Bytes
// of characters outside of ASCII stay.
func removeURLStrangers(s string) string {
	p := scan.Patch{Src: s}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < 0x80 && !scan.IsLetter(c) && !scan.IsDigit(c) && strings.IndexByte("-~+_.?#=!&;,/:%@$|*'()[]", c) < 0 {
			p.Replace(i, i+1)
		}
	}
	return p.String()
}

// removeEncodedBreaks removes %0d and %0a, also those that come about by the
// removal of others.
func removeEncodedBreaks(s string) string {
	if !strings.Contains(s, "%0") {
		return s
	}
	return RemoveOctets(s, func(high, low byte) bool {
		return high == '0' && (low|0x20 == 'd' || low|0x20 == 'a')
	})
}

// RemoveOctets removes every percent sign with two characters behind it that
// match, until none are left. Match accepts no percent sign, so that the order
// of removal makes no difference.
func RemoveOctets(s string, match func(high, low byte) bool) string {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		out = append(out, s[i])
		if n := len(out) - 3; n >= 0 && out[n] == '%' && match(out[n+1], out[n+2]) {
			out = out[:n]
		}
	}
	return string(out)
}

// isScriptName reports whether s begins like the name of a PHP file.
func isScriptName(s string) bool {
	i := 0
	for i < len(s) && (scan.IsLetter(s[i]) || scan.IsDigit(s[i]) || s[i] == '-') {
		i++
	}
	return i > 0 && scan.HasPrefixFold(s[i:], ".php")
}

// encodeBrackets encodes square brackets behind the host, where they may
// surround an IPv6 address.
func encodeBrackets(s string) string {
	if !strings.ContainsAny(s, "[]") {
		return s
	}
	host := 0
	if i := strings.Index(s, "//"); i == 0 || i > 0 && s[i-1] == ':' {
		host = i + 2
		if n := strings.IndexAny(s[host:], "/?#"); n >= 0 {
			host += n
		} else {
			host = len(s)
		}
	}
	rest := strings.ReplaceAll(s[host:], "[", "%5B")
	return s[:host] + strings.ReplaceAll(rest, "]", "%5D")
}

// CutBadProtocol removes a scheme that is not allowed, with its colon, and the
// white space around it, and does so again while the rest begins with another
// one. After six times it gives up and returns "".
func CutBadProtocol(s string) string {
	for range 6 {
		cut := cutOneProtocol(s)
		if cut == s {
			return s
		}
		s = cut
	}
	return ""
}

func cutOneProtocol(s string) string {
	colon, rest := schemeEnd(s)
	if colon < 0 || strings.Contains(s[:colon], "/?") {
		return s
	}
	after := php.Trim(s[rest:])
	if scheme := plainScheme(s[:colon]); allowedProtocols[scheme] {
		return scheme + ":" + after
	}
	return after
}

// schemeEnd returns the offset of the first colon, plain or as a character
// reference, and of the text behind it; -1 if there is none.
func schemeEnd(s string) (colon, rest int) {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ':':
			return i, i + 1
		case '&':
			if n := colonReference(s[i:]); n > 0 {
				return i, i + n
			}
		}
	}
	return -1, -1
}

func colonReference(s string) int {
	if scan.HasPrefixFold(s, "&colon;") {
		return len("&colon;")
	}
	if !strings.HasPrefix(s, "&#") {
		return 0
	}
	i, code := 2, "58;"
	if i < len(s) && s[i]|0x20 == 'x' {
		i, code = 3, "3a;"
	}
	for i < len(s) && s[i] == '0' {
		i++
	}
	if scan.HasPrefixFold(s[i:], code) {
		return i + len(code)
	}
	return 0
}

// plainScheme decodes the character references in a scheme, drops white space
// and control characters and lowers its case.
func plainScheme(s string) string {
	if strings.IndexByte(s, '&') >= 0 {
		s = html.UnescapeString(s)
	}
	return strings.Map(func(r rune) rune {
		if r <= ' ' {
			return -1
		}
		if r >= 'A' && r <= 'Z' {
			return r | 0x20
		}
		return r
	}, s)
}
