package rest

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"calbridge/rest/api"
	"calbridge/wpstore/invalidation"
)

// cachedExports are exports of all kinds.
var cachedExports = []string{
	"/events/?ical=1", "/?post_type=tribe_events&ical=1&eventDisplay=list", "/events/month/?ical=1", "/events/today/?ical=1", "/events/2026-12/?ical=1",
	"/events/month/2026-11/?outlook-ical", "/events/2026-11-22/ical/", "/events/list/?ical=1&eventDisplay=past", "/events/?ical=1&tribe-bar-date=2026-12-01",
	"/events/?ical=1&tribe-bar-date=tomorrow", "/events/category/music/?ical=1", "/tag/outdoors/?ical=1", "/event/dance/?ical=1", "/event/reading/?ical=1",
	"/?ical=1&event_ids=101,102,103", "/events/?ical=1&s=market", "/events/list/page/2/?ical=1&posts_per_page=1", "/venue/old-mill/?ical=1", "/en/events/?ical=1",
	"/en/events/month/?ical=1", "/en/?ical=1", "/events/?ical=1&featured=1", "/event/nothing/?ical=1", "/events?ical=1",
}

// cachingLanguageSite returns a languageTestSite that caches responses and rows.
func cachingLanguageSite(t *testing.T, name string, changes ...func(*Config)) (*testSite, *invalidation.Tracker) {
	tracker := invalidation.NewTracker()
	tracker.Resume(true)
	s := languageTestSite(t, name, append([]func(*Config){func(c *Config) { c.Tracker, c.CacheBytes, c.Complete = tracker, 32<<20, true }}, changes...)...)
	s.CacheRows(tracker, 32<<20)
	s.get("") // reads the site
	return s, tracker
}

// TestCachedExports: over random requests, writes and steps of the clock an export from the
// cache is the one that a server without a cache makes.
func TestCachedExports(t *testing.T) {
	for _, name := range []string{"", "wpml", "polylang"} {
		for _, level := range []api.Compat{api.Exact, api.Safe} {
			t.Run(fmt.Sprint(name, level), func(t *testing.T) { cachedExportsOf(t, name, level) })
		}
	}
}

func cachedExportsOf(t *testing.T, name string, level api.Compat) {
	at := testNow
	now := func() time.Time { return at }
	s, tracker := cachingLanguageSite(t, name, func(c *Config) { c.Compat, c.Now = level, now })
	plain := s.cfg
	plain.Tracker, plain.CacheBytes, plain.Complete, plain.Observe = nil, 0, false, nil
	uncached := New(s.DB, plain)
	t.Cleanup(uncached.Close)
	random := rand.New(rand.NewPCG(19, uint64(len(name))))
	hits, made, steps, fewest := 0, 0, 600, 50
	if testing.Short() { // for the race detector
		steps, fewest = 50, 1
	}
	for range steps {
		switch random.IntN(30) {
		case 0, 1:
			at = at.Add(time.Duration(random.IntN(7200)) * time.Second)
		case 2:
			var a answer
			switch start := at.Add(time.Duration(random.IntN(500)) * time.Hour); random.IntN(3) {
			case 0:
				a = s.do(ask{method: "POST", target: "events", as: "adela", contentType: "application/json",
					body: fmt.Sprintf(`{"title":"New","status":"publish","start_date":%q,"end_date":%q}`, start.Format(time.DateTime), start.Add(time.Hour).Format(time.DateTime))})
				made++
			case 1:
				a = s.do(ask{method: "POST", target: fmt.Sprint("events/", 101+random.IntN(5)), as: "adela", contentType: "application/json",
					body: fmt.Sprintf(`{"title":"Called %d"}`, random.IntN(100))})
			default:
				a = s.do(ask{method: "POST", target: fmt.Sprint("events/", 101+random.IntN(5)), as: "adela", contentType: "application/json",
					body: fmt.Sprintf(`{"start_date":%q,"end_date":%q}`, start.Format(time.DateTime), start.Add(time.Hour).Format(time.DateTime))})
			}
			if a.status > 299 {
				t.Fatalf("%d %s", a.status, a.body)
			}
			tracker.InvalidateAll() // as the change feed would do it tag by tag
		default:
			request := ask{target: cachedExports[random.IntN(len(cachedExports))], header: http.Header{}}
			if random.IntN(2) == 0 {
				request.header.Set("Cookie", "pll_language=en")
			}
			got := s.do(request)
			if s.seen.Cache == api.CacheHit {
				hits++
			}
			w := httptest.NewRecorder()
			uncached.ServeHTTP(w, s.request(request))
			want := answer{t, w.Code, w.Header(), w.Body.String()}
			if diff := cmp.Diff(want.header, got.header); got.status != want.status || got.body != want.body || diff != "" {
				t.Fatalf("%s at %s, %s: %d %s, want %d %s; headers %s", request.target, at, s.seen.Cache, got.status, exportedIDs(got.body), want.status, exportedIDs(want.body), diff)
			}
		}
	}
	if hits < fewest || made == 0 && !testing.Short() {
		t.Errorf("%d hits, %d events made", hits, made)
	}
}

// TestHowLongExportsAreCached: until the next event ends, until midnight, or for good.
func TestHowLongExportsAreCached(t *testing.T) {
	for target, want := range map[string]time.Duration{
		"/events/?ical=1": 10*time.Hour + 30*time.Minute, "/events/today/?ical=1": 11 * time.Hour, "/events/month/?ical=1": 11 * time.Hour,
		"/events/2026-12/?ical=1": 9*24*time.Hour + 11*time.Hour, "/events/2026-12-05/?ical=1": 1 << 62, "/event/dance/?ical=1": 1 << 62, "/?ical=1&event_ids=101": 1 << 62,
		"/events/list/?ical=1&eventDisplay=past": 10*time.Hour + 30*time.Minute, "/events/?ical=1&tribe-bar-date=tomorrow": time.Second,
	} {
		at := testNow
		s, _ := cachingSite(t, func(c *Config) { c.Now = func() time.Time { return at } })
		s.do(ask{target: target})
		for _, step := range []time.Duration{0, time.Second, time.Hour, 10 * time.Hour, 11*time.Hour - time.Second, 11 * time.Hour, 9 * 24 * time.Hour, 10 * 24 * time.Hour} {
			at = testNow.Add(step)
			hit := step < want
			if s.do(ask{target: target}); (s.seen.Cache == api.CacheHit) != hit {
				t.Errorf("%s after %s: %s", target, step, s.seen.Cache)
			}
			if !hit {
				break
			}
		}
	}
}

// TestPolylangCookie: an export from the cache sets the cookie for clients without it.
func TestPolylangCookie(t *testing.T) {
	s, _ := cachingLanguageSite(t, "polylang")
	const want = "pll_language=en; expires=Sun, 21 Nov 2027 12:00:00 GMT; Max-Age=31536000; path=/; secure; SameSite=Lax"
	for i, c := range []struct{ sent, cookie string }{{"", want}, {"pll_language=cs", want}, {"pll_language=en", ""}, {"", want}} {
		a := s.do(ask{target: "/en/events/?ical=1", header: http.Header{"Cookie": {c.sent}}})
		if got := a.header.Get("Set-Cookie"); got != c.cookie || (s.seen.Cache == api.CacheHit) != (i > 0) {
			t.Errorf("%q: %q, %s", c.sent, got, s.seen.Cache)
		}
	}
}

// TestExportSummary checks the routes of exports, and that the events of an export are valid for longer than
// the selection of events.
func TestExportSummary(t *testing.T) {
	s, _ := cachingLanguageSite(t, "")
	for target, route := range map[string]string{
		"/events/?ical=1": "ical", "/events/month/?ical=1": "ical", "/event/dance/?ical=1": "ical/event", "/event/dance/?ical=1&eventDisplay=list": "ical", "/?ical=1&event_ids=101": "ical",
	} {
		r := httptest.NewRequest(http.MethodGet, target, nil)
		r.RequestURI = target
		own := s.srv.Answer(httptest.NewRecorder(), r)
		got := own.Summary()
		own.Close()
		if got.Route != route || !got.Shared || got.Objects != (api.Validity{}) {
			t.Errorf("%s: route %q, shared %t, %+v", target, got.Route, got.Shared, got.Objects)
		}
	}
}
