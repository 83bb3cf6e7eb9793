package routes

import (
	"net/http"
	"strings"

	"github.com/julienschmidt/httprouter"
)

// Table is the route table of a site. It is immutable.
type Table struct {
	Routes []*Route
	// tree matches paths. It holds static and captured segments side by side only at
	// different depths, so by-slug, the one static second segment, is compared after the
	// look-up.
	tree *httprouter.Router
	// shapes finds the route that the tree has matched: no two have the same first
	// segment and number of captured ones.
	shapes map[shape]*Route
}

type shape struct {
	first    string // segment of the path
	captured int
}

// NewTable returns the table with its handlers. Every endpoint has the parameter of that
// name which accepts the offered languages, unless there are none.
func NewTable(h Handlers, languageParam string, offered []string) *Table {
	extra := languageArg(languageParam, offered)
	t := &Table{Routes: newRoutes(h), tree: httprouter.New(), shapes: map[shape]*Route{}}
	t.Routes[0].Endpoints[0].Handle = t.index
	t.Routes[1].Endpoints[0].Handle = t.openAPI
	matched := func(http.ResponseWriter, *http.Request, httprouter.Params) {} // the tree only matches; the pipeline calls the endpoint
	captures := strings.NewReplacer(idPattern, "/:first", slugPattern, "/:first/:second")
	for _, rt := range t.Routes {
		path := "/" + strings.TrimPrefix(captures.Replace(rt.Pattern), "/")
		t.tree.GET(path, matched)
		first, _, _ := strings.Cut(path[1:], "/")
		t.shapes[shape{first, strings.Count(path, ":")}] = rt
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
	if path == "" {
		path = "/"
	}
	lower := asciiLower(path)
	handle, params, _ := t.tree.Lookup(http.MethodGet, lower)
	if handle == nil {
		return nil, "", ""
	}
	first, _, _ := strings.Cut(lower[1:], "/")
	rt = t.shapes[shape{first, len(params)}]
	segments := strings.Split(path[1:], "/")
	switch {
	case len(params) == 0:
		return rt, "", ""
	case len(params) == 1 && allDigits(segments[1]):
		return rt, "id", segments[1]
	case len(params) == 2 && strings.EqualFold(segments[1], "by-slug") && segments[2] != "":
		return rt, "slug", segments[2]
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
