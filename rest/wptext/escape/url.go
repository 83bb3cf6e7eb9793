package escape

import (
	"html"
	"strings"

	"calbridge/rest/wptext/scan"
	"calbridge/wpstore/php"
)

// allowedProtocols are the URL schemes that WordPress allows.
var allowedProtocols = scan.WordSet(`http https ftp ftps mailto news irc irc6 ircs gopher nntp feed telnet
mms rtsp sms svn tel fax xmpp webcal urn`)

// URL reproduces WordPress's esc_url (display is true), for HTML attributes, and
// esc_url_raw (display is false), for storage and redirects. It removes
// characters that no URL may hold, puts http:// in front of a bare host name
// and returns "" for a scheme that isn't allowed.
func URL(s string, display bool) string {
	s = removeNonURLBytes(strings.ReplaceAll(strings.TrimLeft(s, " \t\n\r\x00\v"), " ", "%20"))
	if !scan.HasPrefixFold(s, "mailto:") {
		s = RemoveOctets(s, func(high, low byte) bool { return high == '0' && (low|0x20 == 'd' || low|0x20 == 'a') })
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
	if s[0] == '/' || strings.EqualFold(CutBadProtocol(s), s) {
		return s
	}
	return ""
}

// removeNonURLBytes removes ASCII characters that no URL may hold.
func removeNonURLBytes(s string) string {
	p := scan.Patch{Src: s}
	for i := range len(s) {
		if c := s[i]; c < 0x80 && !scan.IsWord(c) && strings.IndexByte("-~+.?#=!&;,/:%@$|*'()[]", c) < 0 {
			p.Replace(i, i+1)
		}
	}
	return p.String()
}

// RemoveOctets removes every percent sign with two characters behind it that
// match, until none are left. Match must not accept a percent sign.
func RemoveOctets(s string, match func(high, low byte) bool) string {
	if !strings.Contains(s, "%") {
		return s
	}
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
	return s[:host] + strings.NewReplacer("[", "%5B", "]", "%5D").Replace(s[host:])
}

// CutBadProtocol removes a scheme that isn't allowed, with its colon and the
// white space around it, as often as the rest begins with another one. After
// six times it gives up and returns "".
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
	for i := range len(s) {
		if s[i] == ':' {
			return i, i + 1
		}
		if n := colonReference(s[i:]); n > 0 {
			return i, i + n
		}
	}
	return -1, -1
}

// colonReference returns the length of the reference to a colon at the start of
// s, or 0.

func colonReference(s string) int {
	if s[0] != '&' {
		return 0
	}
	if scan.HasPrefixFold(s, "&colon;") {
		return len("&colon;")
	}
	if !strings.HasPrefix(s, "&#") {
		return 0
	}
	rest, code := s[len("&#"):], "58;"
	if scan.HasPrefixFold(rest, "x") {
		rest, code = rest[1:], "3a;"
	}
	rest = strings.TrimLeft(rest, "0")
	if !scan.HasPrefixFold(rest, code) {
		return 0
	}
	return len(s) - len(rest) + len(code)
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
