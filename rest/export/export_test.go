package export

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/authz"
	"calbridge/rest/exporturl"
	"calbridge/rest/ical"
	"calbridge/rest/wpcap"
	"calbridge/rest/wprest"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// noon is a Saturday, 13:00 in Prague.
var noon = time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC)

// village returns a request to a site in Prague.
func village(f exporturl.Request, change func(*wpstore.SiteFacts)) *request {
	facts := &wpstore.SiteFacts{
		SiteAddresses:  wpstore.SiteAddresses{Home: "https://village.example", SiteURL: "https://village.example"},
		SitePermalinks: wpstore.SitePermalinks{PermalinkStructure: "/%postname%/"},
		SiteLocale:     wpstore.SiteLocale{TimezoneString: "Europe/Prague", BlogCharset: "UTF-8"},
		Raw:            map[string]string{}, Occurrences: true,
	}
	if change != nil {
		change(facts)
	}
	site := wpsite.NewBuilder(&wpsite.Settings{RESTPrefix: "wp-json", Compat: api.Safe, Theme: wptext.TwentyTwentyFive()}).Site(facts)
	place := site.Place(true)
	r := &wprest.Request{Request: &api.Request{HTTPS: true}, Place: &place, Clock: &api.Clock{At: noon}, Viewer: &authz.Viewer{User: wpcap.Anonymous(), Site: site}}
	return &request{Request: r, feed: &f}
}

// datesOf returns the dates of a request.
func datesOf(r *request) dates { return dates{r.feed, r.Place.Site, r.Clock} }

// TestBounds: the dates of a month and a day, and until when they stay the same.
func TestBounds(t *testing.T) {
	cutoff := func(f *wpstore.SiteFacts) { f.Calendar = api.Object("multiDayCutoff", "06:00") }
	utc := func(f *wpstore.SiteFacts) { f.TimezoneString = "UTC" }
	siteMode := func(f *wpstore.SiteFacts) { f.Calendar = api.Object("tribe_events_timezone_mode", "site") }
	const midnight, monthEnd = "2026-11-21 23:00", "2026-11-30 23:00"
	for _, c := range []struct {
		view, date  string
		facts       func(*wpstore.SiteFacts)
		want, until string
	}{
		{"month", "", nil, "end > 2026-11-21 00:00:00, start < 2026-11-30 23:59:59", midnight},
		{"month", "2026-11-05", nil, "end > 2026-11-05 00:00:00, start < 2026-11-30 23:59:59", monthEnd},
		{"month", "2026-12", nil, "end > 2026-12-01 00:00:00, start < 2026-12-31 23:59:59", monthEnd},
		{"month", "2027-03-28", nil, "end > 2027-03-01 00:00:00, start < 2027-03-31 23:59:59", monthEnd},
		{"day", "", nil, "end > 2026-11-21 00:00:00, start < 2026-11-21 23:59:59", midnight},
		{"day", "2026-12-31", nil, "end > 2026-12-31 00:00:00, start < 2026-12-31 23:59:59", ""},
		{"day", "nonsense", nil, "end > 2026-11-21 00:00:00, start < 2026-11-21 23:59:59", midnight},
		{"day", "2026-12-31", cutoff, "end > 2026-12-31 06:00:00, start < 2027-01-01 05:59:59", ""},
		{"day", "2026-12-31", siteMode, "end > 2026-12-30 23:00:00, start < 2026-12-31 22:59:59", ""},
		{"month", "", utc, "end > 2026-11-21 00:00:00, start < 2026-11-30 23:59:59", "2026-11-22 00:00"},
		{"list", "2026-12-24 18:00", nil, "end > 2026-12-24 18:00:00", ""},
		{"reflector", "", nil, "", ""},
	} {
		x := village(exporturl.Request{Selection: exporturl.Selection{View: c.view, Date: c.date}}, c.facts)
		bounds, err := datesOf(x).bounds(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for i, b := range bounds {
			if i > 0 {
				got += ", "
			}
			got += fmt.Sprintf("%s %s %s", map[bool]string{true: "end", false: "start"}[b.End], b.Op, b.Value)
		}
		until := ""
		if !x.Clock.Until.IsZero() {
			until = x.Clock.Until.UTC().Format("2006-01-02 15:04")
		}
		if got != c.want || until != c.until || x.Clock.Asked {
			t.Errorf("%s %q: %s until %q, %v; want %s until %q", c.view, c.date, got, until, x.Clock.Asked, c.want, c.until)
		}
	}
	relative := village(exporturl.Request{Selection: exporturl.Selection{View: "day", Date: "tomorrow"}}, nil)
	if bounds, _ := datesOf(relative).bounds(context.Background(), nil); bounds[0].Value != "2026-11-22 00:00:00" || !relative.Clock.Asked {
		t.Errorf("tomorrow: %v, %v", bounds, relative.Clock.Asked)
	}
}

// TestOutOfRange: which pages of the calendar don't exist.
func TestOutOfRange(t *testing.T) {
	facts := func(f *wpstore.SiteFacts) {
		f.Calendar = api.Object("earliest_date", "2026-10-01 10:00:00", "latest_date", "2027-01-10 11:00:00", "tribeEnableViews", php.Strings("list", "month"))
	}
	for _, c := range []struct {
		v    exporturl.Variables
		want bool
	}{
		{exporturl.Variables{Typed: true, Display: "month", PathDate: "2026-09"}, true},
		{exporturl.Variables{Typed: true, Display: "month", PathDate: "2026-10"}, false},
		{exporturl.Variables{Typed: true, Display: "month", PathDate: "2027-02"}, true},
		{exporturl.Variables{Typed: true, Display: "day", PathDate: "2027-01-10"}, false},
		{exporturl.Variables{Typed: true, Display: "day", PathDate: "2027-01-11"}, true},
		{exporturl.Variables{Typed: true, Display: "month", PathDate: "2026-13"}, false},
		{exporturl.Variables{Typed: true, Display: "list", BarDate: "2026-09-30"}, true},
		{exporturl.Variables{Typed: true, Display: "list"}, false},
		{exporturl.Variables{Typed: true, Display: "week"}, true},
		{exporturl.Variables{Typed: true, Display: "past"}, false},
		{exporturl.Variables{Typed: false, Display: "week"}, false},
		{exporturl.Variables{Typed: true, Display: ""}, false},
	} {
		if got := datesOf(village(exporturl.Request{Variables: c.v}, facts)).outOfRange(); got != c.want {
			t.Errorf("%+v: %v", c.v, got)
		}
	}
}

// TestHeaders: what the state of an answer adds to its headers.
func TestHeaders(t *testing.T) {
	x := village(exporturl.Request{}, nil)
	if h := header(x, "text/calendar", page{}); len(h) != 1 || h.Get("Content-Type") != "text/calendar" {
		t.Errorf("%v", h)
	}
	x.feed.Robots = true
	if h := header(x, "a", page{missing: true}); h.Get("X-Robots-Tag") != "noindex, nofollow" || h.Get("Expires") == "" || h.Get("Cache-Control") == "" {
		t.Errorf("%v", h)
	}
	if res := empty(x, page{}, true); res.Status != http.StatusNotFound || res.Body != nil {
		t.Errorf("%+v", res)
	}
	if res := redirected(x, byWordPress("/x", page{}), page{}); res.Status != http.StatusMovedPermanently || res.Header.Get("Location") != "/x" || res.Header.Get("X-Redirect-By") != "WordPress" {
		t.Errorf("%+v", res)
	}
}

// TestLanguages: addresses and cookies of the language plugins.
func TestLanguages(t *testing.T) {
	for plugin, want := range map[i18n.Plugin][2]string{i18n.WPML: {"https://village.example/en/", ""}, i18n.Polylang: {"https://village.example", "pll_language=en"}} {
		x := village(exporturl.Request{}, func(f *wpstore.SiteFacts) {
			f.Languages = i18n.Languages{Plugin: plugin, Default: "cs", Form: i18n.Directory, All: []i18n.Language{{Code: "cs", Locale: "cs_CZ"}, {Code: "en", Locale: "en_US", Prefix: "/en"}}}
		})
		x.Place.Lang.Root, x.language = "en", "en"
		x.Place.Links = x.Place.LinksFor("en")
		cookie := ""
		if c := languageCookie(x, page{}); c != nil {
			cookie = c.Name + "=" + c.Value
		}
		if got := [2]string{home(x), cookie}; got != want {
			t.Errorf("%v: %q, want %q", plugin, got, want)
		}
		if c := languageCookie(x, page{missing: true}); c != nil {
			t.Errorf("%v: a missing page sets %v", plugin, c)
		}
	}
}

func TestForm(t *testing.T) {
	for level, want := range map[api.Compat]ical.Form{api.Exact: ical.AsReference, api.Safe: ical.Contained, api.Fixed: ical.Standard} {
		if got := form(level); got != want {
			t.Errorf("%s: %d", level, got)
		}
	}
}
