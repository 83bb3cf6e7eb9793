package compat

import (
	"calbridge/compat/recording"
	"calbridge/compat/verdict"
	"maps"
	"slices"
	"strings"
)

// Coverage is what the compared exchanges ask of the API that the recordings
// advertise: a route, a parameter, a language or a role that is never asked for
// is not tested.
type Coverage struct {
	// Languages and Roles are all that are known: DefaultLanguage and the language
	// roots, anonymous and the logins.
	Languages []string
	Roles     []string
	Routes    []RouteCoverage
}

// RouteCoverage is the part of one route. The counts are of exchanges.
type RouteCoverage struct {
	Route string
	// Advertised says that the route is in the namespace index.
	Advertised bool
	Asked      int
	// Parameters are those of GET, by name; a request's own besides, if known.
	Parameters map[string]int
	Languages  map[string]int
	Roles      map[string]int
}

// Never lists what of the route was never asked for.
func (r RouteCoverage) Never(c *Coverage) (parameters, languages, roles []string) {
	for _, name := range slices.Sorted(maps.Keys(r.Parameters)) {
		if r.Parameters[name] == 0 {
			parameters = append(parameters, name)
		}
	}
	for _, language := range c.Languages {
		if r.Languages[language] == 0 {
			languages = append(languages, language)
		}
	}
	for _, role := range c.Roles {
		if r.Roles[role] == 0 {
			roles = append(roles, role)
		}
	}
	return parameters, languages, roles
}

// otherRoute stands for requests of no advertised route.
const otherRoute = "(no route)"

// languageArgs are names under which sites take a language as an argument.
var languageArgs = []string{"lang", "language", "language_code"}

// languageOf is the language an exchange is in, as its request tells: the
// directory before the REST entry or an argument for the language.
func languageOf(x *recording.Exchange) string {
	path, query, _ := strings.Cut(x.Request.Path, "?")
	pairs := recording.ParsePairs(query)
	for _, name := range languageArgs {
		if lang := pairs.Get(name); lang != "" && len(lang) <= 12 {
			return lang
		}
	}
	before, _, found := strings.Cut(path, "/wp-json")
	if !found {
		before = strings.TrimSuffix(strings.TrimSuffix(path, "/"), "/index.php")
	}
	before = strings.Trim(before, "/")
	if segment := before[strings.LastIndexByte(before, '/')+1:]; languageLike(segment) {
		return segment
	}
	return DefaultLanguage
}

// languageLike tells directories such as "en" or "pt-br" from others.
func languageLike(segment string) bool {
	code, region, _ := strings.Cut(strings.ReplaceAll(segment, "_", "-"), "-")
	return (len(code) == 2 || len(code) == 3) && len(region) <= 4 && strings.Trim(asciiLower(code+region), "abcdefghijklmnopqrstuvwxyz") == ""
}

// learn takes the routes and arguments of a recorded namespace index.
func (r *Report) learn(x *recording.Exchange, namespace string) {
	r.namespace = namespace
	if !strings.Contains(x.Response.Body, `"routes"`) {
		return
	}
	b := NewProfileBuilder(namespace)
	b.Add(x)
	for _, route := range b.advertised {
		at := slices.IndexFunc(r.advertised, func(have advertisedRoute) bool { return have.pattern == route.pattern })
		if at < 0 {
			r.advertised = append(r.advertised, route)
			continue
		}
		for _, endpoint := range route.endpoints {
			r.advertised[at].addEndpoint(endpoint)
		}
	}
}

// cover works out routes and coverage, now that the index is known.
func (r *Report) cover(site *recording.Site) {
	b := NewProfileBuilder(r.namespace)
	b.advertised = r.advertised
	c := &Coverage{}
	at := map[string]int{}
	add := func(name string, advertised bool) *RouteCoverage {
		i, found := at[name]
		if !found {
			i = len(c.Routes)
			at[name] = i
			c.Routes = append(c.Routes, RouteCoverage{Route: name, Advertised: advertised,
				Parameters: map[string]int{}, Languages: map[string]int{}, Roles: map[string]int{}})
		}
		return &c.Routes[i]
	}
	for _, route := range r.advertised {
		have := add(routeName(route.pattern), true)
		for _, endpoint := range route.endpoints {
			if strings.Contains(endpoint.methods, "GET") {
				for name := range endpoint.args {
					if !strings.Contains(route.pattern, "<"+name+">") {
						have.Parameters[name] = 0
					}
				}
			}
		}
	}
	languages, roles := map[string]bool{DefaultLanguage: true}, map[string]bool{recording.Anonymous: true}
	if site != nil {
		for login := range site.Users {
			roles[login] = true
		}
	}
	for i := range r.Cases {
		result := &r.Cases[i]
		result.Route = b.routeOf(result)
		if result.Outcome == verdict.Skipped {
			continue
		}
		have := add(result.Route, false)
		have.Asked++
		have.Languages[result.Language]++
		role := result.As
		if role == "" {
			role = recording.Anonymous
		}
		have.Roles[role]++
		languages[result.Language], roles[role] = true, true
		_, query, _ := strings.Cut(result.Path, "?")
		for name := range recording.ParsePairs(query) {
			name, _, _ = strings.Cut(name, "[")
			if _, known := have.Parameters[name]; known || result.Route != otherRoute && !have.Advertised {
				have.Parameters[name]++
			}
		}
	}
	c.Languages, c.Roles = slices.Sorted(maps.Keys(languages)), slices.Sorted(maps.Keys(roles))
	r.Coverage = c
	for i := range r.Differing {
		r.Differing[i].Route = b.routeOf(&r.Differing[i])
	}
}

// routeOf names the route of a result.
func (b *ProfileBuilder) routeOf(result *Result) string {
	facts := factsOf(recording.Request{Method: result.Method, Path: result.Path})
	if !facts.ok {
		return otherRoute
	}
	relative := b.relative(facts.route)
	if pattern, found := b.patternOf(relative); found {
		return routeName(pattern)
	}
	if relative == "" {
		return "/"
	}
	if len(b.advertised) > 0 || relative == facts.route && facts.route != "/" {
		return otherRoute
	}
	return routeName(usualPattern(relative))
}

// routeName makes a route pattern readable: {id} in the place of its expression.
func routeName(pattern string) string {
	var b strings.Builder
	for pattern != "" {
		before, rest, found := strings.Cut(pattern, "(?P<")
		b.WriteString(before)
		if !found {
			break
		}
		name, rest, _ := strings.Cut(rest, ">")
		b.WriteString("{" + name + "}")
		depth := 1
		for depth > 0 && rest != "" {
			switch rest[0] {
			case '(':
				depth++
			case ')':
				depth--
			}
			rest = rest[1:]
		}
		pattern = rest
	}
	if b.Len() == 0 {
		return "/"
	}
	return b.String()
}
