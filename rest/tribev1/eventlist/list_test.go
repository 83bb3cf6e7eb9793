package eventlist

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/tribev1"
	"calbridge/rest/tribev1/requesttest"
	"calbridge/rest/wprest"
	"calbridge/wpstore"
)

// site is a site with events, venues, organizers and terms.
type site struct{ *requesttest.Site }

func newSite() site {
	s := site{requesttest.NewSite(wprest.Handlers{tribev1.Feed.Of("events"): unused})}
	for _, id := range []int64{101, 104, 113} {
		s.AddEvent(id, fmt.Sprintf("Event %d", id), "2026-12-01 18")
	}
	s.AddLinked(wpstore.VenueType, 201, "Mill")
	s.AddLinked(wpstore.VenueType, 202, "Hall").Status = "draft"
	s.AddLinked(wpstore.OrganizerType, 301, "Friends")
	s.AddLinked(wpstore.OrganizerType, 302, "Club")
	for _, t := range []wpstore.Term{
		{ID: 31, Name: "Music", Slug: "music", Taxonomy: api.Categories.Name}, {ID: 32, Name: "Jazz", Slug: "jazz", Parent: 31, Taxonomy: api.Categories.Name},
		{ID: 33, Name: "Talks", Slug: "talks", Taxonomy: api.Categories.Name}, {ID: 41, Name: "Outdoors", Slug: "outdoors", Taxonomy: api.Tags.Name},
		{ID: 42, Name: "Sale", Slug: "sale", Taxonomy: api.Tags.Name},
	} {
		s.Term[t.ID] = t
	}
	return s
}

// unused stands for a handler that no test calls.
func unused(context.Context, *wprest.Request) (*api.Result, error) { return nil, nil }

// list returns the list of a request in its language.
func (s site) list(t *testing.T, ask requesttest.Ask) *List {
	t.Helper()
	r := s.Accepted(t, ask)
	l, err := New(t.Context(), r, r.Place.Lang.Items())
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestURL pins the list's own URL: the order of its parameters, and the second encoding that
// parameters undergo if others follow in a second step.
func TestURL(t *testing.T) {
	const dates, encoded = "start_date=2026-11-21 00:00:00&end_date=2028-11-21 23:59:59", "start_date=2026-11-21+00%3A00%3A00&end_date=2028-11-21+23%3A59%3A59"
	for _, c := range []struct {
		query, want string
		editor      bool
	}{
		{"", "page=1&per_page=10&" + dates + "&status=publish", false},
		{"", "page=1&per_page=10&" + dates + "&status=any", true},
		{"per_page=2&page=3", "page=3&per_page=2&" + dates + "&status=publish", false},
		{"search=shoes+%26+friends&categories=31&tags=41", "page=1&per_page=10&" + dates + "&search=shoes & friends&status=publish", false},
		{"search=shoes+%26+friends&venue=201", "page=1&per_page=10&" + encoded + "&search=shoes+&friends&status=publish&venue=201", false}, // read again, the text is two parameters
		{"venue=201,202", "page=1&per_page=10&" + encoded + "&status=publish&venue=201,202", false},
		{"organizer[]=301&organizer[]=302&featured=true", "page=1&per_page=10&" + encoded + "&status=publish&organizer=301,302&featured=1", false},
		{"organizer=301&venue=201", "page=1&per_page=10&" + encoded + "&status=publish&venue=201&organizer=301", false},
		{"featured=false", "page=1&per_page=10&" + encoded + "&status=publish", false},
		{"geoloc=1&geoloc_lat=50.5", "page=1&per_page=10&" + dates + "&geoloc=1&geoloc_lat=50.5&geoloc_lng&status=publish", false},
		{"geoloc=0&geoloc_lat=50.5", "page=1&per_page=10&" + dates + "&status=publish", false},
		{"post_parent=104&include=113,101&password=x&strict_dates=no", "page=1&per_page=10&start_date=2026-11-21 00:59:00&end_date=2028-11-21 12:00:00&status=publish&post_parent=104&include=113,101", false},
		{"status[]=draft&status[]=pending", "page=1&per_page=10&" + dates + "&status=draft,pending", true},
		{"status=", "page=1&per_page=10&" + dates + "&", true},
		{"ends_after=2026-12-01&starts_before=2026-12-02&status=publish", "page=1&per_page=10&status=publish&starts_before=2026-12-02 23:59:59&ends_after=2026-12-01 23:59:59", false},
	} {
		t.Run(c.query, func(t *testing.T) {
			got := newSite().list(t, requesttest.Ask{Target: "events?" + c.query, Editor: c.editor}).URL
			if want := requesttest.Root + "events/?" + c.want; got != want {
				t.Errorf("\n got %s\nwant %s", got, want)
			}
		})
	}
}

// TestLanguages pins the address and the query of lists in languages, under WPML.
func TestLanguages(t *testing.T) {
	const english = "https://village.example/en/wp-json/calendar/events/v1/events/?"
	for _, c := range []struct {
		name        string
		ask         requesttest.Ask
		url         string
		code, words string
	}{
		{"the default", requesttest.Ask{Target: "events"}, requesttest.Root + "events/?", "cs", "[32]"},
		{"a directory", requesttest.Ask{Target: "events", Root: "/en"}, english, "en", "[52]"},
		{"the parameter", requesttest.Ask{Target: "events?language_code=en"}, english, "en", "[52]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite()
			s.Bilingual(i18n.WPML)
			s.TermGroups = map[int64]i18n.Group{32: {"cs": 32, "en": 52}}
			s.Term[52] = wpstore.Term{ID: 52, Slug: "jazz-en", Taxonomy: api.Categories.Name}
			sep := "?"
			if strings.Contains(c.ask.Target, "?") {
				sep = "&"
			}
			c.ask.Target += sep + "categories=jazz"
			l := s.list(t, c.ask)
			if !strings.HasPrefix(l.URL, c.url) || l.Query.Language.Code != c.code || fmt.Sprint(l.Query.Categories) != c.words {
				t.Errorf("%s, language %q, categories %v", l.URL, l.Query.Language.Code, l.Query.Categories)
			}
		})
	}
}

// TestFilters pins what each argument makes of the query, and the calls of the store that it takes.
func TestFilters(t *testing.T) {
	for _, c := range []struct {
		query   string
		has     func(q wpstore.EventQuery) string
		want    string
		nothing bool
		calls   string
		compat  api.Compat
		editor  bool
	}{
		{query: "", has: func(q wpstore.EventQuery) string { return fmt.Sprint(q.Statuses, q.Include, q.Order.ByPublication) }, want: "[publish] [] false", calls: "nothing"},
		{query: "venue=201,202", has: func(q wpstore.EventQuery) string { return fmt.Sprint(q.Venues) }, want: "[201 202]", calls: "LinkedHeads", compat: api.Exact},
		{query: "venue=201,202", has: func(q wpstore.EventQuery) string { return fmt.Sprint(q.Venues) }, want: "[201]", calls: "LinkedHeads", compat: api.Safe}, // 202 is a draft
		{query: "organizer=301", has: func(q wpstore.EventQuery) string { return fmt.Sprint(q.Organizers, q.Venues == nil) }, want: "[301] true", calls: "LinkedHeads"},
		{query: "categories=music", has: categories, want: "[31 32]", calls: "LookupTerms TermTree"},
		{query: "categories=32,talks", has: categories, want: "[32 33]", calls: "LookupTerms TermTree"},
		{query: "categories=Talks", has: categories, want: "[33]", calls: "LookupTerms TermTree"},
		{query: "categories=[]", has: categories, want: "[]", nothing: true, calls: "LookupTerms"},
		{query: "tags=outdoors,sale", has: func(q wpstore.EventQuery) string { return fmt.Sprint(q.Tags) }, want: "[41]", calls: "LookupTerms"}, // only the first tag counts
		{query: "include=113,101", has: func(q wpstore.EventQuery) string { return fmt.Sprint(q.Include, q.Order.ByPublication) }, want: "[113 101] true", calls: "nothing"},
		{query: "search=dance+-shoes", has: func(q wpstore.EventQuery) string { return fmt.Sprint(q.Search, q.UnprotectedOnly) }, want: "[{dance false} {shoes true}] true", calls: "nothing"},
		{query: "search=%5C", has: func(q wpstore.EventQuery) string { return fmt.Sprint(q.Search == nil, q.UnprotectedOnly) }, want: "true false", calls: "nothing"},
		{query: "featured=true&post_parent=104", has: filters, want: "[{featured false []} {post_parent false [104]}]", calls: "LinkedHeads"},
		{query: "featured=0", has: filters, want: "[{featured true []}]", calls: "nothing"},
		{query: "ticketed=false", has: func(q wpstore.EventQuery) string { return fmt.Sprint(q.Tickets == nil) }, want: "true", calls: "nothing"}, // without Event Tickets
		{query: "status=draft,private", has: func(q wpstore.EventQuery) string { return fmt.Sprint(q.Statuses) }, want: "[draft private]", calls: "nothing", editor: true},
	} {
		t.Run(fmt.Sprint(c.query, " ", c.compat), func(t *testing.T) {
			s := newSite()
			s.Settings.Compat = c.compat
			l := s.list(t, requesttest.Ask{Target: "events?" + c.query, Editor: c.editor})
			if got := c.has(l.Query); got != c.want || l.Nothing != c.nothing {
				t.Errorf("%s, nothing %t, want %s, %t", got, l.Nothing, c.want, c.nothing)
			}
			if got := s.Read(); got != c.calls {
				t.Errorf("read %s, want %s", got, c.calls)
			}
		})
	}
}

func categories(q wpstore.EventQuery) string { return fmt.Sprint(q.Categories) }

func filters(q wpstore.EventQuery) string { return fmt.Sprint(q.Filters) }

// TestFeed pins the query of a feed: it has no default dates, pages or order of its own, and the
// restriction of its path.
func TestFeed(t *testing.T) {
	for _, c := range []struct {
		name, query string
		of          Of
		want        string
		nothing     bool
	}{
		{"all", "", Of{}, "bounds [], venues [], organizers [], categories [], tags []", false},
		{"dates", "start_date=2026-12-01&ends_after=2026-12-03", Of{}, "bounds [{false >= 2026-12-01 00:00:00} {true > 2026-12-03 23:59:59}], venues [], organizers [], categories [], tags []", false},
		{"a venue", "", Of{Kind: api.Venues, Post: 201}, "bounds [], venues [201], organizers [], categories [], tags []", false},
		{"an organizer", "", Of{Kind: api.Organizers, Post: 301}, "bounds [], venues [], organizers [301], categories [], tags []", false},
		{"a category by id", "", Of{Tax: api.Categories, Term: 31}, "bounds [], venues [], organizers [], categories [31 32], tags []", false},
		{"a category by slug", "", Of{Tax: api.Categories, Slug: "jazz"}, "bounds [], venues [], organizers [], categories [32], tags []", false},
		{"a tag by slug", "", Of{Tax: api.Tags, Slug: "sale"}, "bounds [], venues [], organizers [], categories [], tags [42]", false},
		{"no term", "", Of{Tax: api.Tags, Term: 31}, "bounds [], venues [], organizers [], categories [], tags []", true},
		{"no term of a slug", "", Of{Tax: api.Categories, Slug: "nothing"}, "bounds [], venues [], organizers [], categories [], tags []", true},
		{"include in no other order", "include=113,101", Of{}, "bounds [], venues [], organizers [], categories [], tags []", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite()
			r := s.Accepted(t, requesttest.Ask{Target: "events.ics?" + c.query})
			q, nothing, err := Feed(t.Context(), r, c.of)
			if err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprintf("bounds %v, venues %v, organizers %v, categories %v, tags %v", q.Bounds, q.Venues, q.Organizers, q.Categories, q.Tags)
			if got != c.want || nothing != c.nothing {
				t.Errorf("%s, nothing %t", got, nothing)
			}
			if q.Limit != maxEvents || q.Offset != 0 || q.Order != (wpstore.EventOrder{}) {
				t.Errorf("limit %d, offset %d, order %+v", q.Limit, q.Offset, q.Order)
			}
			if r.Clock.Asked || !r.Clock.Until.IsZero() {
				t.Error("the feed depends on the time")
			}
			if !slices.Contains(s.Calls, "UseStartIndexes") {
				t.Error("the database isn't told the indexes")
			}
		})
	}
}

// TestAll pins that All asks for every event of a list, whatever its page, and reads what the filters
// name through look-ups that have read nothing yet.
func TestAll(t *testing.T) {
	s := newSite()
	s.Settings.Compat = api.Safe
	r := s.Accepted(t, requesttest.Ask{Target: "events?page=3&per_page=2&venue=201,202&organizer=301&categories=33"})
	fresh := s.Accepted(t, requesttest.Ask{Target: "events"})
	r.Lookups = fresh.Lookups
	s.Read()
	q, nothing, err := All(t.Context(), r)
	if err != nil || nothing {
		t.Fatal(err, nothing)
	}
	if got := fmt.Sprint(q.Venues, q.Organizers, q.Categories, q.Limit, q.Offset); got != "[201] [301] [33] 10000000 0" {
		t.Error(got)
	}
	if got := s.Read(); got != "LinkedHeads LinkedHeads LookupTerms TermTree" {
		t.Errorf("read %s", got)
	}
}

// TestErrors tests that errors of the store come through.
func TestErrors(t *testing.T) {
	failing := errors.New("the database is gone")
	of := Of{Tax: api.Categories, Term: 31}
	for _, c := range []struct {
		fails string
		run   func(r *wprest.Request) error
	}{
		{"LookupTerms", func(r *wprest.Request) error { _, err := New(t.Context(), r, ""); return err }},
		{"TermTree", func(r *wprest.Request) error { _, err := New(t.Context(), r, ""); return err }},
		{"LookupTerms", func(r *wprest.Request) error { _, _, err := Feed(t.Context(), r, of); return err }},
		{"TermTree", func(r *wprest.Request) error { _, _, err := Feed(t.Context(), r, of); return err }},
		{"LinkedHeads", func(r *wprest.Request) error { _, _, err := All(t.Context(), r); return err }},
		{"TermTree", func(r *wprest.Request) error { _, _, err := All(t.Context(), r); return err }},
	} {
		t.Run(c.fails, func(t *testing.T) {
			s := newSite()
			r := s.Accepted(t, requesttest.Ask{Target: "events?categories=33&venue=201"})
			fresh := s.Accepted(t, requesttest.Ask{Target: "events"})
			r.Lookups = fresh.Lookups
			s.Fails, s.Failing = c.fails, failing
			if err := c.run(r); !errors.Is(err, failing) {
				t.Errorf("%v", err)
			}
		})
	}
}
