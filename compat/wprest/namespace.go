package wprest

import (
	"regexp"
	"strings"

	"calbridge/compat/recording"
)

// Namespace is a REST namespace with a slash before it: "/tribe/events/v1".
type Namespace string

// NewNamespace parses a namespace with or without slashes around it; "" means
// recording.DefaultNamespace.
func NewNamespace(text string) Namespace {
	if text == "" {
		text = recording.DefaultNamespace
	}
	return Namespace("/" + strings.Trim(text, "/"))
}

// Answers reports whether the answers of a route belong to the API. The route is in the
// namespace, or in none, in which case WordPress itself responds with an error.
func (n Namespace) Answers(route string) bool {
	route, namespace := ASCIILower(route), ASCIILower(string(n))
	return route == "/" || route == namespace || strings.HasPrefix(route, namespace+"/") || !namespaced.MatchString(route)
}

// namespaced matches routes of a REST namespace ("/wp/v2/posts").
var namespaced = regexp.MustCompile(`^/[^/]+(/[^/]+)*/v\d+(/|$)`)

// Below returns a route without the namespace.
func (n Namespace) Below(route string) string {
	if len(route) >= len(n) && strings.EqualFold(route[:len(n)], string(n)) {
		return route[len(n):]
	}
	return route
}

// is reports whether a text, such as the member "namespace" of a route's description, is
// the name of the namespace.
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

// Rewrite replaces the namespace of recordings with that of the target: in paths, bodies
// and header values, in each spelling in which a namespace appears there.
type Rewrite struct {
	recorded, target string
	replacer         *strings.Replacer // nil when both are the same
}

// NewRewrite returns a rewrite of one namespace to another. It changes nothing if they
// are the same or one of them is "".
func NewRewrite(recorded, target string) Rewrite {
	w := Rewrite{recorded: recorded, target: target}
	if recorded != "" && target != "" && recorded != target {
		w.replacer = recording.Replacer(recorded, target)
	}
	return w
}

// path maps a request path. WordPress ignores case when it matches routes, so a namespace
// in other letter case is mapped too, upper case to upper case.
func (w Rewrite) path(path string) string {
	mapped := w.replacer.Replace(path)
	if mapped != path {
		return mapped
	}
	at := strings.Index(ASCIILower(path), ASCIILower(w.recorded))
	if at < 0 {
		return path
	}
	end := at + len(w.recorded)
	target := w.target
	if segment, _, _ := strings.Cut(path[at:end], "/"); segment == strings.ToUpper(segment) {
		target = strings.ToUpper(target)
	}
	return path[:at] + target + path[end:]
}

// Request maps a recorded request.
func (w Rewrite) Request(r recording.Request) recording.Request {
	if w.replacer == nil {
		return r
	}
	mapped := recording.Request{Method: r.Method, Path: w.path(r.Path), Headers: make(map[string]string, len(r.Headers))}
	for name, value := range r.Headers {
		mapped.Headers[name] = w.replacer.Replace(value)
	}
	if r.Body != nil {
		body := w.replacer.Replace(*r.Body)
		mapped.Body = &body
	}
	return mapped
}

// Response maps a recorded answer.
func (w Rewrite) Response(r recording.Response) recording.Response {
	if w.replacer == nil {
		return r
	}
	return r.Map(w.replacer.Replace)
}
