package tribev1

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/authz"
	"calbridge/rest/phpjson"
	"calbridge/rest/wpcap"
	"calbridge/rest/wprest"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// testRequest returns a GET at a site of our own, without a database.
func testRequest(query ...php.Value) *wprest.Request {
	facts := &wpstore.SiteFacts{
		SiteAddresses: wpstore.SiteAddresses{Home: "https://v.example"}, SitePermalinks: wpstore.SitePermalinks{PermalinkStructure: "/%postname%/"},
		SiteLocale: wpstore.SiteLocale{TimezoneString: "Europe/Prague"}, SiteReading: wpstore.SiteReading{PostsPerPage: "7"},
	}
	site := wpsite.NewBuilder(&wpsite.Settings{RESTPrefix: "wp-json"}).Site(facts)
	place := site.Place(true)
	return &wprest.Request{
		Request: &api.Request{Method: "GET", Params: api.Params{Query: api.Object(query...)}},
		Place:   &place, Viewer: &authz.Viewer{User: wpcap.Anonymous(), Site: site}, Clock: &api.Clock{At: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)},
	}
}

// TestFind checks that patterns match without regard to case, and that captures keep it.
func TestFind(t *testing.T) {
	table := wprest.NewTable(Dialect("fairs/v1", nil), nil, "lang", nil)
	for path, want := range map[string]string{
		"": "/  ", "/": "/  ", "/doc": "/doc  ", "/DOC": "/doc  ", "/events": "/events  ", "/Venues/12": "/venues/{id} id 12", "/events/012": "/events/{id} id 012",
		"/organizers/By-Slug/Old-Mill": "/organizers/by-slug/{slug} slug Old-Mill", "/tags/3": "/tags/{id} id 3", "/categories": "/categories  ",
		"/events/x": "", "/events/": "", "/events//1": "", "//events": "", "/events/by-slug": "", "/events/by-slug/": "", "/events/by-slug/a/b": "", "/tags/by-slug/a": "",
		"/nothing": "", "/doc/1": "", "/events/-1": "", "/events/{id}": "", "/{id}": "",
	} {
		got := ""
		if rt, name, value := table.Find(path); rt != nil {
			got = rt.Template + " " + name + " " + value
		}
		if got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}

// TestFindExtensions: routes of our own are there where their handlers are.
func TestFindExtensions(t *testing.T) {
	h := wprest.Handlers{}
	for _, collection := range []string{"events", "venues", "organizers", "categories", "tags"} {
		for _, verb := range []wprest.Verb{Feed, SingleFeed, JSONFeed} {
			h[verb.Of(collection)] = func(context.Context, *wprest.Request) (*api.Result, error) { return nil, nil }
		}
	}
	with, without := wprest.NewTable(Dialect("fairs/v1", h), nil, "lang", []string{"cs"}), wprest.NewTable(Dialect("fairs/v1", nil), nil, "lang", nil)
	for path, want := range map[string]string{
		"/events.ics": "/events.ics  ", "/Events.ICS": "/events.ics  ", "/events.jsonfeed": "/events.jsonfeed  ", "/events/012.ics": "/events/{id}.ics id 012", "/events/5.ICS": "/events/{id}.ics id 5",
		"/venues/7/events.ics": "/venues/{id}/events.ics id 7", "/tags/by-slug/Jazz/events.ics": "/tags/by-slug/{slug}/events.ics slug Jazz",
		"/events/.ics": "", "/events/x.ics": "", "/venues/x/events.ics": "", "/venues/by-slug//events.ics": "", "/events/7/events.ics": "", "/events.ics/1": "", "/events.ic": "",
	} {
		got := ""
		if rt, name, value := with.Find(path); rt != nil {
			got = rt.Template + " " + name + " " + value
			if !rt.Extension() || !rt.Anonymous || !rt.Endpoints[0].Takes("lang") {
				t.Errorf("%s: %+v", path, rt)
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
		if rt, _, _ := without.Find(path); rt != nil {
			t.Errorf("%q without handlers: %s", path, rt.Template)
		}
	}
}

// TestDescriptions: the index, OPTIONS and the OpenAPI document are recorded contracts. Their
// digests change with every row of the tables behind them; compare the recordings before you
// change a digest.
func TestDescriptions(t *testing.T) {
	table := wprest.NewTable(Dialect("fairs/v1", nil), nil, "lang", []string{"cs", "en"})
	for path, want := range map[string]string{"": "679211538bc11ee4", "/doc": "7bb14beb93aedffd"} {
		rt, _, _ := table.Find(path)
		r := testRequest("namespace", "fairs/v1")
		r.Table, r.Route, r.Endpoint = table, rt, rt.Endpoint("GET")
		res, err := r.Endpoint.Handle(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(res.Body))[:16]; got != want {
			t.Errorf("%q: digest %s, want %s: %.200s", path, got, want, res.Body)
		}
	}
	r := testRequest()
	r.Table = table
	if _, err := table.Routes[0].Endpoints[0].Handle(t.Context(), r); err == nil {
		t.Error("another namespace has an index")
	}
	if got := string(wprest.Options(r).Body); got != "[]" {
		t.Errorf("no route: %s", got)
	}
	r.Route, _, _ = table.Find("/tags")
	if res := wprest.Options(r); res.Links.Len() != 1 || !strings.HasPrefix(string(res.Body), `{"namespace":"fairs\/v1","methods":["GET","POST"],"endpoints":[{"methods":["GET"],"args":{"page":{`) {
		t.Errorf("tags: %.300s", res.Body)
	}
}

// TestCheckArgs: defaults, refusals and conversions of GET /events.
func TestCheckArgs(t *testing.T) {
	table := wprest.NewTable(Dialect("fairs/v1", nil), nil, "lang", []string{"cs", "en"})
	check := func(path, method string, query ...php.Value) (*wprest.Request, error) {
		r := testRequest(query...)
		r.Route, _, _ = table.Find(path)
		r.Endpoint = r.Route.Endpoint(method)
		return r, r.CheckArgs(t.Context())
	}
	r, err := check("/events", "GET", "per_page", "99", "featured", "1", "lang", "en", "include", "5,6")
	if err != nil {
		t.Fatal(err)
	}
	got := string(phpjson.Append(nil, php.List(r.Get("page"), r.Get("per_page"), r.Get("featured"), r.Get("start_date"), r.Get("end_date"), r.Get("strict_dates"), r.Get("include"), r.Language())))
	if want := `[1,50,true,"2026-11-21 00:59:00","2028-11-21 12:00:00","false",[5,6],"en"]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if r, err := check("/venues", "GET"); err != nil || php.ToString(r.Get("per_page")) != "7" {
		t.Errorf("the site's page size: %v, %v", r.Get("per_page"), err)
	}
	for _, c := range []struct {
		path, method string
		query        []php.Value
		want         string // code, refused parameters, their details
	}{
		{"/events", "POST", nil, "rest_missing_callback_param title, start_date, end_date "},
		{"/events", "GET", []php.Value{"page", "0", "search", "", "ticketed", "1"}, "rest_invalid_param page, search, ticketed event-tickets-not-active"},
		{"/events", "GET", []php.Value{"featured", "maybe", "lang", "xx"}, "rest_invalid_param featured, lang rest_invalid_type rest_not_in_enum"},
		{"/events", "GET", []php.Value{"status", "draft", "start_date", "2026-13-45"}, "rest_invalid_param start_date, status "},
		{"/tags", "GET", []php.Value{"hide_empty", "x"}, "rest_invalid_param hide_empty rest_invalid_type"},
	} {
		_, err := check(c.path, c.method, c.query...)
		if err == nil {
			t.Errorf("%v is accepted", c.query)
			continue
		}
		e := api.PublicError(err)
		var details []string
		inner, _ := e.Data.At("details").(*php.Array)
		for _, v := range inner.All() {
			details = append(details, php.ToString(v.(*php.Array).At("code")))
		}
		if got := e.Code + " " + e.Vars["params"] + " " + strings.Join(details, " "); got != c.want {
			t.Errorf("%v: %s, want %s", c.query, got, c.want)
		}
	}
}

func TestAllowWithoutUser(t *testing.T) {
	table := wprest.NewTable(Dialect("fairs/v1", nil), nil, "lang", nil)
	for path, want := range map[string]string{"/events": "GET", "/events/5": "GET", "/tags": "GET", "/doc": "GET"} {
		r := testRequest("id", "5")
		r.Route, _, _ = table.Find(path)
		r.Endpoint = r.Route.Endpoint("GET")
		if got, err := r.Allow(t.Context()); got != want || err != nil {
			t.Errorf("%s: %s, %v", path, got, err)
		}
	}
	if got := len(Templates()); got != 30 {
		t.Errorf("%d templates", got)
	}
}
