package escape

import (
	"html"
	"strings"

	"calbridge/rest/wptext/markup"
	"calbridge/wpstore/php"
)

// allowedProtocols are the URL schemes that WordPress allows.
var allowedProtocols = markup.WordSet(`http https ftp ftps mailto news irc irc6 ircs gopher nntp feed telnet
mms rtsp sms svn tel fax xmpp webcal urn`)

// RawURL reproduces WordPress's esc_url_raw, for storage and redirects. It removes characters
// that no URL may hold, puts http:// in front of a bare host name, writes a known scheme in
// lower case and returns "" for a scheme that isn't allowed.
func RawURL(s string) string { return allowedURL(cleanURL(s, "http://")) }

// URL reproduces WordPress's esc_url, which is [RawURL] for HTML attributes.
func (r Rules) URL(s string) string { return allowedURL(r.displayURL(cleanURL(s, "http://"))) }

// SecureURL returns [Rules.URL] where the caller names https as the first scheme: since
// WordPress 6.9 a bare host name gets https://.
func (r Rules) SecureURL(s string) string {
	scheme := "https://"
	if r.PlainHosts {
		scheme = "http://"
	}
	return allowedURL(r.displayURL(cleanURL(s, scheme)))
}

// cleanURL removes what no URL may hold and puts scheme in front of a bare host name.
func cleanURL(s, scheme string) string {
	s = removeNonURLBytes(strings.ReplaceAll(strings.TrimLeft(s, " \t\n\r\x00\v"), " ", "%20"))
	if s == "" {
		return ""
	}
	if !markup.HasPrefixFold(s, "mailto:") {
		s = RemoveOctets(s, func(high, low byte) bool { return high == '0' && (low|0x20 == 'd' || low|0x20 == 'a') })
	}
	s = strings.ReplaceAll(s, ";//", "://")
	if s == "" || strings.IndexByte(s, ':') < 0 && strings.IndexByte("/#?", s[0]) < 0 && !isScriptName(s) {
		return scheme + s
	}
	return s
}

// displayURL escapes ampersands and apostrophes.
func (r Rules) displayURL(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(r.NormalizeEntities(s), "&amp;", ampersand), "'", "&#039;")
}

// allowedURL returns the URL if its scheme is allowed.
func allowedURL(s string) string {
	if s == "" {
		return ""
	}
	s = encodeBrackets(s)
	if s[0] == '/' {
		return s
	}
	if allowed := CutBadProtocol(s); strings.EqualFold(allowed, s) {
		return allowed
	}
	return ""
}

// removeNonURLBytes removes ASCII characters that no URL may hold.
func removeNonURLBytes(s string) string {
	p := markup.Patch{Src: s}
	for i := range len(s) {
		if c := s[i]; c < 0x80 && !markup.IsWord(c) && strings.IndexByte("-~+.?#=!&;,/:%@$|*'()[]", c) < 0 {
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
	for i < len(s) && (markup.IsLetter(s[i]) || markup.IsDigit(s[i]) || s[i] == '-') {
		i++
	}
	return i > 0 && markup.HasPrefixFold(s[i:], ".php")
}

// encodeBrackets encodes square brackets, but not in the host, where they may surround an
// IPv6 address. WordPress removes scheme and host from the URL, encodes the rest and replaces
// the rest by it.
func encodeBrackets(s string) string {
	if !strings.ContainsAny(s, "[]") {
		return s
	}
	rest := s
	if front := urlFront(s); front != "" {
		rest = strings.ReplaceAll(s, front, "")
	}
	if rest == "" {
		return s
	}
	return strings.ReplaceAll(s, rest, strings.NewReplacer("[", "%5B", "]", "%5D").Replace(rest))
}

// Scheme returns the scheme of a URL as PHP's parse_url reads it, "" without one. A name in front of
// at most five digits is a host with a port, and a URL without the host that must follow has none.
func Scheme(url string) string {
	scheme, rest, found := strings.Cut(url, ":")
	if !found || !isScheme(scheme) {
		return ""
	}
	switch after := strings.TrimLeft(rest, "0123456789"); {
	case strings.HasPrefix(rest, "//") && !strings.EqualFold(scheme, "file"):
		if !isAuthority(authorityOf(rest)) {
			return ""
		}
	case rest != after && len(rest)-len(after) <= portDigits && (after == "" || after[0] == '/'):
		return ""
	}
	return scheme
}

// portDigits is the most digits of a port.
const portDigits = 5

// urlFront returns the scheme and the authority of a URL, as far as PHP's parse_url reads
// them.
func urlFront(s string) string {
	scheme, rest, ok := strings.Cut(s, ":")
	switch {
	case ok && isScheme(scheme) && strings.HasPrefix(rest, "//"):
		if authority := authorityOf(rest); isAuthority(authority) {
			return scheme + "://" + authority
		}
		return ""
	case strings.HasPrefix(s, "//"):
		if authority := authorityOf(s); isAuthority(authority) {
			return "//" + authority
		}
		return "//"
	case s[0] == '/':
		return "//"
	}
	return ""
}

// authorityOf returns what is between the first two slashes and the path.
func authorityOf(s string) string {
	s = s[len("//"):]
	if n := strings.IndexAny(s, "/?#"); n >= 0 {
		return s[:n]
	}
	return s
}

// isAuthority reports whether an authority has a host, and its port is a number.
func isAuthority(s string) bool {
	host := s[strings.LastIndexByte(s, '@')+1:]
	if colon := strings.LastIndexByte(host, ':'); colon >= 0 && colon > strings.LastIndexByte(host, ']') {
		if strings.Trim(host[colon+1:], "0123456789") != "" {
			return false
		}
		host = host[:colon]
	}
	return host != "" && (host[0] == '[' || strings.IndexByte(host, ':') < 0)
}

// isScheme reports whether s may be a scheme.
func isScheme(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool {
		return r >= 0x80 || !markup.IsLetter(byte(r)) && !markup.IsDigit(byte(r)) && strings.IndexByte("+-.", byte(r)) < 0
	}) < 0
}

// CutBadProtocol removes a scheme that isn't allowed, with its colon and the
// white space around it, as often as the rest begins with another one. After
// six times it gives up and returns "".
func CutBadProtocol(s string) string {
	if strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://") {
		return s
	}
	for range 6 {
		cut := cutOneProtocol(s, 0)
		if cut == s {
			return s
		}
		s = cut
	}
	return ""
}

// maxFeeds bounds how many times "feed:" may stand in front of another scheme.
const maxFeeds = 2

// cutOneProtocol removes one scheme that isn't allowed. Behind "feed:" another scheme is
// checked as well; feeds counts those in front.
func cutOneProtocol(s string, feeds int) string {
	s = closeColons(s)
	colon, rest := schemeEnd(s)
	if colon < 0 || strings.Contains(s[:colon], "/?") {
		return s
	}
	after := php.Trim(s[rest:])
	scheme := plainScheme(s[:colon])
	switch {
	case !allowedProtocols[scheme]:
		return after
	case scheme == "feed":
		if feeds == maxFeeds {
			return ""
		}
		if after = cutOneProtocol(after, feeds+1); php.Empty(after) {
			return after
		}
	}
	return scheme + ":" + after
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
	if markup.HasPrefixFold(s, "&colon;") {
		return len("&colon;")
	}
	if !strings.HasPrefix(s, "&#") {
		return 0
	}
	rest, code := s[len("&#"):], "58;"
	if markup.HasPrefixFold(rest, "x") {
		rest, code = rest[1:], "3a;"
	}
	rest = strings.TrimLeft(rest, "0")
	if !markup.HasPrefixFold(rest, code) {
		return 0
	}
	return len(s) - len(rest) + len(code)
}

// closeColons adds the semicolons that numeric references to a colon lack.
func closeColons(s string) string {
	p := markup.Patch{Src: s}
	for i := range p.Each("&#") {
		digits, code, is := s[i+len("&#"):], "58", markup.IsDigit
		if markup.HasPrefixFold(digits, "x") {
			digits, code, is = digits[1:], "3a", markup.IsHex
		}
		digits = strings.TrimLeft(digits, "0")
		if !markup.HasPrefixFold(digits, code) {
			continue
		}
		end := len(s) - len(digits) + len(code)
		if end == len(s) || s[end] != ';' && !is(s[end]) {
			p.Replace(end, end, ";")
		}
	}
	return p.String()
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
