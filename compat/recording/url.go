package recording

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// RESTRoot is the path of the REST API below the home of a site that has pretty permalinks.
const RESTRoot = "/wp-json"

// HomeOfLink derives a site's home URL from the Link header of a recorded
// answer, which names the REST root: <https://host/wp-json/>; rel="…".
func HomeOfLink(link string) string {
	root, _, _ := strings.Cut(RESTRootOfLink(link), "?")
	for _, entry := range []string{RESTRoot, "/index.php"} {
		if i := strings.LastIndex(root, entry); i > 0 {
			root = root[:i]
		}
	}
	return strings.TrimSuffix(root, "/")
}

// RESTRootOfLink returns the URL of rel="https://api.w.org/" in a Link header.
func RESTRootOfLink(link string) string {
	if !strings.Contains(link, `rel="https://api.w.org/"`) {
		return ""
	}
	_, rest, _ := strings.Cut(link, "<")
	target, _, found := strings.Cut(rest, ">")
	if !found {
		return ""
	}
	return target
}

// originOf returns the scheme and host of an exchange's request, or a placeholder.
func originOf(x *Exchange) string {
	for _, text := range x.Homes() {
		if origin, _, err := splitURL(text); err == nil {
			return origin
		}
	}
	return "http://localhost"
}

// absoluteURL matches a URL with scheme, host and request target.
var absoluteURL = regexp.MustCompile(`^(?i:(https?)://)(?:[^/?#]*@)?([^/?#@]+)([/?][^#]*)?(?:#|\z)`)

// splitURL splits a URL into scheme and host on one side, path and query on the other.
// Escapes stay untouched.
func splitURL(text string) (origin, path string, err error) {
	parts := absoluteURL.FindStringSubmatch(text)
	if parts == nil {
		return "", "", fmt.Errorf("%.100q is not an http or https URL", text)
	}
	if path = parts[3]; !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return strings.ToLower(parts[1]) + "://" + parts[2], path, nil
}

// Replacer replaces one text with another in every spelling in which a URL appears in
// requests and answers: plain, with slashes escaped as in PHP's JSON, and escaped in a
// query.
func Replacer(from, to string) *strings.Replacer {
	var pairs []string
	for _, spell := range []func(string) string{
		strings.Clone,
		func(s string) string { return strings.ReplaceAll(s, "/", `\/`) },
		url.QueryEscape,
		func(s string) string { return strings.ReplaceAll(s, "/", "%2f") },
	} {
		pairs = append(pairs, spell(from), spell(to))
	}
	return strings.NewReplacer(pairs...)
}

// ParsePairs parses name=value pairs as PHP does for plain names: the last value of a
// name wins, and bad escapes stay as they are.
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
