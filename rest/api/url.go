package api

import (
	"net/netip"
	"regexp"
	"strconv"
	"strings"

	"calbridge/wpstore/php"
)

var (
	urlForm = regexp.MustCompile(`^([A-Za-z0-9+.-]+):(?://([^/?#]*))?`)
	// authorityForm captures an IPv6 address in brackets and its port, or a host and its port.
	authorityForm = regexp.MustCompile(`^(?:.*@)?(?:\[([^\]]*)\](?::?(\d+))?|([^\[:][^:]*)(?::(\d*))?)$`)
	hostForm      = regexp.MustCompile(`^(?i)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*\.?$`)
)

// IsURL reproduces PHP's FILTER_VALIDATE_URL: it accepts printable ASCII with a scheme and, for
// http and https, with a host whose labels are well formed.
func IsURL(v php.Value) bool {
	s, ok := v.(string)
	form := urlForm.FindStringSubmatch(s)
	if !ok || form == nil || strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return false
	}
	scheme := form[1]
	if scheme == "mailto" || scheme == "news" || scheme == "file" {
		return true
	}
	authority := authorityForm.FindStringSubmatch(form[2])
	if authority == nil {
		return false
	}
	address, host, port := authority[1], authority[3], authority[2]+authority[4]
	if n, err := strconv.ParseUint(port, 10, 16); port != "" && (err != nil || n == 0) {
		return false
	}
	if host == "" {
		_, err := netip.ParseAddr(address)
		return err == nil
	}
	return scheme != "http" && scheme != "https" || len(strings.TrimSuffix(host, ".")) <= 253 && hostForm.MatchString(host)
}
