package compat

import (
	"calbridge/compat/jsontree"
	"slices"
	"strings"
)

// siteRoute is a route of the site's index, as far as requests are made of it.
type siteRoute struct {
	pattern string // below the namespace
	get     []siteArg
	post    []siteArg
	// writes tells that the route takes POST, removes that it takes DELETE.
	writes, removes bool
}

type siteArg struct {
	name, typ string
	enum      []string
	required  bool
}

// siteRoutes reads the routes of a namespace index.
func siteRoutes(index *jsontree.Node, namespace string) []siteRoute {
	routes := index.Member("routes")
	if !routes.Is(jsontree.Object) {
		return nil
	}
	var out []siteRoute
	for i, pattern := range routes.Names {
		below, ours := strings.CutPrefix(pattern, namespace)
		if !ours || (below != "" && below[0] != '/') {
			continue
		}
		route := siteRoute{pattern: below}
		if endpoints := routes.Items[i].Member("endpoints"); endpoints != nil {
			for _, endpoint := range endpoints.Items {
				route.addEndpoint(endpoint)
			}
		}
		out = append(out, route)
	}
	return out
}

func (s *siteRoute) addEndpoint(endpoint *jsontree.Node) {
	methods := jsontree.Texts(endpoint.Member("methods"))
	var args []siteArg
	if list := endpoint.Member("args"); list.Is(jsontree.Object) {
		for i, name := range list.Names {
			arg := siteArg{name: name, typ: typeText(list.Items[i].Member("type")), enum: jsontree.Texts(list.Items[i].Member("enum"))}
			if required := list.Items[i].Member("required"); required.Is(jsontree.Bool) {
				arg.required = required.Raw() == "true"
			}
			args = append(args, arg)
		}
	}
	if slices.Contains(methods, "GET") {
		s.get = append(s.get, args...)
	}
	if slices.Contains(methods, "POST") {
		s.post, s.writes = append(s.post, args...), true
	}
	if slices.Contains(methods, "DELETE") {
		s.removes = true
	}
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
	before, _, _ := strings.Cut(s.pattern, "(?P<")
	if name := strings.ReplaceAll(strings.Trim(before, "/"), "/", "-"); name != "" {
		if !s.static() {
			return name + "-one"
		}
		return name
	}
	return "index"
}

// queryArgs are the arguments of GET that go into the query.
func (s *siteRoute) queryArgs() []siteArg {
	var args []siteArg
	for _, arg := range s.get {
		if !strings.Contains(s.pattern, "(?P<"+arg.name+">") && !slices.ContainsFunc(args, func(have siteArg) bool { return have.name == arg.name }) {
			args = append(args, arg)
		}
	}
	return args
}
