package wprest

import (
	"regexp"
	"strings"

	"calbridge/compat/recording"
)

// Namespace is a REST namespace with a slash before it: "/tribe/events/v1".
type Namespace string

// NewNamespace reads a namespace with or without slashes around it; "" is
// recording.DefaultNamespace.
func NewNamespace(text string) Namespace {
	if text == "" {
		text = recording.DefaultNamespace
	}
	return Namespace("/" + strings.Trim(text, "/"))
}

// Answers reports whether the answers of a route are of interest: the route is in the
// namespace, or in none, whose errors are WordPress's own.
func (n Namespace) Answers(route string) bool {
	route, namespace := ASCIILower(route), ASCIILower(string(n))
	return route == "/" || route == namespace || strings.HasPrefix(route, namespace+"/") || !namespaced.MatchString(route)
}

// namespaced tells routes of a REST namespace ("/wp/v2/posts") from others.
var namespaced = regexp.MustCompile(`^/[^/]+(/[^/]+)*/v\d+(/|$)`)

// Below is a route without the namespace.
func (n Namespace) Below(route string) string {
	if len(route) >= len(n) && strings.EqualFold(route[:len(n)], string(n)) {
		return route[len(n):]
	}
	return route
}

// is reports whether a text, such as the member "namespace" of a route's description,
// names the namespace.
func (n Namespace) is(text string) bool { return strings.EqualFold("/"+text, string(n)) }

// ASCIILower lowers ASCII letters only, so that offsets stay those of the input.
func ASCIILower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
