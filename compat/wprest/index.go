package wprest

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"calbridge/compat/jsontree"
)

// Route is a route of a namespace with its endpoints, as in the index or in an answer to
// OPTIONS.
type Route struct {
	Pattern   string // without the namespace
	Endpoints []Endpoint

	match *regexp.Regexp // nil when Go cannot compile the pattern
}

// Endpoint describes the arguments that a route accepts with some methods.
type Endpoint struct {
	Methods []string
	Args    []Arg
}

// Arg is an advertised argument.
type Arg struct {
	Name, Description string
	Type              string // several joined with ","
	Enum              []string
	Required          bool
}

// ReadRoute parses the description of a route.
func ReadRoute(pattern string, entry *jsontree.Node) Route {
	route := Route{Pattern: pattern}
	if endpoints := entry.Member("endpoints"); endpoints != nil {
		for _, endpoint := range endpoints.Items {
			route.Endpoints = append(route.Endpoints, Endpoint{Methods: jsontree.Texts(endpoint.Member("methods")), Args: readArgs(endpoint.Member("args"))})
		}
	}
	return route
}

func readArgs(list *jsontree.Node) []Arg {
	if !list.Is(jsontree.Object) {
		return nil
	}
	var args []Arg
	for i, name := range list.Names {
		item := list.Items[i]
		required := item.Member("required")
		arg := Arg{Name: name, Description: item.Member("description").Text(), Type: item.Member("type").Text(), Enum: jsontree.Texts(item.Member("enum")),
			Required: required.Is(jsontree.Bool) && required.Raw() == "true"}
		if types := item.Member("type"); types.Is(jsontree.Array) {
			arg.Type = strings.Join(jsontree.Texts(types), ",")
		}
		args = append(args, arg)
	}
	return args
}

// Args returns the arguments that the route accepts with a method.
func (r *Route) Args(method string) (args []Arg) {
	for _, e := range r.Endpoints {
		if slices.Contains(e.Methods, method) {
			args = append(args, e.Args...)
		}
	}
	return args
}

// QueryArgs returns the arguments of GET that are not part of the path.
func (r *Route) QueryArgs() []Arg {
	return slices.DeleteFunc(r.Args("GET"), func(arg Arg) bool { return strings.Contains(r.Pattern, "(?P<"+arg.Name+">") })
}

// Takes reports whether the route accepts a method.
func (r *Route) Takes(method string) bool {
	return slices.ContainsFunc(r.Endpoints, func(e Endpoint) bool { return slices.Contains(e.Methods, method) })
}

// Matches reports whether a request's route, without the namespace, matches this one.
func (r *Route) Matches(route string) bool { return r.match != nil && r.match.MatchString(route) }

// variable matches a variable part of a route, with at most one group in its expression.
var variable = regexp.MustCompile(`\(\?P<([^>]*)>(?:[^()]|\([^()]*\))*\)`)

// Name returns the route in readable form, with {id} in place of the expression.
func (r *Route) Name() string {
	return cmp.Or(variable.ReplaceAllString(r.Pattern, "{$1}"), "/")
}

// Index holds the routes of a namespace that answers describe.
type Index struct {
	Namespace Namespace
	Routes    []Route
}

// Read adds the routes of a namespace index and returns them. It returns none for other
// answers.
func (x *Index) Read(root *jsontree.Node) []Route {
	list := root.Member("routes")
	if !list.Is(jsontree.Object) {
		return nil
	}
	var routes []Route
	for i, pattern := range list.Names {
		if below, ours := strings.CutPrefix(pattern, string(x.Namespace)); ours && x.Describes(list.Items[i]) {
			routes = append(routes, ReadRoute(below, list.Items[i]))
			x.Add(routes[len(routes)-1])
		}
	}
	return routes
}

// Describes reports whether an entry of the index, or an answer to OPTIONS, describes
// a route of the namespace.
func (x *Index) Describes(entry *jsontree.Node) bool {
	return entry.Member("endpoints") != nil && x.Namespace.is(entry.Member("namespace").Text())
}

// Add adds a route. If the route exists, Add adds its endpoints; later ones replace
// earlier ones.
func (x *Index) Add(route Route) {
	i := slices.IndexFunc(x.Routes, func(have Route) bool { return have.Pattern == route.Pattern })
	if i < 0 {
		i = len(x.Routes)
		match, _ := regexp.Compile("(?i)^(?:" + route.Pattern + ")$")
		x.Routes = append(x.Routes, Route{Pattern: route.Pattern, match: match})
	}
	endpoints := &x.Routes[i].Endpoints
	for _, e := range route.Endpoints {
		k := slices.IndexFunc(*endpoints, func(have Endpoint) bool { return slices.Equal(have.Methods, e.Methods) })
		if k < 0 {
			*endpoints = append(*endpoints, e)
		} else {
			(*endpoints)[k] = e
		}
	}
}

// Find returns the route of the index that matches a request's route without the
// namespace. If there is none, it returns a route with the usual pattern, and false.
func (x *Index) Find(route string) (found Route, known bool) {
	for _, r := range x.Routes {
		if r.Matches(route) {
			return r, true
		}
	}
	return Route{Pattern: usualPattern(route)}, false
}

// usualPattern turns a path into a route pattern, in the two forms of the calendar's
// routes: an id is made of digits, a slug follows "by-slug".
func usualPattern(route string) string {
	segments := strings.Split(route, "/")
	for i, segment := range segments {
		switch {
		case i > 0 && strings.EqualFold(segments[i-1], "by-slug"):
			segments[i] = `(?P<slug>[^/]+)`
		case segment != "" && strings.Trim(segment, "0123456789") == "":
			segments[i] = `(?P<id>\d+)`
		default:
			segments[i] = ASCIILower(segment)
		}
	}
	return strings.Join(segments, "/")
}

// Arg returns an advertised argument of the route and method, or else of any route,
// preferring one with a list of allowed values.
func (x *Index) Arg(route, method, name string) Arg {
	if method == "HEAD" {
		method = "GET"
	}
	var other Arg
	for _, r := range x.Routes {
		here := r.Matches(route)
		for _, e := range r.Endpoints {
			i := slices.IndexFunc(e.Args, func(arg Arg) bool { return arg.Name == name })
			switch {
			case i < 0:
			case here && slices.Contains(e.Methods, method):
				return e.Args[i]
			case len(e.Args[i].Enum) > 0 || other.Type == "":
				other = e.Args[i]
			}
		}
	}
	return other
}
