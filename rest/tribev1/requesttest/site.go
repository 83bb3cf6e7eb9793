// Package requesttest makes requests of The Events Calendar's API over rows in memory, for the tests
// of the packages that answer such requests. Only tests import it.
//
//   - site.go: [Site], a site that takes requests
//   - store.go: [Store], its rows
package requesttest

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/authz"
	"calbridge/rest/calendar"
	"calbridge/rest/phpform"
	"calbridge/rest/tribev1"
	"calbridge/rest/wpcap"
	"calbridge/rest/wprest"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext"
	"calbridge/wpstore"
)

// Namespace is that of the API on every site.
const Namespace = "calendar/events/v1"

// Root is the address of the API on every site.
const Root = "https://village.example/wp-json/" + Namespace + "/"

// Site is a site that takes requests. Its fields may change before the first one.
type Site struct {
	*Store
	Facts    wpstore.SiteFacts
	Settings wpsite.Settings
	Handlers wprest.Handlers
	// Now is the time of all requests.
	Now time.Time
	// Apart counts the calls of a request's Apart, whose stores are those of the site.
	Apart int
	built *wpsite.Site
	table *wprest.Table
}

// NewSite returns a site in Prague without rows or languages, at 2026-11-21 12:00 in UTC.
func NewSite(h wprest.Handlers) *Site {
	s := &Site{Handlers: h, Now: time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC)}
	s.Store = &Store{Post: map[int64]*wpstore.Post{}, Meta: map[int64]wpstore.Meta{}, Term: map[int64]wpstore.Term{}, OfPost: map[int64][]int64{}}
	s.Settings = wpsite.Settings{RESTPrefix: "wp-json", Compat: api.Exact, Theme: wptext.TwentyTwentyFive()}
	s.Facts = wpstore.SiteFacts{
		SiteAddresses:  wpstore.SiteAddresses{Home: "https://village.example", SiteURL: "https://village.example"},
		SitePermalinks: wpstore.SitePermalinks{PermalinkStructure: "/%postname%/"}, SiteLocale: wpstore.SiteLocale{TimezoneString: "Europe/Prague"},
		SiteReading: wpstore.SiteReading{PostsPerPage: "10"}, Raw: map[string]string{"blogname": "Village"}, Occurrences: true,
		Roles: api.Object("editor", api.Object("name", "Editor", "capabilities", api.Object(
			"read", true, "edit_tribe_events", true, "edit_others_tribe_events", true, "edit_published_tribe_events", true, "read_private_tribe_events", true,
			"edit_tribe_venues", true, "edit_tribe_organizers", true, "publish_tribe_events", true, "manage_categories", true,
		))),
	}
	return s
}

// Bilingual gives the site a plugin with Czech, the default, and English in the directory /en.
func (s *Site) Bilingual(plugin i18n.Plugin) {
	s.Facts.Languages = i18n.Languages{Plugin: plugin, Default: "cs", Form: i18n.Directory, All: []i18n.Language{
		{Code: "cs", Locale: "cs_CZ", PostTerm: 1, TermTerm: 2}, {Code: "en", Locale: "en_US", Prefix: "/en", PostTerm: 3, TermTerm: 4},
	}}
}

// Ask is a request. The zero values of its fields mean an anonymous GET.
type Ask struct {
	// Target is the path behind the namespace without a slash at its front, with the query.
	Target string
	// Root is the directory of a language, "" for none.
	Root string
	// Editor sends the request as an editor.
	Editor bool
	Method string
}

// Request returns a request that has passed all checks, or the error of the check that refused it.
func (s *Site) Request(t testing.TB, ask Ask) (*wprest.Request, error) {
	t.Helper()
	if s.built == nil {
		s.built = wpsite.NewBuilder(&s.Settings).Site(&s.Facts)
		s.table = wprest.NewTable(tribev1.Dialect(Namespace, s.Handlers), s.built.Traits, s.Settings.LanguageParameter(), s.built.Languages.Offered)
	}
	path, query, _ := strings.Cut(ask.Target, "?")
	route, name, value := s.table.Find("/" + strings.TrimSuffix(path, "/"))
	if route == nil {
		t.Fatalf("no route for %q", ask.Target)
	}
	place, viewer := s.built.Place(true), &authz.Viewer{User: wpcap.Anonymous(), Site: s.built}
	if ask.Editor {
		viewer.User = wpcap.NewUser(7, "edita", s.built.Roles, api.Object("editor", true), false)
	}
	method := cmp.Or(ask.Method, http.MethodGet)
	parsed := &api.Request{Params: api.Params{Query: phpform.Parse(query, phpform.Limits{MaxVars: 1000, MaxDepth: 64})}, Method: method, RealMethod: method, Host: "village.example", HTTPS: true}
	if name != "" {
		parsed.Captures = api.Object(name, value)
	}
	place.EnterRoot(ask.Root+"/wp-json/"+Namespace+"/"+path, parsed.Host, parsed.Query.At("lang"))
	lookups := calendar.NewLookups(s.Stores(), s.built)
	r := &wprest.Request{
		Request: parsed, Place: &place, Viewer: viewer, Clock: &api.Clock{At: s.Now}, Store: s.Stores(), Lookups: &lookups,
		Apart: func(context.Context) calendar.Stores { s.Apart++; return s.Stores() },
		Table: s.table, Route: route, Endpoint: route.Endpoint(method),
	}
	if err := r.CheckArgs(t.Context()); err != nil {
		return nil, err
	}
	place.Want(r.Language())
	if !route.Anonymous {
		viewer.Password, viewer.EditContext = r.Get("password"), r.Text("context") == "edit"
	}
	return r, nil
}

// Accepted returns a request that the checks must accept.
func (s *Site) Accepted(t testing.TB, ask Ask) *wprest.Request {
	t.Helper()
	r, err := s.Request(t, ask)
	if err != nil {
		t.Fatalf("%s: %v", ask.Target, err)
	}
	return r
}

// Do answers a request by its handler.
func (s *Site) Do(t testing.TB, ask Ask) (*api.Result, error) {
	t.Helper()
	r, err := s.Request(t, ask)
	if err != nil {
		return nil, err
	}
	return r.Endpoint.Handle(t.Context(), r)
}
