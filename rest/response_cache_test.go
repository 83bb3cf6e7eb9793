package rest

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"calbridge/rest/api"
	"calbridge/wpstore/invalidation"
)

// cachedTargets are requests of every kind whose responses are cached.
var cachedTargets = slices.Concat(everyRoute, []string{
	"events?per_page=2&page=2", "events?search=dance", "events?start_date=2026-01-01&end_date=2028-01-01", "events?venue=201", "events?categories=34&tags=41",
	"events?status=publish&featured=false", "events?include=101", "events?post_parent=0", "events/101?_fields=id,venue", "events?_envelope&_pretty",
	"events/101?_jsonp=show", "venues?search=mill", "venues?event=101", "venues?has_events=true", "venues?only_with_upcoming=true",
	"/events/?ical=1", "/events/category/music/?ical=1", "/event/dance/?ical=1", "/venue/old-mill/?ical=1", "/?ical=1&paged=2", "/?ical=1&event_ids=101,105",
	"organizers?has_events=false", "categories?search=a&orderby=count", "categories?parent=31", "tags?slug=x", "tags?event=101", "categories?include=34&hide_empty=true",
})

// cachingSite caches responses, which the tracker invalidates.
func cachingSite(t *testing.T, changes ...func(*Config)) (*testSite, *invalidation.Tracker) {
	t.Helper()
	tracker := invalidation.NewTracker()
	tracker.Resume(true)
	s := newTestSite(t, append([]func(*Config){func(c *Config) { c.Tracker, c.CacheBytes, c.Complete = tracker, 32<<20, true }}, changes...)...)
	s.CacheRows(tracker, 32<<20)
	return s, tracker
}

func (s *testSite) wantCache(what string, want api.CacheResult) {
	s.t.Helper()
	if s.seen.Cache != want {
		s.t.Errorf("%s: %s, want %s", what, s.seen.Cache, want)
	}
}

// TestCachedAnswersAreTheSame: a cached response equals the first one, headers and
// all, and so do the observations. Refusals are cached too.
func TestCachedAnswersAreTheSame(t *testing.T) {
	for _, compat := range []api.Compat{api.Exact, api.Safe} {
		s, _ := cachingSite(t, func(c *Config) { c.Compat = compat })
		for _, target := range cachedTargets {
			for _, origin := range []string{"", "https://elsewhere.example"} {
				h := http.Header{}
				if origin != "" {
					h.Set("Origin", origin)
				}
				first := s.do(ask{target: target, header: h})
				before := *s.seen
				second := s.do(ask{target: target, header: h})
				if !slices.Contains([]int{http.StatusOK, http.StatusNotFound, http.StatusBadRequest}, first.status) {
					t.Errorf("%s: %s", target, first.outcome())
				}
				s.wantCache(target, api.CacheHit)
				if diff := cmp.Diff(first.header, second.header); diff != "" || first.body != second.body || first.status != second.status {
					t.Errorf("%s %s, Origin %q: %d %s", compat, target, origin, second.status, diff)
				}
				if before.Route != s.seen.Route || before.Language != s.seen.Language || before.Bytes != s.seen.Bytes || before.Code != s.seen.Code || s.seen.Queries != 0 {
					t.Errorf("%s: observed %+v, then %+v", target, before, *s.seen)
				}
			}
		}
	}
}

// TestWhatAnswersDependOn: no query of an anonymous read is unknown to the table of
// dependencies, and every response depends on the site's options.
func TestWhatAnswersDependOn(t *testing.T) {
	s, _ := cachingSite(t)
	for _, target := range cachedTargets {
		depends := invalidation.NewDependencies()
		x := newExchange(s.srv, s.DB.Session(depends), true, false)
		s.srv.answer(t.Context(), x, s.request(ask{target: target}))
		tags := depends.Tags()
		if slices.Contains(tags, invalidation.Tag{Kind: invalidation.Anything}) {
			t.Errorf("%s depends on everything: %v", target, tags)
		}
		if !slices.Contains(tags, invalidation.Tag{Kind: invalidation.Site}) {
			t.Errorf("%s does not depend on the options: %v", target, tags)
		}
	}
}

type discardResponse struct{ header http.Header }

func (d discardResponse) Header() http.Header         { return d.header }
func (d discardResponse) Write(b []byte) (int, error) { return len(b), nil }
func (d discardResponse) WriteHeader(int)             {}

// TestChangesAreSeen changes rows behind the server's back. Given the tags of such a change, the
// server builds the response again.
func TestChangesAreSeen(t *testing.T) {
	s, tracker := cachingSite(t)
	for _, change := range []struct {
		name, statement, target, path string
		tags                          []invalidation.Tag
	}{
		{"title of an event", "UPDATE wp_posts SET post_title = 'Changed' WHERE ID = 101", "events/101", "title", []invalidation.Tag{{Kind: invalidation.Post, ID: 101}}},
		{"title of its venue", "UPDATE wp_posts SET post_title = 'Moved' WHERE ID = 201", "events/101", "venue.venue", []invalidation.Tag{{Kind: invalidation.Post, ID: 201}}},
		{"name of a category", "UPDATE wp_terms SET name = 'Renamed' WHERE term_id = 34", "categories/34", "name", []invalidation.Tag{{Kind: invalidation.Term, ID: 34}, {Kind: invalidation.Terms}}},
		{"an event goes", "UPDATE wp_posts SET post_status = 'draft' WHERE ID = 101", "events?include=101", "total", []invalidation.Tag{{Kind: invalidation.Post, ID: 101}, {Kind: invalidation.Events}}},
		{"a hidden event comes back", "UPDATE wp_posts SET post_status = 'publish' WHERE ID = 101", "events/101", "code", []invalidation.Tag{{Kind: invalidation.Post, ID: 101}, {Kind: invalidation.Events}}},
		{"a missing event comes", "UPDATE wp_posts SET ID = 99999 WHERE ID = 104", "events/99999", "code", []invalidation.Tag{{Kind: invalidation.Post, ID: 104}, {Kind: invalidation.Post, ID: 99999}}},
		{"a slug is given", "UPDATE wp_posts SET post_name = 'given' WHERE ID = 101", "events/by-slug/given", "code", []invalidation.Tag{{Kind: invalidation.Post, ID: 101}, {Kind: invalidation.Posts}}},
		{"a missing category comes", "UPDATE wp_terms SET term_id = 88888 WHERE term_id = 33; UPDATE wp_term_taxonomy SET term_id = 88888 WHERE term_id = 33", "categories/88888", "code", []invalidation.Tag{{Kind: invalidation.Term, ID: 88888}, {Kind: invalidation.Terms}}},
		{"a list gets a second page", "UPDATE wp_options SET option_value = '2' WHERE option_name = 'posts_per_page'", "venues?page=2", "code", []invalidation.Tag{{Kind: invalidation.Site}}},
		{"page size", "UPDATE wp_options SET option_value = '1' WHERE option_name = 'posts_per_page'", "venues", "total_pages", []invalidation.Tag{{Kind: invalidation.Site}}},
	} {
		if before := s.get(change.target).json(change.path); before == "" {
			t.Fatalf("%s: no %s", change.name, change.path)
		}
		old := s.get(change.target)
		s.exec(change.statement)
		if again := s.get(change.target); again.body != old.body {
			t.Errorf("%s: not from the cache", change.name)
		}
		tracker.Invalidate(change.tags...)
		if again := s.get(change.target); again.json(change.path) == old.json(change.path) {
			t.Errorf("%s: still %s", change.name, old.json(change.path))
		}
	}
}

// TestUnfinishedRefusal checks that a refusal is not cached if its header Allow could not be made in
// time.
func TestUnfinishedRefusal(t *testing.T) {
	s, _ := cachingSite(t)
	x := newExchange(s.srv, s.DB.Session(nil), true, false)
	if res := s.srv.answer(t.Context(), x, s.request(ask{target: "events/99999"})); !res.Repeats || res.Header.Get("Allow") == "" {
		t.Fatalf("%d %v", res.Status, res.Header)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if res := s.srv.refusal(ended, x, api.Fail("rest_forbidden")); res.Repeats {
		t.Errorf("%d %v", res.Status, res.Header)
	}
}

func TestWhatIsNotCached(t *testing.T) {
	s, tracker := cachingSite(t)
	for name, a := range map[string]ask{
		"a user":            {as: "edita"},
		"a nonce":           {header: http.Header{"X-Wp-Nonce": {"x"}}},
		"another method":    {header: http.Header{"X-Http-Method-Override": {"POST"}}},
		"HEAD":              {method: http.MethodHead},
		"a body":            {body: "{}", contentType: "application/json"},
		"a login cookie":    {header: http.Header{"Cookie": {s.loginCookieName() + "=x"}}},
		"a very long query": {target: "events?x=" + strings.Repeat("y", 3000)},
	} {
		if a.target == "" {
			a.target = "events"
		}
		for range 2 {
			s.do(a)
			s.wantCache(name, api.CacheBypass)
		}
	}
	for _, target := range []string{"events?_method=POST", "events?_method=HEAD", "events?_wpnonce=1", "nothing"} {
		for range 2 {
			s.get(target)
			s.wantCache(target, api.CacheMiss)
		}
	}
	other := ask{target: "events", header: http.Header{"Cookie": {"_ga=1; consent=yes"}}}
	s.do(other)
	s.do(other)
	s.wantCache("a cookie of another program", api.CacheHit)
	tracker.Suspend()
	s.get("events")
	s.wantCache("suspended", api.CacheBypass)
}

func (s *testSite) loginCookieName() string {
	s.get("")
	return s.srv.sites.current.Load().Cookies.LoggedIn
}

// TestAnswersOfASecond tests that what depends on the time of day is cached for the second it was
// made in.
func TestAnswersOfASecond(t *testing.T) {
	now := testNow
	s, _ := cachingSite(t, func(c *Config) { c.Now = func() time.Time { return now } })
	for target, timely := range map[string]bool{
		"": true, "events?include=101": true, "events?strict_dates=1": true, "events?end_date=now": true,
		"events?start_date=tomorrow&end_date=2028-01-01": true, "venues?only_with_upcoming=true": true,
		"events": false, "events?page=2&per_page=2": false, "events?strict_dates=1&end_date=2028-01-01": false,
		"events?start_date=2026-01-01&end_date=2028-01-01": false, "events/101": false, "events/by-slug/dance": false, "venues": false,
		"events?start_date=2026-01-01%2010:00:00&end_date=1830000000": false,
	} {
		now = testNow
		s.get(target)
		now = now.Add(999 * time.Millisecond)
		s.get(target)
		s.wantCache(target+" within the second", api.CacheHit)
		now = now.Add(time.Millisecond)
		s.get(target)
		s.wantCache(target+" in the next", map[bool]api.CacheResult{true: api.CacheMiss, false: api.CacheHit}[timely])
	}
}

// TestAnswersOfADay tests that lists with default dates are cached until the day ends in UTC, whatever
// the site's zone is.
func TestAnswersOfADay(t *testing.T) {
	now := time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)
	s, _ := cachingSite(t, func(c *Config) { c.Now = func() time.Time { return now } })
	first := s.get("events").json("rest_url")
	now = time.Date(2026, 11, 28, 23, 59, 59, 0, time.UTC)
	s.get("events")
	s.wantCache("in the last second of the day", api.CacheHit)
	now = now.Add(time.Second)
	second := s.get("events").json("rest_url")
	s.wantCache("the next day", api.CacheMiss)
	if first == second {
		t.Errorf("the same dates on two days: %s", first)
	}
}

// TestFreshnessIsProved: without proof nothing comes from the cache.
func TestFreshnessIsProved(t *testing.T) {
	var proof, settled error
	s, _ := cachingSite(t, func(c *Config) {
		c.CatchUp = func(context.Context) error { return proof }
		c.Settle = func(context.Context) error { return settled }
	})
	s.get("events/101")
	s.get("events/101")
	s.wantCache("proved", api.CacheHit)
	proof = errors.New("too far behind")
	s.get("events/101")
	s.wantCache("not proved", api.CacheBypass)
	proof, settled = nil, errors.New("no database")
	s.get("events/101")
	s.wantCache("not settled", api.CacheBypass)
}

// TestRowsAreCached: another list of the same events takes only the queries that
// find them, for users too, and none is wrong after a change.
func TestRowsAreCached(t *testing.T) {
	s, tracker := cachingSite(t)
	s.get("events?start_date=2026-01-01&end_date=2028-01-01")
	s.get("events?start_date=2026-01-02&end_date=2028-01-01")
	if s.seen.Cache != api.CacheMiss || s.seen.Queries > 1 {
		t.Errorf("another window: %s, %d queries", s.seen.Cache, s.seen.Queries)
	}
	s.do(ask{target: "events/101", as: "edita"})
	before := s.do(ask{target: "events/101", as: "edita"})
	few := s.seen.Queries
	s.exec("UPDATE wp_postmeta SET meta_value = '77' WHERE post_id = 101 AND meta_key = '_EventCost'")
	tracker.Invalidate(invalidation.Tag{Kind: invalidation.Post, ID: 101}, invalidation.Tag{Kind: invalidation.Posts})
	after := s.do(ask{target: "events/101", as: "edita"})
	if after.json("cost") == before.json("cost") || s.seen.Queries <= few {
		t.Errorf("cost %s, then %s; %d queries, then %d", before.json("cost"), after.json("cost"), few, s.seen.Queries)
	}
	tracker.Suspend()
	s.get("events?start_date=2026-01-03&end_date=2028-01-01")
	if s.seen.Queries < 5 {
		t.Errorf("suspended: %d queries", s.seen.Queries)
	}
}
