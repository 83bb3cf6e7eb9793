package record

import (
	"net/url"
	"slices"
	"strings"

	"calbridge/compat/jsontree"
	"calbridge/compat/wprest"
)

// siteRoute is a route of the site's index.
type siteRoute struct{ wprest.Route }

// siteRoutes reads the routes of a namespace index.
func siteRoutes(root *jsontree.Node, namespace wprest.Namespace) (routes []siteRoute) {
	index := wprest.Index{Namespace: namespace}
	for _, route := range index.Read(root) {
		routes = append(routes, siteRoute{route})
	}
	return routes
}

// static reports whether the route has no variable part.
func (s *siteRoute) static() bool { return !strings.Contains(s.Pattern, "(?P<") }

// variable returns the one variable part and the texts before and after it.
func (s *siteRoute) variable() (before, name, after string, ok bool) {
	before, rest, found := strings.Cut(s.Pattern, "(?P<")
	if !found || strings.Contains(rest, "(?P<") {
		return "", "", "", false
	}
	name, _, _ = strings.Cut(rest, ">")
	after = rest[strings.LastIndexByte(rest, ')')+1:]
	return before, name, after, true
}

// group returns the name of a route in the ids of exchanges.
func (s *siteRoute) group() string {
	before, _, hasVariable := strings.Cut(s.Pattern, "(?P<")
	name := strings.ReplaceAll(strings.Trim(before, "/"), "/", "-")
	switch {
	case name == "":
		return "index"
	case hasVariable:
		return name + "-one"
	}
	return name
}

// queryArgs returns the arguments of GET that go into the query, each once.
func (s *siteRoute) queryArgs() (args []wprest.Arg) {
	for _, arg := range s.QueryArgs() {
		if !hasArg(args, arg.Name) {
			args = append(args, arg)
		}
	}
	return args
}

// reads reports whether the route accepts GET, or has no methods in the index.
func (s *siteRoute) reads() bool { return s.Takes("GET") || !s.Takes("POST") }

// hasArg reports whether the arguments include one of that name.
func hasArg(args []wprest.Arg, name string) bool {
	return slices.ContainsFunc(args, func(arg wprest.Arg) bool { return arg.Name == name })
}

// filled returns a path of the route, with a value in place of the variable part.
func (s *siteRoute) filled(value string) string {
	before, _, after, _ := s.variable()
	return before + url.PathEscape(value) + after
}

// lists reports whether the route is a list: neither an item nor the index.
func (s *siteRoute) lists() bool { return s.static() && s.Pattern != "" && s.reads() }
