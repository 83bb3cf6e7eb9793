package recording

import (
	"fmt"
	"net/url"
	"strings"

	"calbridge/compat/excerpt"
)

// HomeOfLink guesses a site's home URL from the Link header of a recorded
// answer, which names the REST root: <https://host/wp-json/>; rel="…".
func HomeOfLink(link string) string {
	root, _, _ := strings.Cut(RESTRootOfLink(link), "?")
	for _, entry := range []string{"/wp-json", "/index.php"} {
		if i := strings.LastIndex(root, entry); i > 0 {
			root = root[:i]
		}
	}
	return strings.TrimSuffix(root, "/")
}

// RESTRootOfLink takes the URL of rel="https://api.w.org/" from a Link header.
func RESTRootOfLink(link string) string {
	if !strings.Contains(link, `rel="https://api.w.org/"`) {
		return ""
	}
	_, rest, found := strings.Cut(link, "<")
	if !found {
		return ""
	}
	target, _, found := strings.Cut(rest, ">")
	if !found {
		return ""
	}
	return target
}

// originOf is where an exchange was asked, as far as it can be told.
func originOf(x *Exchange) string {
	for _, text := range x.Homes() {
		if origin, _, err := splitURL(text); err == nil {
			return origin
		}
	}
	return "http://localhost"
}

// splitURL parts a URL into scheme and host and what stood in the request line,
// the escapes untouched.
func splitURL(text string) (origin, path string, err error) {
	scheme, rest, found := strings.Cut(text, "://")
	scheme = strings.ToLower(scheme)
	if !found || (scheme != "http" && scheme != "https") {
		return "", "", fmt.Errorf("%q is not an http or https URL", excerpt.Head(text, 100))
	}
	rest, _, _ = strings.Cut(rest, "#")
	end := strings.IndexAny(rest, "/?")
	if end < 0 {
		end = len(rest)
	}
	host := rest[:end]
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		host = host[at+1:]
	}
	if host == "" {
		return "", "", fmt.Errorf("%q names no host", excerpt.Head(text, 100))
	}
	path = rest[end:]
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return scheme + "://" + host, path, nil
}

// ParsePairs reads name=value pairs as PHP does for plain names: the last of a
// name wins, bad escapes stay as they are.
func ParsePairs(text string) url.Values {
	pairs := url.Values{}
	for pair := range strings.SplitSeq(text, "&") {
		name, value, _ := strings.Cut(pair, "=")
		name = unescapeLoosely(name)
		if name != "" {
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
