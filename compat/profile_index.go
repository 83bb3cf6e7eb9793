package compat

import (
	"calbridge/compat/jsontree"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// advertisedRoute is a route with its endpoints as the index or OPTIONS show it.
type advertisedRoute struct {
	pattern   string // without the namespace
	match     *regexp.Regexp
	endpoints []advertisedEndpoint
}

type advertisedEndpoint struct {
	methods string // joined with ","
	args    map[string]advertisedArg
}

type advertisedArg struct {
	typ  string // several joined with ","
	enum []string
}

// optionsAnswer is an OPTIONS answer that waits for the route patterns, which it
// does not name itself.
type optionsAnswer struct{ base, route, body string }

// addIndex takes the argument descriptions of a namespace index.
func (b *ProfileBuilder) addIndex(base string, root *jsontree.Node) {
	routes := root.Member("routes")
	if !routes.Is(jsontree.Object) {
		return
	}
	for i, pattern := range routes.Names {
		entry := routes.Items[i]
		if !strings.EqualFold("/"+entry.Member("namespace").Text(), b.namespace) || !strings.HasPrefix(pattern, b.namespace) {
			continue
		}
		b.addRoute(base, strings.TrimPrefix(pattern, b.namespace), entry)
	}
}

// addRoute takes one route description.
func (b *ProfileBuilder) addRoute(base, pattern string, entry *jsontree.Node) {
	endpoints := entry.Member("endpoints")
	if endpoints == nil {
		return
	}
	known := b.advertisedAt(pattern)
	for _, endpoint := range endpoints.Items {
		advertised := advertisedEndpoint{methods: methodsText(endpoint.Member("methods")), args: map[string]advertisedArg{}}
		args := endpoint.Member("args")
		if args.Is(jsontree.Object) {
			for i, name := range args.Names {
				arg := args.Items[i]
				advertised.args[name] = advertisedArg{typ: typeText(arg.Member("type")), enum: jsontree.Texts(arg.Member("enum"))}
				b.vote(base, slot{section: sectionArgs, key: pattern, methods: advertised.methods, name: name}, arg.Member("description").Text(), 1)
			}
		}
		known.addEndpoint(advertised)
	}
}

func (b *ProfileBuilder) advertisedAt(pattern string) *advertisedRoute {
	for i := range b.advertised {
		if b.advertised[i].pattern == pattern {
			return &b.advertised[i]
		}
	}
	// A pattern that Go cannot compile matches nothing but stays known by name.
	match, _ := regexp.Compile("(?i)^(?:" + pattern + ")$")
	b.advertised = append(b.advertised, advertisedRoute{pattern: pattern, match: match})
	return &b.advertised[len(b.advertised)-1]
}

func (r *advertisedRoute) addEndpoint(e advertisedEndpoint) {
	for i := range r.endpoints {
		if r.endpoints[i].methods == e.methods {
			r.endpoints[i] = e
			return
		}
	}
	r.endpoints = append(r.endpoints, e)
}

func methodsText(methods *jsontree.Node) string { return strings.Join(jsontree.Texts(methods), ",") }

func typeText(typ *jsontree.Node) string {
	if typ.Is(jsontree.Array) {
		return strings.Join(jsontree.Texts(typ), ",")
	}
	return typ.Text()
}

// addOptions keeps an OPTIONS answer: it is one route description of the index,
// for the route that was asked.
func (b *ProfileBuilder) addOptions(base string, facts requestFacts, root *jsontree.Node) {
	if facts.method != "OPTIONS" || root.Member("endpoints") == nil || !strings.EqualFold("/"+root.Member("namespace").Text(), b.namespace) {
		return
	}
	answer := optionsAnswer{base: base, route: b.relative(facts.route), body: root.Raw()}
	if !slices.Contains(b.options, answer) {
		b.options = append(b.options, answer)
	}
}

// countOptions finds the routes of the OPTIONS answers, now that the index is
// known as far as it was recorded.
func (b *ProfileBuilder) countOptions() {
	for _, answer := range b.options {
		root, err := jsontree.Parse(answer.body)
		if err != nil {
			continue
		}
		pattern, found := b.patternOf(answer.route)
		if !found {
			pattern = usualPattern(answer.route)
		}
		b.addRoute(answer.base, pattern, root)
	}
	b.options = nil
}

func (b *ProfileBuilder) patternOf(route string) (string, bool) {
	for _, r := range b.advertised {
		if r.match != nil && r.match.MatchString(route) {
			return r.pattern, true
		}
	}
	return "", false
}

// usualPattern makes a route pattern of a path, in the two forms that the
// calendar's routes have: an id is digits, a slug stands behind "by-slug".
func usualPattern(route string) string {
	segments := strings.Split(route, "/")
	for i, segment := range segments {
		switch {
		case i > 0 && strings.EqualFold(segments[i-1], "by-slug"):
			segments[i] = `(?P<slug>[^/]+)`
		case segment != "" && strings.Trim(segment, "0123456789") == "":
			segments[i] = `(?P<id>\d+)`
		default:
			segments[i] = asciiLower(segment)
		}
	}
	return strings.Join(segments, "/")
}

// arg finds an advertised argument: of the route and method, else of any route.
func (b *ProfileBuilder) arg(route, method, name string) advertisedArg {
	if method == "HEAD" {
		method = "GET"
	}
	var other advertisedArg
	for _, r := range b.advertised {
		here := r.match != nil && r.match.MatchString(route)
		for _, e := range r.endpoints {
			arg, found := e.args[name]
			switch {
			case !found:
			case here && strings.Contains(","+e.methods+",", ","+method+","):
				return arg
			case len(arg.enum) > 0 || other.typ == "":
				other = arg
			}
		}
	}
	return other
}

// addDocument takes the texts of the OpenAPI document, or of the part of it that
// was asked for.
func (b *ProfileBuilder) addDocument(base string, root *jsontree.Node) {
	if root.Member("openapi") == nil && root.Member("info") == nil && root.Member("paths") == nil && root.Member("components") == nil {
		return
	}
	b.vote(base, slot{section: sectionDoc, key: "/info/title"}, root.Member("info").Member("title").Text(), 1)
	b.addDescriptions(base, "", root)
}

func (b *ProfileBuilder) addDescriptions(base, pointer string, node *jsontree.Node) {
	for i, item := range node.Items {
		var step string
		if node.Kind == jsontree.Object {
			step = strings.NewReplacer("~", "~0", "/", "~1").Replace(node.Names[i])
			if node.Names[i] == "description" && item.Kind == jsontree.String {
				b.vote(base, slot{section: sectionDoc, key: pointer + "/description"}, item.Text(), 1)
				continue
			}
		} else {
			step = strconv.Itoa(i)
		}
		b.addDescriptions(base, pointer+"/"+step, item)
	}
}
