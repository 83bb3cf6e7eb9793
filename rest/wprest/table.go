package wprest

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/julienschmidt/httprouter"

	"calbridge/rest/api"
	"calbridge/rest/trait"
)

// Table is the route table of a dialect on a site. It is immutable.
type Table struct {
	Namespace string
	Routes    []*Route
	// CrossOrigin is what pages of other origins may do.
	CrossOrigin *api.CrossOrigin
	// tree matches the shapes of templates. It takes no literal segment beside one that
	// captures, so all segments but the first one capture in a shape, and Find compares the
	// few templates of the matched shape itself.
	tree    *httprouter.Router
	byShape map[string][]candidate
}

// candidate is a route with the segments of its template.
type candidate struct {
	route    *Route
	segments []string
}

// shapeOf returns the shape of the paths with a first segment and a number of further ones.
func shapeOf(first string, further int) string {
	shape := "/" + first
	for i := range further {
		shape += "/:" + strconv.Itoa(i)
	}
	return shape
}

// NewTable returns the table of a dialect on a site with traits. languageParam is the name of the
// parameter that accepts the offered languages; every endpoint has it, unless there are none.
func NewTable(d Dialect, traits trait.Set, languageParam string, offered []string) *Table {
	language := languageArg(languageParam, offered)
	t := &Table{
		Namespace: d.Namespace, Routes: append([]*Route{IndexRoute()}, d.Routes(traits)...),
		CrossOrigin: api.NewCrossOrigin(d.Exposes...), tree: httprouter.New(), byShape: map[string][]candidate{},
	}
	matched := func(http.ResponseWriter, *http.Request, httprouter.Params) {} // the pipeline calls the endpoint
	for _, rt := range t.Routes {
		segments := strings.Split(rt.Template, "/")
		shape := shapeOf(segments[1], len(segments)-2)
		if t.byShape[shape] == nil {
			t.tree.GET(shape, matched)
		}
		t.byShape[shape] = append(t.byShape[shape], candidate{rt, segments})
		for i := range rt.Endpoints {
			rt.Endpoints[i].Args = slices.Concat(rt.Endpoints[i].Args, language)
		}
	}
	return t
}

// Path returns the template of a route with the namespace in front.
func (t *Table) Path(rt *Route) string { return "/" + t.Namespace + rt.Template }

// Match returns the route of a REST path within the table's namespace, as Find does. ok is false if
// the path is in another namespace.
func (t *Table) Match(path string) (rt *Route, name, value string, ok bool) {
	ns := "/" + t.Namespace
	if len(path) < len(ns) || !strings.EqualFold(path[:len(ns)], ns) || len(path) > len(ns) && path[len(ns)] != '/' {
		return nil, "", "", false
	}
	rt, name, value = t.Find(path[len(ns):])
	return rt, name, value, true
}

// Find returns the route of path, which is what follows the namespace, and the name and text of
// what its template captures. Templates match without regard to letter case, as WordPress's
// patterns do; what is captured keeps the case of the request. Of several routes that match, the
// first one counts.
func (t *Table) Find(path string) (rt *Route, name, value string) {
	if path == "" {
		path = "/"
	}
	lower := asciiLower(path)
	handle, captured, _ := t.tree.Lookup(http.MethodGet, lower)
	if handle == nil {
		return nil, "", ""
	}
	first, _, _ := strings.Cut(lower[1:], "/")
	segments := strings.Split(path, "/")
	for _, c := range t.byShape[shapeOf(first, len(captured))] {
		if name, value, ok := match(c.segments, segments); ok {
			return c.route, name, value
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
