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

// The bounds of a recording.
const (
	maxPages = 30 // of each walk through pages
	maxItems = 20 // single items of each collection
	maxPairs = 40 // pairs of parameters of each route
)

// planner plans requests of the values that the answers so far hold.
type planner struct {
	site   *siteAPI
	values *harvest
}

// plan makes a request of a view.
func (p *planner) plan(v view, group, method, route, query string) planned {
	return planned{group: group, as: v.as, request: recording.Request{Method: method, Path: p.site.path(v, route, query), Headers: map[string]string{}}}
}

func (p *planner) get(v view, s *siteRoute, route, query string) planned {
	return p.plan(v, s.group(), http.MethodGet, route, query)
}

func (p *planner) planIndex(v view) []planned {
	batch := []planned{p.plan(v, "index", http.MethodGet, "", "")}
	if v.depth == full {
		batch = append(batch, p.plan(v, "index", http.MethodGet, "/", ""), p.plan(v, "index", http.MethodHead, "", ""), p.plan(v, "index", http.MethodOptions, "", ""))
	}
	return batch
}

// planMethods asks a path with the methods that only read.
func (p *planner) planMethods(v view, s *siteRoute, route string) []planned {
	batch := []planned{p.get(v, s, route, "")}
	if v.depth >= middle {
		batch = append(batch, p.plan(v, s.group(), http.MethodOptions, route, ""))
	}
	if v.depth == full {
		batch = append(batch, p.plan(v, s.group(), http.MethodHead, route, ""))
	}
	return batch
}

// planCollection asks a route without parts to fill in.
func (p *planner) planCollection(v view, s *siteRoute) []planned {
	if !s.lists() {
		return nil
	}
	return p.planMethods(v, s, s.pattern)
}

// planPages walks through the pages of a collection that was asked.
func (p *planner) planPages(v view, s *siteRoute) []planned {
	c := p.values.collections[s.pattern]
	if !s.lists() || c == nil || !hasArg(s.get, "page") {
		return nil
	}
	most := map[depth]int{brief: 1, middle: 2, full: maxPages}[v.depth]
	var batch []planned
	for page := 2; page <= min(c.pages, most); page++ {
		batch = append(batch, p.get(v, s, s.pattern, "page="+strconv.Itoa(page)))
	}
	if v.depth == full {
		batch = append(batch, p.get(v, s, s.pattern, "page="+strconv.Itoa(c.pages+1)))
	}
	return batch
}

// itemsOf are the values for the part of a route that is to be filled in, from
// the collection above it.
func (p *planner) itemsOf(s *siteRoute) (values []string) {
	before, name, _, ok := s.variable()
	if !ok {
		return nil
	}
	var above *collection
	longest := -1
	for route, c := range p.values.collections {
		if strings.HasPrefix(before, route+"/") && len(route) > longest {
			above, longest = c, len(route)
		}
	}
	switch {
	case above == nil:
		return nil
	case strings.Contains(name, "slug"):
		return above.slugs
	}
	return above.ids
}

func (p *planner) planItems(v view) []planned {
	most := map[depth]int{brief: 1, middle: (maxItems + 3) / 4, full: maxItems}[v.depth]
	var batch []planned
	for i := range p.site.routes {
		s := &p.site.routes[i]
		for n, value := range spread(p.itemsOf(s), most) {
			if n == 0 {
				batch = append(batch, p.planMethods(v, s, s.filled(value))...)
			} else {
				batch = append(batch, p.get(v, s, s.filled(value), ""))
			}
		}
	}
	return batch
}

// example is a path of the route that exists.
func (p *planner) example(s *siteRoute) (route string, ok bool) {
	if s.static() {
		return s.pattern, s.reads()
	}
	if values := p.itemsOf(s); len(values) > 0 {
		return s.filled(values[0]), true
	}
	return "", false
}

// examples are the routes that there is a path of, each with one.
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

// planParameters asks every parameter alone, with values of the site's own.
func (p *planner) planParameters(v view) []planned {
	if v.depth == brief {
		return nil
	}
	var batch []planned
	for s, route := range p.examples() {
		for _, arg := range s.queryArgs() {
			values := p.values.candidates(arg)
			if v.depth == middle {
				values = values[:1]
			}
			for _, value := range values {
				batch = append(batch, p.get(v, s, route, pair(arg.Name, value)))
			}
			if v.depth == full && strings.Contains(arg.Type, "array") {
				batch = append(batch, p.get(v, s, route, pair(arg.Name+"[]", values[0])))
			}
		}
	}
	return batch
}

// planPairs asks parameters two at a time, each with its first value.
func (p *planner) planPairs(v view) []planned {
	if v.depth < full {
		return nil
	}
	var batch []planned
	for s, route := range p.examples() {
		args := s.queryArgs()
		if !s.static() || len(args) < 2 {
			continue
		}
		var pairs []string
		for a := range args {
			for b := a + 1; b < len(args); b++ {
				pairs = append(pairs, pair(args[a].Name, p.values.candidates(args[a])[0])+"&"+pair(args[b].Name, p.values.candidates(args[b])[0]))
			}
		}
		for _, query := range spread(pairs, maxPairs) {
			batch = append(batch, p.get(v, s, route, query))
		}
	}
	return batch
}

// planSpellings asks what WordPress lets every route take: other spellings of the
// path, and its own parameters.
func (p *planner) planSpellings(v view) []planned {
	if v.depth < full {
		return nil
	}
	var batch []planned
	for s, route := range p.examples() {
		for _, query := range []string{"_fields=id,title", "_envelope=1", "_jsonp=show", "_embed=1", "_pretty=1", "context=view", "unknown=1"} {
			batch = append(batch, p.get(v, s, route, query))
		}
		if !p.site.plain {
			batch = append(batch, p.get(v, s, route+"/", ""), p.get(v, s, strings.ToUpper(route), ""))
			other := p.get(v, s, route, "")
			other.request.Path = p.site.dir + "/?rest_route=" + string(p.site.namespace) + route
			batch = append(batch, other)
		}
		origin := p.get(v, s, route, "")
		origin.request.Headers = map[string]string{"Origin": "https://elsewhere.example"}
		batch = append(batch, origin)
	}
	return batch
}

// planWrong asks what the site should refuse: its messages are recorded so.
func (p *planner) planWrong(v view) []planned {
	if v.depth == brief {
		return nil
	}
	batch := []planned{p.plan(v, "wrong", http.MethodGet, "/no-such-route", "")}
	for i := range p.site.routes {
		s := &p.site.routes[i]
		if _, name, _, ok := s.variable(); ok {
			wrong := []string{"999999999", "0"}
			if strings.Contains(name, "slug") {
				wrong = []string{"no-such-slug-here"}
			}
			for _, value := range wrong {
				batch = append(batch, p.plan(v, "wrong", http.MethodGet, s.filled(value), ""))
			}
		}
		route, ok := p.example(s)
		if !ok {
			continue
		}
		for _, arg := range s.queryArgs() {
			values := wrongValues(arg)
			if v.depth == middle {
				values = values[:1]
			}
			for _, value := range values {
				batch = append(batch, p.plan(v, "wrong", http.MethodGet, route, pair(arg.Name, value)))
			}
		}
	}
	return batch
}
