package record

import (
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"calbridge/compat/recording"
)

// planned is a request to be recorded.
type planned struct {
	group   string // beginning of the exchange's id
	as      string
	request recording.Request
}

// The limits of a recording.
const (
	maxPages = 30 // of each walk through pages
	// largePage is a page size that every site allows: the calendar's own limit.
	largePage = 50
	maxItems  = 20 // single items of each collection
	maxPairs  = 40 // pairs of parameters of each route
)

// planner plans requests from the values found in the answers so far.
type planner struct {
	site   *siteAPI
	values *harvest
	batch  []planned
}

// take returns the requests planned since the last call.
func (p *planner) take() []planned {
	batch := p.batch
	p.batch = nil
	return batch
}

// plan plans a request of a view.
func (p *planner) plan(v view, group, method, route, query string) *recording.Request {
	p.batch = append(p.batch, planned{group: group, as: v.as, request: recording.Request{Method: method, Path: p.site.path(v, route, query), Headers: map[string]string{}}})
	return &p.batch[len(p.batch)-1].request
}

func (p *planner) get(v view, s *siteRoute, route, query string) *recording.Request {
	return p.plan(v, s.group(), http.MethodGet, route, query)
}

func (p *planner) planIndex(v view) {
	p.plan(v, "index", http.MethodGet, "", "")
	if v.depth == full {
		p.plan(v, "index", http.MethodGet, "/", "")
		p.plan(v, "index", http.MethodHead, "", "")
		p.plan(v, "index", http.MethodOptions, "", "")
	}
}

// planMethods plans requests to a path with the methods that only read.
func (p *planner) planMethods(v view, s *siteRoute, route string) {
	p.get(v, s, route, "")
	if v.depth >= middle {
		p.plan(v, s.group(), http.MethodOptions, route, "")
	}
	if v.depth == full {
		p.plan(v, s.group(), http.MethodHead, route, "")
	}
}

// planCollection plans requests to a route without variable parts.
func (p *planner) planCollection(v view, s *siteRoute) {
	if s.lists() {
		p.planMethods(v, s, s.Pattern)
	}
}

// planPages plans requests to the further pages of a collection.
func (p *planner) planPages(v view, s *siteRoute) {
	c := p.values.collections[s.Pattern]
	if !s.lists() || c == nil || !hasArg(s.Args("GET"), "page") {
		return
	}
	last := min(c.pages, map[depth]int{brief: 1, middle: 2, full: maxPages}[v.depth])
	for page := 2; page <= last; page++ {
		p.get(v, s, s.Pattern, "page="+strconv.Itoa(page))
	}
	if v.depth != full {
		return
	}
	p.get(v, s, s.Pattern, "page="+strconv.Itoa(c.pages+1))
	if hasArg(s.Args("GET"), "per_page") {
		// Large pages show nearly every entry. Comparisons need them to tell which entries a list
		// leaves out on purpose.
		entries := c.pages * max(len(c.ids), 1)
		for page := 1; page <= min((entries+largePage-1)/largePage, maxPages); page++ {
			p.get(v, s, s.Pattern, "per_page="+strconv.Itoa(largePage)+"&page="+strconv.Itoa(page))
		}
	}
}

// itemsOf returns values for the variable part of a route, from the collection above it.
func (p *planner) itemsOf(s *siteRoute) (values []string) {
	before, name, _, ok := s.variable()
	if !ok {
		return nil
	}
	longest := ""
	for route := range p.values.collections {
		if strings.HasPrefix(before, route+"/") && len(route) >= len(longest) {
			longest = route
		}
	}
	above := p.values.collections[longest]
	switch {
	case above == nil:
		return nil
	case strings.Contains(name, "slug"):
		return above.slugs
	}
	return above.ids
}

func (p *planner) planItems(v view) {
	most := map[depth]int{brief: 1, middle: (maxItems + 3) / 4, full: maxItems}[v.depth]
	for i := range p.site.routes {
		s := &p.site.routes[i]
		for n, value := range spread(p.itemsOf(s), most) {
			if n == 0 {
				p.planMethods(v, s, s.filled(value))
			} else {
				p.get(v, s, s.filled(value), "")
			}
		}
	}
}

// example returns a path of the route that exists.
func (p *planner) example(s *siteRoute) (route string, ok bool) {
	if s.static() {
		return s.Pattern, s.reads()
	}
	if values := p.itemsOf(s); len(values) > 0 {
		return s.filled(values[0]), true
	}
	return "", false
}

// examples returns the routes for which a path is known, each with one path.
func (p *planner) examples() iter.Seq2[*siteRoute, string] {
	return func(yield func(*siteRoute, string) bool) {
		for i := range p.site.routes {
			if route, ok := p.example(&p.site.routes[i]); ok && !yield(&p.site.routes[i], route) {
				return
			}
		}
	}
}

func pair(name, value string) string { return url.QueryEscape(name) + "=" + url.QueryEscape(value) }

// limited returns the values to request in a view.
func (v view) limited(values []string) []string {
	if v.depth == middle {
		return values[:1]
	}
	return values
}

// planParameters plans requests with every parameter alone, with values from the site.
func (p *planner) planParameters(v view) {
	if v.depth == brief {
		return
	}
	for s, route := range p.examples() {
		for _, arg := range s.queryArgs() {
			values := v.limited(p.values.candidates(arg))
			for _, value := range values {
				p.get(v, s, route, pair(arg.Name, value))
			}
			if v.depth == full && strings.Contains(arg.Type, "array") {
				p.get(v, s, route, pair(arg.Name+"[]", values[0]))
			}
		}
	}
}

// planPairs plans requests with two parameters at a time, each with its first value.
func (p *planner) planPairs(v view) {
	if v.depth < full {
		return
	}
	for s, route := range p.examples() {
		if !s.static() {
			continue
		}
		var first, pairs []string
		for _, arg := range s.queryArgs() {
			first = append(first, pair(arg.Name, p.values.candidates(arg)[0]))
		}
		for a := range first {
			for _, other := range first[a+1:] {
				pairs = append(pairs, first[a]+"&"+other)
			}
		}
		for _, query := range spread(pairs, maxPairs) {
			p.get(v, s, route, query)
		}
	}
}

// planSpellings plans requests that WordPress accepts for every route: other spellings
// of the path, and WordPress's own parameters.
func (p *planner) planSpellings(v view) {
	if v.depth < full {
		return
	}
	for s, route := range p.examples() {
		for _, query := range []string{"_fields=id,title", "_envelope=1", "_jsonp=show", "_embed=1", "_pretty=1", "context=view", "unknown=1"} {
			p.get(v, s, route, query)
		}
		if !p.site.plain {
			p.get(v, s, route+"/", "")
			p.get(v, s, strings.ToUpper(route), "")
			p.get(v, s, route, "").Path = p.site.dir + "/?rest_route=" + string(p.site.namespace) + route
		}
		p.get(v, s, route, "").Headers["Origin"] = "https://elsewhere.example"
	}
}

// planWrong plans requests that the site should refuse, to record its messages.
func (p *planner) planWrong(v view) {
	if v.depth == brief {
		return
	}
	p.plan(v, "wrong", http.MethodGet, "/no-such-route", "")
	for i := range p.site.routes {
		s := &p.site.routes[i]
		if _, name, _, ok := s.variable(); ok {
			wrong := []string{"999999999", "0"}
			if strings.Contains(name, "slug") {
				wrong = []string{"no-such-slug-here"}
			}
			for _, value := range wrong {
				p.plan(v, "wrong", http.MethodGet, s.filled(value), "")
			}
		}
		route, ok := p.example(s)
		if !ok {
			continue
		}
		for _, arg := range s.queryArgs() {
			for _, value := range v.limited(wrongValues(arg)) {
				p.plan(v, "wrong", http.MethodGet, route, pair(arg.Name, value))
			}
		}
	}
}
