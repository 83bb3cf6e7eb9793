package cachetag

import (
	"slices"
	"strings"
)

// Format is a header that names the tags of a response.
type Format string

// The formats.
const (
	// SurrogateKey is Fastly's header.
	SurrogateKey Format = "surrogate-key"
	// CacheTag is Cloudflare's header.
	CacheTag Format = "cache-tag"
	// XKey is the header of the module xkey of Varnish.
	XKey Format = "xkey"
	// CacheGroups is the header of RFC 9875. The RFC defines no call that purges a group.
	CacheGroups Format = "cache-groups"
)

// MaxPrefix is the longest prefix of names, in bytes. With it the longest name has 32 characters, and
// each implementation of RFC 9875 accepts so many.
const MaxPrefix = 12

// CheckPrefix reports whether a prefix is allowed in every format. Cloudflare ignores case.
func CheckPrefix(prefix string) bool {
	return len(prefix) <= MaxPrefix && !strings.ContainsFunc(prefix, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_'
	})
}

// syntax is the header of a format, the way it writes names, and the limits of its provider.
type syntax struct {
	header           string // in canonical form
	separator, quote string
	names, bytes     int // limits of the header's value; 0 means none
}

// syntax returns the syntax of a format.
func (f Format) syntax() syntax {
	switch f {
	case SurrogateKey: // keys beyond 16,384 bytes are ignored
		return syntax{header: "Surrogate-Key", separator: " ", bytes: 16 << 10}
	case CacheTag: // tags beyond 16 KB are ignored
		return syntax{header: "Cache-Tag", separator: ",", bytes: 16 << 10}
	case XKey: // Varnish refuses lines longer than http_resp_hdr_len, 8 KiB by default
		return syntax{header: "Xkey", separator: " ", bytes: 8<<10 - 64}
	case CacheGroups: // RFC 9875, section 2: at least 32 groups of 32 characters are accepted
		return syntax{header: "Cache-Groups", separator: ", ", quote: `"`, names: 32}
	}
	return syntax{}
}

// Formats returns all formats.
func Formats() []Format { return []Format{SurrogateKey, CacheTag, XKey, CacheGroups} }

// value returns the value of the header with as many details as the provider accepts.
func (s *syntax) value(prefix string, names *names) string {
	for level := range collapsed {
		list := names.list(prefix, level)
		if value := s.join(list); level == collapsed-1 || (s.names == 0 || len(list) <= s.names) && (s.bytes == 0 || len(value) <= s.bytes) {
			return value
		}
	}
	return ""
}

func (s *syntax) join(list []string) string {
	if s.quote == "" {
		return strings.Join(list, s.separator)
	}
	list = slices.Clone(list)
	for i, name := range list {
		list[i] = s.quote + name + s.quote
	}
	return strings.Join(list, s.separator)
}
