package routes

import (
	"slices"
	"strings"
)

// Table is the route table of a site. It is immutable.
type Table struct {
	Routes     []*Route
	byTemplate map[string]*Route
}

// NewTable returns the table with its handlers. languageParam is the name of the parameter
// that accepts the offered languages; every endpoint has it, unless there are none.
func NewTable(h Handlers, languageParam string, offered []string) *Table {
	language := languageArg(languageParam, offered)
	t := &Table{Routes: newRoutes(h), byTemplate: map[string]*Route{}}
	t.Routes[0].Endpoints[0].Handle = t.index
	t.Routes[1].Endpoints[0].Handle = t.openAPI
	for _, rt := range t.Routes {
		t.byTemplate[rt.Template] = rt
		for i := range rt.Endpoints {
			rt.Endpoints[i].args = slices.Concat(rt.Endpoints[i].args, language)
		}
	}
	return t
}

// Find returns the route of path, which is what follows the namespace, and the name
// and text of what its pattern captures. Patterns match without regard to letter
// case, as WordPress's do; what is captured keeps the case of the request.
func (t *Table) Find(path string) (rt *Route, name, value string) {
	segments := strings.Split(strings.TrimPrefix(path, "/"), "/")
	template := "/" + asciiLower(segments[0])
	switch {
	case len(segments) == 1:
	case len(segments) == 2 && allDigits(segments[1]):
		template, name, value = template+"/{id}", "id", segments[1]
	case len(segments) == 3 && asciiLower(segments[1]) == "by-slug" && segments[2] != "":
		template, name, value = template+"/by-slug/{slug}", "slug", segments[2]
	default:
		return nil, "", ""
	}
	if rt = t.byTemplate[template]; rt == nil {
		return nil, "", ""
	}
	return rt, name, value
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
