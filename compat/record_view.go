package compat

import (
	"calbridge/compat/recording"
	"context"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// recordView asks everything of one view, from the index to wrong requests.
func (r *recorder) recordView(ctx context.Context, v view) error {
	for _, stage := range []func(context.Context, view) error{
		r.askIndex, r.askCollections, r.askItems, r.askParameters, r.askPairs, r.askSpellings, r.askWrong,
	} {
		if err := stage(ctx, v); err != nil {
			return err
		}
	}
	return nil
}

// plan makes a request of a view.
func (r *recorder) plan(v view, group, method, route, query string) planned {
	return planned{group: group, as: v.as, request: recording.Request{Method: method, Path: r.path(v, route, query), Headers: map[string]string{}}}
}

func (r *recorder) planGet(v view, s *siteRoute, route, query string) planned {
	return r.plan(v, s.group(), http.MethodGet, route, query)
}

func (r *recorder) askIndex(ctx context.Context, v view) error {
	batch := []planned{r.plan(v, "index", http.MethodGet, "", "")}
	if v.depth == full {
		batch = append(batch, r.plan(v, "index", http.MethodGet, "/", ""), r.plan(v, "index", http.MethodHead, "", ""), r.plan(v, "index", http.MethodOptions, "", ""))
	}
	_, err := r.ask(ctx, batch)
	return err
}

// askCollections asks the routes without parts to fill in, and walks through
// their pages.
func (r *recorder) askCollections(ctx context.Context, v view) error {
	for i := range r.routes {
		s := &r.routes[i]
		if !s.static() || s.pattern == "" || !s.reads() {
			continue
		}
		batch := []planned{r.planGet(v, s, s.pattern, "")}
		if v.depth >= middle {
			batch = append(batch, r.plan(v, s.group(), http.MethodOptions, s.pattern, ""))
		}
		if v.depth == full {
			batch = append(batch, r.plan(v, s.group(), http.MethodHead, s.pattern, ""))
		}
		exchanges, err := r.ask(ctx, batch)
		if err != nil {
			return err
		}
		for _, x := range exchanges {
			r.values.add(s.pattern, x)
		}
		if err := r.walkPages(ctx, v, s); err != nil {
			return err
		}
	}
	return nil
}

func (s *siteRoute) reads() bool { return s.get != nil || !s.writes }

func (r *recorder) walkPages(ctx context.Context, v view, s *siteRoute) error {
	c := r.values.collections[s.pattern]
	if c == nil || !s.takes("page") {
		return nil
	}
	most := map[depth]int{brief: 1, middle: 2, full: r.MaxPages}[v.depth]
	var batch []planned
	for page := 2; page <= min(c.pages, most); page++ {
		batch = append(batch, r.planGet(v, s, s.pattern, "page="+strconv.Itoa(page)))
	}
	if v.depth == full {
		batch = append(batch, r.planGet(v, s, s.pattern, "page="+strconv.Itoa(c.pages+1)))
	}
	exchanges, err := r.ask(ctx, batch)
	for _, x := range exchanges {
		r.values.add(s.pattern, x)
	}
	return err
}

func (s *siteRoute) takes(name string) bool {
	for _, arg := range s.get {
		if arg.name == name {
			return true
		}
	}
	return false
}

// itemsOf are the values for the part of a route that is to be filled in, from
// the collection above it.
func (r *recorder) itemsOf(s *siteRoute) (values []string) {
	before, name, _, ok := s.variable()
	if !ok {
		return nil
	}
	var above *collection
	longest := -1
	for route, c := range r.values.sorted() {
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

func (s *siteRoute) filled(value string) string {
	before, _, after, _ := s.variable()
	return before + url.PathEscape(value) + after
}

func (r *recorder) askItems(ctx context.Context, v view) error {
	most := map[depth]int{brief: 1, middle: (r.MaxItems + 3) / 4, full: r.MaxItems}[v.depth]
	var batch []planned
	for i := range r.routes {
		s := &r.routes[i]
		for n, value := range spread(r.itemsOf(s), most) {
			route := s.filled(value)
			batch = append(batch, r.planGet(v, s, route, ""))
			if n == 0 && v.depth >= middle {
				batch = append(batch, r.plan(v, s.group(), http.MethodOptions, route, ""))
			}
			if n == 0 && v.depth == full {
				batch = append(batch, r.plan(v, s.group(), http.MethodHead, route, ""))
			}
		}
	}
	_, err := r.ask(ctx, batch)
	return err
}

// example is a path of the route that exists.
func (r *recorder) example(s *siteRoute) (route string, ok bool) {
	if s.static() {
		return s.pattern, s.reads()
	}
	if values := r.itemsOf(s); len(values) > 0 {
		return s.filled(values[0]), true
	}
	return "", false
}

// examples are the routes that there is a path of, each with one.
func (r *recorder) examples() iter.Seq2[*siteRoute, string] {
	return func(yield func(*siteRoute, string) bool) {
		for i := range r.routes {
			if route, ok := r.example(&r.routes[i]); ok && !yield(&r.routes[i], route) {
				return
			}
		}
	}
}

func pair(name, value string) string { return url.QueryEscape(name) + "=" + url.QueryEscape(value) }

// askParameters asks every parameter alone, with values of the site's own.
func (r *recorder) askParameters(ctx context.Context, v view) error {
	if v.depth == brief {
		return nil
	}
	var batch []planned
	for s, route := range r.examples() {
		for _, arg := range s.queryArgs() {
			values := r.values.candidates(arg)
			if v.depth == middle {
				values = values[:1]
			}
			for _, value := range values {
				batch = append(batch, r.planGet(v, s, route, pair(arg.name, value)))
			}
			if v.depth == full && strings.Contains(arg.typ, "array") {
				batch = append(batch, r.planGet(v, s, route, pair(arg.name+"[]", values[0])))
			}
		}
	}
	_, err := r.ask(ctx, batch)
	return err
}

// askPairs asks parameters two at a time, each with its first value.
func (r *recorder) askPairs(ctx context.Context, v view) error {
	if v.depth < full {
		return nil
	}
	var batch []planned
	for s, route := range r.examples() {
		args := s.queryArgs()
		if !s.static() || len(args) < 2 {
			continue
		}
		var pairs []string
		for a := range args {
			for b := a + 1; b < len(args); b++ {
				pairs = append(pairs, pair(args[a].name, r.values.candidates(args[a])[0])+"&"+pair(args[b].name, r.values.candidates(args[b])[0]))
			}
		}
		for _, query := range spread(pairs, r.MaxPairs) {
			batch = append(batch, r.planGet(v, s, route, query))
		}
	}
	_, err := r.ask(ctx, batch)
	return err
}

// askSpellings asks what WordPress lets every route take: other spellings of the
// path, and its own parameters.
func (r *recorder) askSpellings(ctx context.Context, v view) error {
	if v.depth < full {
		return nil
	}
	var batch []planned
	for s, route := range r.examples() {
		for _, query := range []string{"_fields=id,title", "_envelope=1", "_jsonp=show", "_embed=1", "_pretty=1", "context=view", "unknown=1"} {
			batch = append(batch, r.planGet(v, s, route, query))
		}
		if !r.plain {
			batch = append(batch, r.planGet(v, s, route+"/", ""), r.planGet(v, s, strings.ToUpper(route), ""))
			other := r.planGet(v, s, route, "")
			other.request.Path = r.prefix + "/?rest_route=" + r.namespace + route
			batch = append(batch, other)
		}
		origin := r.planGet(v, s, route, "")
		origin.request.Headers = map[string]string{"Origin": "https://elsewhere.example"}
		batch = append(batch, origin)
	}
	_, err := r.ask(ctx, batch)
	return err
}

// askWrong asks what the site should refuse: its messages are recorded so.
func (r *recorder) askWrong(ctx context.Context, v view) error {
	if v.depth == brief {
		return nil
	}
	batch := []planned{r.plan(v, "wrong", http.MethodGet, "/no-such-route", "")}
	for i := range r.routes {
		s := &r.routes[i]
		if _, name, _, ok := s.variable(); ok {
			wrong := []string{"999999999", "0"}
			if strings.Contains(name, "slug") {
				wrong = []string{"no-such-slug-here"}
			}
			for _, value := range wrong {
				batch = append(batch, r.plan(v, "wrong", http.MethodGet, s.filled(value), ""))
			}
		}
		route, ok := r.example(s)
		if !ok {
			continue
		}
		for _, arg := range s.queryArgs() {
			values := wrongValues(arg)
			if v.depth == middle {
				values = values[:1]
			}
			for _, value := range values {
				batch = append(batch, r.plan(v, "wrong", http.MethodGet, route, pair(arg.name, value)))
			}
		}
	}
	_, err := r.ask(ctx, batch)
	return err
}
