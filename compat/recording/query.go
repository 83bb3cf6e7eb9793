package recording

import (
	"net/url"
	"strings"
)

// parsePairs reads name=value pairs as PHP does for plain names: the last of a
// name wins, bad escapes stay as they are.
func ParsePairs(text string) url.Values {
	pairs := url.Values{}
	for pair := range strings.SplitSeq(text, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if name = unescapeLoosely(name); name != "" {
			pairs.Set(name, unescapeLoosely(value))
		}
	}
	return pairs
}

func unescapeLoosely(s string) string {
	if decoded, err := url.QueryUnescape(s); err == nil {
		return decoded
	}
	return s
}
