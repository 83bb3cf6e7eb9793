package routes

import (
	"net/http"
	"slices"
	"strings"

	"github.com/julienschmidt/httprouter"

	"calbridge/rest/trait"
)

// Table is the route table of a site. It is immutable.
type Table struct {
	Routes []*Route
	// tree matches paths, and byTemplate finds the route of a matched one. The tree takes
	// no static segment beside a captured one, so Find compares by-slug itself.
	tree       *httprouter.Router
	byTemplate map[string]*Route
	// extensions are those of Routes that are our own. There are few, which are compared one
	// by one.
	extensions []*Route
}

// NewTable returns the table of a site with traits, with its handlers. It has those routes of
// our own that handlers are given for. languageParam is the name of the parameter that accepts
// the offered languages; every endpoint has it, unless there are none.
func NewTable(h Handlers, traits trait.Set, languageParam string, offered []string) *Table {
	language := languageArg(languageParam, offered)
	t := &Table{Routes: newRoutes(h, traits), tree: httprouter.New(), byTemplate: map[string]*Route{}}
	t.Routes[0].Endpoints[0].Handle = t.index
	t.Routes[1].Endpoints[0].Handle = t.openAPI
	if own := h[Document.Of("")]; own != nil {
		t.Routes[1].Endpoints[0].Handle = own
	}
	matched := func(http.ResponseWriter, *http.Request, httprouter.Params) {} // the pipeline calls the endpoint
	captures := strings.NewReplacer("{id}", ":first", "by-slug/{slug}", ":first/:second")
	for _, rt := range t.Routes {
		t.tree.GET(captures.Replace(rt.Template), matched)
		t.byTemplate[rt.Template] = rt
	}
	for _, rt := range h.addTo(extensionRoutes()) {
		if rt.Endpoints[0].Handle != nil {
			t.extensions = append(t.extensions, rt)
		}
	}
	t.Routes = append(t.Routes, t.extensions...)
	for _, rt := range t.Routes {
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
	if path == "" {
		path = "/"
	}
	template := asciiLower(path)
	handle, captured, _ := t.tree.Lookup(http.MethodGet, template)
	if handle == nil {
		return t.findExtension(path)
	}
	// The values keep their letter case in path only.
	segments := strings.Split(path[1:], "/")
	first, _, _ := strings.Cut(template[1:], "/")
	switch {
	case len(captured) == 0:
	case len(captured) == 1 && allDigits(segments[1]):
		template, name, value = "/"+first+"/{id}", "id", segments[1]
	case len(captured) == 2 && captured[0].Value == "by-slug" && segments[2] != "":
		template, name, value = "/"+first+"/by-slug/{slug}", "slug", segments[2]
	default:
		return t.findExtension(path)
	}
	return t.byTemplate[template], name, value
}

// findExtension returns the route of our own of a path.
func (t *Table) findExtension(path string) (rt *Route, name, value string) {
	for _, rt := range t.extensions {
		if name, value, ok := rt.match(path); ok {
			return rt, name, value
		}
	}
	return nil, "", ""
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
