package compat

import (
	"calbridge/compat/recording"
	"net/url"
	"strings"
)

// namespaceMap turns the namespace that recordings were made under into the one
// that the target serves: in paths, bodies and header values, in each of the
// spellings in which a namespace appears there.
type namespaceMap struct {
	recorded, target string
	replacer         *strings.Replacer // nil when both are the same
}

func newNamespaceMap(recorded, target string) namespaceMap {
	m := namespaceMap{recorded: recorded, target: target}
	if recorded == "" || target == "" || recorded == target {
		return m
	}
	var pairs []string
	for _, spell := range []func(string) string{
		func(s string) string { return s },
		func(s string) string { return strings.ReplaceAll(s, "/", `\/`) }, // as PHP writes JSON
		url.QueryEscape,
		func(s string) string { return strings.ReplaceAll(s, "/", "%2f") },
	} {
		pairs = append(pairs, spell(recorded), spell(target))
	}
	m.replacer = strings.NewReplacer(pairs...)
	return m
}

// text maps every spelling of the namespace in a body or a header value.
func (m namespaceMap) text(s string) string {
	if m.replacer == nil {
		return s
	}
	return m.replacer.Replace(s)
}

// path maps a request path. WordPress matches routes without regard to case, so
// a namespace in other letters is mapped too, upper case as upper case.
func (m namespaceMap) path(path string) string {
	if m.replacer == nil {
		return path
	}
	mapped := m.replacer.Replace(path)
	if mapped != path {
		return mapped
	}
	at := strings.Index(asciiLower(path), asciiLower(m.recorded))
	if at < 0 {
		return path
	}
	end := at + len(m.recorded)
	target := m.target
	if segment, _, _ := strings.Cut(path[at:end], "/"); segment == strings.ToUpper(segment) {
		target = strings.ToUpper(target)
	}
	return path[:at] + target + path[end:]
}

// asciiLower lowers ASCII letters only, so that offsets stay those of the input.
func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

func (m namespaceMap) request(r recording.Request) recording.Request {
	if m.replacer == nil {
		return r
	}
	mapped := recording.Request{Method: r.Method, Path: m.path(r.Path), Headers: make(map[string]string, len(r.Headers))}
	for name, value := range r.Headers {
		mapped.Headers[name] = m.text(value)
	}
	if r.Body != nil {
		body := m.text(*r.Body)
		mapped.Body = &body
	}
	return mapped
}

func (m namespaceMap) response(r recording.Response) recording.Response {
	if m.replacer == nil {
		return r
	}
	mapped := recording.Response{Status: r.Status, Headers: make(map[string]recording.HeaderValues, len(r.Headers)), Body: m.text(r.Body)}
	for name, values := range r.Headers {
		list := make(recording.HeaderValues, len(values))
		for i, value := range values {
			list[i] = m.text(value)
		}
		mapped.Headers[name] = list
	}
	return mapped
}
