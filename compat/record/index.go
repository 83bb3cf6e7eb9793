package record

import (
	"net/url"
	"slices"
	"strings"

	"calbridge/compat/jsontree"
	"calbridge/compat/wprest"
)

// siteRoute is a route of the site's index.
type siteRoute struct {
	pattern string // below the namespace
	get     []wprest.Arg
	post    []wprest.Arg
	// writes: the route takes POST; removes: it takes DELETE.
	writes, removes bool
}

// siteRoutes reads the routes of a namespace index.
func siteRoutes(root *jsontree.Node, namespace wprest.Namespace) (routes []siteRoute) {
	index := wprest.Index{Namespace: namespace}
	for _, route := range index.Read(root) {
		s := siteRoute{pattern: route.Pattern}
		for _, e := range route.Endpoints {
			if slices.Contains(e.Methods, "GET") {
				s.get = append(s.get, e.Args...)
			}
			if slices.Contains(e.Methods, "POST") {
				s.post, s.writes = append(s.post, e.Args...), true
			}
			s.removes = s.removes || slices.Contains(e.Methods, "DELETE")
		}
		routes = append(routes, s)
	}
	return routes
}

// static reports whether the route has no part to fill in.
func (s *siteRoute) static() bool { return !strings.Contains(s.pattern, "(?P<") }

// variable gives the one part to fill in, and what is before and after it.
func (s *siteRoute) variable() (before, name, after string, ok bool) {
	before, rest, found := strings.Cut(s.pattern, "(?P<")
	if !found || strings.Contains(rest, "(?P<") {
		return "", "", "", false
	}
	name, _, _ = strings.Cut(rest, ">")
	after = rest[strings.LastIndexByte(rest, ')')+1:]
	return before, name, after, true
}

// group names a route in the ids of exchanges.
func (s *siteRoute) group() string {
	before, _, hasVariable := strings.Cut(s.pattern, "(?P<")
	name := strings.ReplaceAll(strings.Trim(before, "/"), "/", "-")
	switch {
	case name == "":
		return "index"
	case hasVariable:
		return name + "-one"
	}
	return name
}

// queryArgs are the arguments of GET that go into the query.
func (s *siteRoute) queryArgs() []wprest.Arg {
	var args []wprest.Arg
	for _, arg := range s.get {
		if !strings.Contains(s.pattern, "(?P<"+arg.Name+">") && !hasArg(args, arg.Name) {
			args = append(args, arg)
		}
	}
	return args
}

// reads reports whether the route takes GET, as far as the index says what it takes.
func (s *siteRoute) reads() bool { return s.get != nil || !s.writes }

// hasArg reports whether an argument is among others.
func hasArg(args []wprest.Arg, name string) bool {
	return slices.ContainsFunc(args, func(arg wprest.Arg) bool { return arg.Name == name })
}

// filled is a path of the route, with a value for the part to fill in.
func (s *siteRoute) filled(value string) string {
	before, _, after, _ := s.variable()
	return before + url.PathEscape(value) + after
}

// lists reports whether the route has things to list: it is no item and not the index.
func (s *siteRoute) lists() bool { return s.static() && s.pattern != "" && s.reads() }
