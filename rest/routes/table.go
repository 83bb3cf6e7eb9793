package routes

import "strings"

// Table is the route table of a site. It is immutable.
type Table struct {
	Routes []*Route
	// shapes finds a route by its path in lower case, with what its pattern captures
	// left empty: /events, /events/, /events/by-slug/.
	shapes map[string]*Route
}

// NewTable returns the table with its handlers. Every endpoint has the parameter of that
// name which accepts the offered languages, unless there are none.
func NewTable(h Handlers, languageParam string, offered []string) *Table {
	extra := languageArg(languageParam, offered)
	t := &Table{Routes: newRoutes(h), shapes: map[string]*Route{}}
	t.Routes[0].Endpoints[0].Handle = t.index
	t.Routes[1].Endpoints[0].Handle = t.openAPI
	for _, rt := range t.Routes {
		shape, _, _ := strings.Cut(rt.Pattern, "(")
		t.shapes[shape] = rt
		for i := range rt.Endpoints {
			rt.Endpoints[i].args = join(rt.Endpoints[i].args, extra)
		}
	}
	return t
}

// Find returns the route of path, which is what follows the namespace, and the name
// and text of what its pattern captures. Patterns match without regard to letter
// case, as WordPress's do; what is captured keeps the case of the request.
func (t *Table) Find(path string) (rt *Route, name, value string) {
	collection, item, below := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	shape := "/" + asciiLower(collection)
	if collection == "" {
		shape = ""
	}
	if !below {
		return t.shapes[shape], "", ""
	}
	word, slug, bySlug := strings.Cut(item, "/")
	switch {
	case !bySlug && allDigits(item):
		return t.shapes[shape+"/"], "id", item
	case bySlug && strings.EqualFold(word, "by-slug") && slug != "" && !strings.Contains(slug, "/"):
		return t.shapes[shape+"/by-slug/"], "slug", slug
	}
	return nil, "", ""
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

func asciiLower(s string) string {
	for i := range len(s) {
		if c := s[i]; c >= 'A' && c <= 'Z' {
			b := []byte(s)
			for j := i; j < len(b); j++ {
				if b[j] >= 'A' && b[j] <= 'Z' {
					b[j] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}
