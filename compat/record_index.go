package compat

import (
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
func siteRoutes(index *jsonNode, namespace string) []siteRoute {
	routes := index.member("routes")
	if !routes.is(jsonObject) {
		return nil
	}
	var out []siteRoute
	for i, pattern := range routes.names {
		below, ours := strings.CutPrefix(pattern, namespace)
		if !ours || (below != "" && below[0] != '/') {
			continue
		}
		route := siteRoute{pattern: below}
		if endpoints := routes.items[i].member("endpoints"); endpoints != nil {
			for _, endpoint := range endpoints.items {
				route.addEndpoint(endpoint)
			}
		}
		out = append(out, route)
	}
	return out
}

func (s *siteRoute) addEndpoint(endpoint *jsonNode) {
	methods := scalarTexts(endpoint.member("methods"))
	var args []siteArg
	if list := endpoint.member("args"); list.is(jsonObject) {
		for i, name := range list.names {
			arg := siteArg{name: name, typ: typeText(list.items[i].member("type")), enum: scalarTexts(list.items[i].member("enum"))}
			if required := list.items[i].member("required"); required.is(jsonBool) {
				arg.required = required.raw() == "true"
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
