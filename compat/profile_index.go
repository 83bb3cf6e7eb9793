package compat

import (
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
func (b *ProfileBuilder) addIndex(base string, root *jsonNode) {
	routes := root.member("routes")
	if !routes.is(jsonObject) {
		return
	}
	for i, pattern := range routes.names {
		entry := routes.items[i]
		if !strings.EqualFold("/"+entry.member("namespace").text(), b.namespace) || !strings.HasPrefix(pattern, b.namespace) {
			continue
		}
		b.addRoute(base, strings.TrimPrefix(pattern, b.namespace), entry)
	}
}

// addRoute takes one route description.
func (b *ProfileBuilder) addRoute(base, pattern string, entry *jsonNode) {
	endpoints := entry.member("endpoints")
	if endpoints == nil {
		return
	}
	known := b.advertisedAt(pattern)
	for _, endpoint := range endpoints.items {
		advertised := advertisedEndpoint{methods: methodsText(endpoint.member("methods")), args: map[string]advertisedArg{}}
		args := endpoint.member("args")
		if args.is(jsonObject) {
			for i, name := range args.names {
				arg := args.items[i]
				advertised.args[name] = advertisedArg{typ: typeText(arg.member("type")), enum: scalarTexts(arg.member("enum"))}
				b.vote(base, slot{section: sectionArgs, key: pattern, methods: advertised.methods, name: name}, arg.member("description").text(), 1)
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

func methodsText(methods *jsonNode) string { return strings.Join(scalarTexts(methods), ",") }

func typeText(typ *jsonNode) string {
	if typ.is(jsonArray) {
		return strings.Join(scalarTexts(typ), ",")
	}
	return typ.text()
}

// addOptions keeps an OPTIONS answer: it is one route description of the index,
// for the route that was asked.
func (b *ProfileBuilder) addOptions(base string, facts requestFacts, root *jsonNode) {
	if facts.method != "OPTIONS" || root.member("endpoints") == nil || !strings.EqualFold("/"+root.member("namespace").text(), b.namespace) {
		return
	}
	answer := optionsAnswer{base: base, route: b.relative(facts.route), body: root.raw()}
	if !slices.Contains(b.options, answer) {
		b.options = append(b.options, answer)
	}
}

// countOptions finds the routes of the OPTIONS answers, now that the index is
// known as far as it was recorded.
func (b *ProfileBuilder) countOptions() {
	for _, answer := range b.options {
		root, err := parseJSON(answer.body)
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
func (b *ProfileBuilder) addDocument(base string, root *jsonNode) {
	if root.member("openapi") == nil && root.member("info") == nil && root.member("paths") == nil && root.member("components") == nil {
		return
	}
	b.vote(base, slot{section: sectionDoc, key: "/info/title"}, root.member("info").member("title").text(), 1)
	b.addDescriptions(base, "", root)
}

func (b *ProfileBuilder) addDescriptions(base, pointer string, node *jsonNode) {
	for i, item := range node.items {
		var step string
		if node.kind == jsonObject {
			step = strings.NewReplacer("~", "~0", "/", "~1").Replace(node.names[i])
			if node.names[i] == "description" && item.kind == jsonString {
				b.vote(base, slot{section: sectionDoc, key: pointer + "/description"}, item.text(), 1)
				continue
			}
		} else {
			step = strconv.Itoa(i)
		}
		b.addDescriptions(base, pointer+"/"+step, item)
	}
}
