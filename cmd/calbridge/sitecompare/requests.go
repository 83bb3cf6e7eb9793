package sitecompare

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// request is one request that both sides answer.
type request struct {
	method, target string
	headers        map[string]string
	// route is the route with names in place of ids, such as /events/{id}.
	route string
	// login is nil for anonymous requests.
	login *Login
}

// Login is a user of the site with an application password.
type Login struct{ User, Password string }

// kind is a row of the table of requests. Route and queries may contain placeholders, such as
// {event}, which stand for values of the site: the row makes one request for each of the
// first most values, or none if the site has none.
type kind struct {
	route   string
	most    int      // values of the route's placeholder; 0 means 1
	methods []string // nil means GET
	queries []string // nil means one request without a query
	headers map[string]string
	who     who
	// everywhere: in every language of the site too, by its directory, and in the last one by
	// parameter.
	everywhere bool
}

// who sends the requests of a row.
type who int

const (
	anonymous who = iota
	user          // only with a login
	everyone      // anonymous, and with a login if there is one
)

// kinds returns the table of requests.
func kinds() []kind {
	all := []string{http.MethodHead, http.MethodOptions}
	return []kind{
		{route: "", who: everyone},
		{route: "", queries: []string{"_fields=namespace,_links"}},
		{route: "/doc"},
		{route: "/no-such-route"},

		{route: "/events", who: everyone, everywhere: true},
		{route: "/events", queries: []string{
			"per_page=100&start_date={first day}", "per_page=5&page=2&start_date={first day}", "per_page=1&page=9999", "start_date={day}&end_date={later day}",
			"starts_after={day}&per_page=5", "ends_before={later day}&start_date={first day}&per_page=5", "start_date={day}&strict_dates=true&per_page=5",
			"search={word}&start_date={first day}", "search=no-such-word-zzqq", "categories={category}&start_date={first day}", "categories={category slug}&start_date={first day}",
			"tags={tag}&start_date={first day}", "venue={venue}&start_date={first day}", "organizer={organizer}&start_date={first day}", "featured=true&start_date={first day}",
			"include={event},{last event}", "post_parent={event}", "per_page=5&_fields=events.id,events.title,total&start_date={first day}", "per_page=3&_embed=1&start_date={first day}", "per_page=3&_envelope=1&start_date={first day}",
		}},
		{route: "/events", who: everyone, queries: []string{"status=draft", "status=publish,future&per_page=5&start_date={first day}", "status=trash"}},
		{route: "/events", queries: []string{"page=0", "per_page=-1", "start_date=nonsense", "venue=999999999", "categories=no-such-category-zzqq", "featured=maybe", "ticketed=true"}},
		{route: "/events", headers: map[string]string{"Origin": "https://elsewhere.example"}, queries: []string{"per_page=1"}},
		{route: "/events", methods: all, who: everyone},
		{route: "/events/{event}", most: 14, who: anonymous},
		{route: "/events/{event}", most: 3, who: user},
		{route: "/events/{event}", queries: []string{"_fields=id,title,venue.id", "_embed=1", "_envelope=1", "_jsonp=show"}},
		{route: "/events/{event}", methods: all, who: everyone},
		{route: "/events/{refused event}", most: 8, who: everyone},
		{route: "/events/by-slug/{event slug}", most: 2, everywhere: true},
		{route: "/events/by-slug/no-such-slug-zzqq"},

		{route: "/venues", who: everyone, everywhere: true},
		{route: "/venues", queries: []string{"per_page=100", "per_page=2&page=2", "search={venue word}", "has_events=true", "only_with_upcoming=true", "event={event}", "status=draft", "page=0"}},
		{route: "/venues/{venue}", most: 4, who: everyone},
		{route: "/venues/{refused venue}", most: 4},
		{route: "/venues/by-slug/{venue slug}"},
		{route: "/venues", methods: all},

		{route: "/organizers", who: everyone},
		{route: "/organizers", queries: []string{"per_page=100", "per_page=2&page=2", "search={organizer word}", "has_events=true", "event={event}", "page=0"}},
		{route: "/organizers/{organizer}", most: 4, who: everyone},
		{route: "/organizers/{refused organizer}", most: 3},
		{route: "/organizers/by-slug/{organizer slug}"},

		{route: "/categories", everywhere: true},
		{route: "/categories", queries: []string{"per_page=100", "per_page=2&page=2", "search={category word}", "hide_empty=true", "orderby=count&order=desc", "event={event}", "orderby=nonsense"}},
		{route: "/categories/{category}", most: 3},
		{route: "/categories/999999999"},
		{route: "/tags"},
		{route: "/tags", queries: []string{"per_page=100", "per_page=2&page=2", "orderby=slug&order=desc", "event={event}"}},
		{route: "/tags/{tag}", most: 3},
		{route: "/tags/999999999"},
	}
}

// maxLanguages bounds the languages that are compared.
const maxLanguages = 4

// requests makes the requests of the table from the site's contents, each once.
func requests(site *Site, c contents, login *Login) []*request {
	var all []*request
	seen := map[string]bool{}
	add := func(k *kind, method, language, route, query string, as *Login) {
		r := &request{method: method, target: site.target(language, route, query), headers: k.headers, route: shown(k.route), login: as}
		key := strings.Join([]string{method, r.target, k.headers["Origin"]}, " ")
		if as != nil {
			key += " " + as.User
		}
		if !seen[key] {
			seen[key] = true
			all = append(all, r)
		}
	}
	codes := site.Languages.Codes()
	codes = codes[:min(len(codes), maxLanguages)]
	table := kinds()
	for i := range table {
		k := &table[i]
		methods, queries := k.methods, k.queries
		if methods == nil {
			methods = []string{http.MethodGet}
		}
		if queries == nil {
			queries = []string{""}
		}
		for _, route := range c.fill(k.route, max(k.most, 1)) {
			for _, query := range queries {
				for _, query := range c.fill(query, 1) {
					for _, method := range methods {
						if k.who != user {
							add(k, method, "", route, query, nil)
						}
						if k.who != anonymous && login != nil {
							add(k, method, "", route, query, login)
						}
						if !k.everywhere {
							continue
						}
						for _, code := range codes {
							add(k, method, code, route, query, nil)
						}
						if len(codes) > 0 {
							add(k, method, "", route, url.QueryEscape(site.LanguageParam)+"="+url.QueryEscape(codes[len(codes)-1]), nil)
						}
					}
				}
			}
		}
	}
	return all
}

// shown returns a route of the table as users see it: without its own names of placeholders.
func shown(route string) string {
	before, _, found := strings.Cut(route, "{")
	switch {
	case !found && route == "":
		return "/"
	case !found:
		return route
	case strings.HasSuffix(before, "/by-slug/"):
		return before + "{slug}"
	}
	return before + "{id}"
}

// fill replaces the placeholders of a text by values of the site. The last one takes up to
// most values, those before it only the first. If a value is missing, fill returns nil.
func (c contents) fill(text string, most int) []string {
	before, rest, found := strings.Cut(text, "{")
	if !found {
		return []string{text}
	}
	name, after, _ := strings.Cut(rest, "}")
	values := c[name]
	values = values[:min(len(values), most)]
	var out []string
	for _, tail := range c.fill(after, 1) {
		for _, value := range values {
			if !strings.HasSuffix(name, " slug") { // a slug is a part of URLs as it is
				value = url.QueryEscape(value)
			}
			out = append(out, before+value+tail)
		}
	}
	return slices.Clip(out)
}
