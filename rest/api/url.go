package api

import (
	"net/netip"
	"strconv"
	"strings"

	"calbridge/wpstore/php"
)

// isURL is PHP's FILTER_VALIDATE_URL: printable ASCII, with a scheme, and for http
// and https with a host whose labels are well formed.
func IsURL(v php.Value) bool {
	s, ok := v.(string)
	if !ok {
		return false
	}
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= 0x7f {
			return false
		}
	}
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok || !isScheme(scheme) {
		return false
	}
	switch scheme {
	case "mailto", "news", "file":
		return true
	}
	rest, ok = strings.CutPrefix(rest, "//")
	if !ok {
		return false
	}
	host := rest
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		host = rest[:i]
	}
	host, ok = withoutUserAndPort(host)
	if !ok || host == "" {
		return false
	}
	return scheme != "http" && scheme != "https" || isHostname(host)
}

func isScheme(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !(c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.') {
			return false
		}
	}
	return s != ""
}

// withoutUserAndPort cuts the host out of the authority of a URL; false for a port
// that is none.
func withoutUserAndPort(authority string) (string, bool) {
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		authority = authority[i+1:]
	}
	if strings.HasPrefix(authority, "[") {
		host, port, ok := strings.Cut(authority[1:], "]")
		_, err := netip.ParseAddr(host)
		return host, ok && err == nil && (port == "" || isPort(strings.TrimPrefix(port, ":")))
	}
	host, port, ok := strings.Cut(authority, ":")
	return host, !ok || port == "" || isPort(port)
}

func isPort(s string) bool {
	n, err := strconv.ParseUint(s, 10, 16)
	return err == nil && n > 0
}

func isHostname(host string) bool {
	if strings.Contains(host, ":") { // an IPv6 address
		return true
	}
	host = strings.TrimSuffix(host, ".")
	if host == "" || len(host) > 253 {
		return false
	}
	for label := range strings.SplitSeq(host, ".") {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for i := range len(label) {
			c := label[i] | 0x20
			if !(c >= 'a' && c <= 'z' || label[i] >= '0' && label[i] <= '9' || label[i] == '-') {
				return false
			}
		}
	}
	return true
}
