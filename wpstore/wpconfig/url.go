package wpconfig

import (
	"strconv"
	"strings"

	"calbridge/wpstore/php"
)

// parseURL implements PHP's parse_url for URLs with a host. Nothing is decoded. ok is false for
// other URLs.
func parseURL(text string) (parts *php.Array, ok bool) {
	clean := []byte(text)
	for i, c := range clean {
		if c < ' ' || c == 0x7f {
			clean[i] = '_'
		}
	}
	text = string(clean)
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok || scheme == "" || strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.") != "" {
		return nil, false
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	host, rest := rest[:end], rest[end:]
	parts = php.Pairs("scheme", scheme)
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		user, password, has := strings.Cut(host[:at], ":")
		parts.SetString("user", user)
		if has {
			parts.SetString("pass", password)
		}
		host = host[at+1:]
	}
	if colon := strings.LastIndexByte(host, ':'); colon >= 0 && colon > strings.LastIndexByte(host, ']') {
		if digits := host[colon+1:]; digits != "" {
			port, err := strconv.ParseUint(digits, 10, 16)
			if err != nil {
				return nil, false
			}
			parts.SetString("port", int64(port))
		}
		host = host[:colon]
	}
	if host == "" {
		return nil, false
	}
	parts.SetString("host", host)
	rest, fragment, has := strings.Cut(rest, "#")
	if has {
		parts.SetString("fragment", fragment)
	}
	path, query, has := strings.Cut(rest, "?")
	if has {
		parts.SetString("query", query)
	}
	if path != "" {
		parts.SetString("path", path)
	}
	return parts, true
}
