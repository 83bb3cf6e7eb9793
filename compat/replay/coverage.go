package replay

import (
	"maps"
	"slices"
	"strings"

	"calbridge/compat/recording"
	"calbridge/compat/wprest"
)

// Coverage describes which parts of the advertised API the compared exchanges request. A
// route, parameter, language or role without a request is not tested. Its JSON form is
// part of the JSON report.
type Coverage struct {
	// Languages and Roles are all that appear: wprest.DefaultLanguage and the language
	// roots, anonymous and the logins.
	Languages []string `json:"languages"`
	Roles     []string `json:"roles"`
	Routes    []Route  `json:"routes"`
}

// Route is the coverage of one route. The counts are of exchanges.
type Route struct {
	Route string `json:"route"`
	// Advertised reports that the route is in the namespace index.
	Advertised bool `json:"advertised"`
	Asked      int  `json:"asked"`
	// Parameters are those that the index advertises for GET. For a route that it does
	// not advertise they are those that were sent.
	Parameters map[string]int `json:"parameters"`
	Languages  map[string]int `json:"languages"`
	Roles      map[string]int `json:"roles"`
	// Parts of the API without any request.
	NeverParameters []string `json:"never_parameters"`
	NeverLanguages  []string `json:"never_languages"`
	NeverRoles      []string `json:"never_roles"`
}

// never returns the names whose count is zero.
func never(names []string, counts map[string]int) []string {
	return slices.DeleteFunc(append([]string{}, names...), func(name string) bool { return counts[name] > 0 })
}

// route returns the entry of a route, adding one if it is missing.
func (c *Coverage) route(name string, advertised bool) *Route {
	i := slices.IndexFunc(c.Routes, func(have Route) bool { return have.Route == name })
	if i < 0 {
		i = len(c.Routes)
		c.Routes = append(c.Routes, Route{Route: name, Advertised: advertised,
			Parameters: map[string]int{}, Languages: map[string]int{}, Roles: map[string]int{}})
	}
	return &c.Routes[i]
}

// Asked is one request of a comparison.
type Asked struct{ Path, Route, Language, As string }

func (c *Coverage) count(a Asked) {
	have := c.route(a.Route, false)
	have.Asked++
	have.Languages[a.Language]++
	have.Roles[a.As]++
	_, query, _ := strings.Cut(a.Path, "?")
	for name := range recording.ParsePairs(query) {
		name, _, _ = strings.Cut(name, "[")
		if _, known := have.Parameters[name]; known || a.Route != otherRoute && !have.Advertised {
			have.Parameters[name]++
		}
	}
}

// Of returns the coverage of an index by the requests, in all languages that they
// request, as anonymous and as each of the logins.
func Of(index *wprest.Index, logins []string, requests []Asked) *Coverage {
	c := &Coverage{}
	for i := range index.Routes {
		route := &index.Routes[i]
		have := c.route(route.Name(), true)
		for _, arg := range route.QueryArgs() {
			have.Parameters[arg.Name] = 0
		}
	}
	languages, roles := map[string]bool{wprest.DefaultLanguage: true}, map[string]bool{recording.Anonymous: true}
	for _, login := range logins {
		roles[login] = true
	}
	for _, a := range requests {
		c.count(a)
		languages[a.Language], roles[a.As] = true, true
	}
	c.Languages, c.Roles = slices.Sorted(maps.Keys(languages)), slices.Sorted(maps.Keys(roles))
	for i := range c.Routes {
		r := &c.Routes[i]
		r.NeverParameters = never(slices.Sorted(maps.Keys(r.Parameters)), r.Parameters)
		r.NeverLanguages, r.NeverRoles = never(c.Languages, r.Languages), never(c.Roles, r.Roles)
	}
	return c
}

// otherRoute stands for requests that match no advertised route.
const otherRoute = "(no route)"

// RouteOf returns the name of the route that a request addresses.
func RouteOf(index *wprest.Index, method, path string) string {
	request, reached := wprest.ReadRequest(recording.Request{Method: method, Path: path})
	if !reached {
		return otherRoute
	}
	below := index.Namespace.Below(request.Route)
	route, known := index.Find(below)
	switch {
	case known:
		return route.Name()
	case below == "":
		return "/"
	case len(index.Routes) > 0 || below == request.Route && request.Route != "/":
		return otherRoute
	}
	return route.Name()
}
