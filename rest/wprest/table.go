package wprest

import (
	"slices"
	"strings"
)

// Table is the route table of a site. It is immutable.
type Table struct {
	Routes []*Route
	// segments are those of the routes' templates.
	segments [][]string
}

// NewTable returns the table of a namespace: its index, and the other routes in the order in which
// the index lists them. languageParam is the name of the parameter that accepts the offered
// languages; every endpoint has it, unless there are none.
func NewTable(routes []*Route, languageParam string, offered []string) *Table {
	language := languageArg(languageParam, offered)
	t := &Table{Routes: append([]*Route{IndexRoute()}, routes...)}
	for _, rt := range t.Routes {
		t.segments = append(t.segments, strings.Split(rt.Template, "/"))
		for i := range rt.Endpoints {
			rt.Endpoints[i].Args = slices.Concat(rt.Endpoints[i].Args, language)
		}
	}
	return t
}

// Find returns the route of path, which is what follows the namespace, and the name and text of
// what its template captures. Templates match without regard to letter case, as WordPress's
// patterns do; what is captured keeps the case of the request. Of several routes that match, the
// first one counts.
func (t *Table) Find(path string) (rt *Route, name, value string) {
	if path == "" {
		path = "/"
	}
	segments := strings.Split(path, "/")
	for i, rt := range t.Routes {
		if name, value, ok := match(t.segments[i], segments); ok {
			return rt, name, value
		}
	}
	return nil, "", ""
}

// match reports whether the segments of a template match those of a path, and what they capture:
// {id} digits, and any other name in braces whatever is there. A segment may go on behind the
// brace, as in {id}.ics.
func match(template, path []string) (name, value string, ok bool) {
	if len(path) != len(template) {
		return "", "", false
	}
	for i, want := range template {
		before, after, captures := strings.Cut(want, "}")
		if !captures {
			if asciiLower(path[i]) != want {
				return "", "", false
			}
			continue
		}
		end := len(path[i]) - len(after)
		if end <= 0 || asciiLower(path[i][end:]) != after {
			return "", "", false
		}
		name, value = strings.TrimPrefix(before, "{"), path[i][:end]
		if name == "id" && !allDigits(value) {
			return "", "", false
		}
	}
	return name, value, true
}

func allDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// asciiLower lowers ASCII letters alone.
func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, s)
}
