package rest

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"calbridge/rest/api"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/wptest"
)

// readAgain are the anonymous reads whose response is built again a second later although no row has
// changed: by route, or by route and argument. statements limits what that costs.
var readAgain = map[string]struct {
	statements int
	reason     string
}{
	"":                              {0, "its date of today has a time"},
	"events include":                {0, "it is compared with the default dates, which have a time"},
	"events strict_dates":           {0, "the default dates have a time"},
	"venues only_with_upcoming":     {2, "events are compared with the present"},
	"organizers only_with_upcoming": {2, "events are compared with the present"},
	"events/changes":                {0, "changes are those since a token"},
	"events/changes categories":     {1, "changes are those since a token, and terms are looked up"},
	"events/changes tags":           {1, "changes are those since a token, and terms are looked up"},
	"events/changes venue":          {1, "changes are those since a token, and rights to venues are checked"},
	"events/changes organizer":      {1, "changes are those since a token, and rights to organizers are checked"},
	"events/changes post_parent":    {1, "changes are those since a token, and the parent is looked up"},
}

// personalStatements limits the statements of a repeated read by a user. Responses to users are not
// cached, because they depend on the user's role and posts. Options, users, events and their venues
// come from memory.
const personalStatements = 5

// followedSite returns a site on the embedded engine with all caches of the program and the index of
// events. Each request first catches up with the changed rows. now is its clock.
func followedSite(t *testing.T, now *time.Time) *changesSite {
	t.Helper()
	s := embeddedChangesSite(t, sqlconn.Config{}, true)
	s.cfg.CatchUp, s.cfg.Settle, s.cfg.SiteRefresh = s.rows.catchUp, s.index.Refresh, time.Hour
	s.cfg.Now, s.cfg.CacheBytes, s.cfg.Observe = func() time.Time { return *now }, 64<<20, func(o *api.Observation) { s.seen = o }
	s.renew()
	wptest.AwaitRows(t, s.index)
	return s
}

// repeatedRead is a read of a route with at most one argument.
type repeatedRead struct {
	path, argument, target string
}

// reads returns reads of every route, of things that exist and that don't. Each argument has values
// that are valid, find nothing or are refused.
func (s *testSite) reads() (all []repeatedRead) {
	s.t.Helper()
	live, err := s.srv.sites.get(s.t.Context(), s.DB.Session(nil), false)
	if err != nil {
		s.t.Fatal(err)
	}
	items := map[string]string{"events": "101", "venues": "201", "organizers": "301", "categories": "31", "tags": "41"}
	values := argumentValues()
	for _, route := range live.tables[0].Routes {
		endpoint := route.Endpoint(http.MethodGet)
		path := strings.TrimPrefix(route.Template, "/")
		if endpoint == nil || strings.HasSuffix(path, "/stream") { // a stream has no end
			continue
		}
		collection, _, _ := strings.Cut(path, "/")
		paths := []string{path}
		if at := strings.IndexByte(path, '{'); at >= 0 {
			before, after := path[:at], path[strings.IndexByte(path, '}')+1:]
			paths = []string{before + items[collection] + after, before + "99999" + after}
			if strings.Contains(path, "{slug}") {
				paths = []string{before + "dance" + after, before + "missing" + after}
			}
		}
		for _, path := range paths {
			all = append(all, repeatedRead{path: path, target: path})
			for _, arg := range endpoint.Args {
				for _, value := range slices.Concat(values[arg.Name], []string{"1", "101", "dance", "nothing like that", "2027-01-01", "99", "true", ""}) {
					all = append(all, repeatedRead{path, arg.Name, path + "?" + url.Values{arg.Name: {value}}.Encode()})
				}
			}
		}
	}
	return all
}

// TestRepeatedReads asks every route that reads, with each of its arguments. The second request makes
// no statement, and its response comes from the cache. So do those a second later, and those of users
// make few statements, except for what readAgain and personalStatements allow.
func TestRepeatedReads(t *testing.T) {
	oneAtATime(t)
	now := testNow
	s := followedSite(t, &now)
	used := map[string]bool{}
	reads := s.reads()
	for _, r := range reads {
		key := r.path
		if _, ok := readAgain[r.path+" "+r.argument]; ok {
			key = r.path + " " + r.argument
		}
		known, again := readAgain[key]
		first := s.get(r.target)
		second := s.get(r.target)
		cached := s.seen.Cache == api.CacheHit && s.seen.Queries == 0 && first.status == second.status && first.body == second.body
		if polls := r.path == "events/changes"; !cached && !(polls && s.seen.Queries <= known.statements) {
			t.Errorf("%s: %s, %d statements, %d", r.target, s.seen.Cache, s.seen.Queries, second.status)
		}
		now = now.Add(time.Second)
		later := s.get(r.target)
		switch {
		case s.seen.Cache == api.CacheHit && s.seen.Queries == 0 && later.body == second.body:
		case again && s.seen.Queries <= known.statements:
			used[key] = true
		default:
			t.Errorf("%s: %s, %d statements, %d after a second", r.target, s.seen.Cache, s.seen.Queries, later.status)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(readAgain)) {
		if !used[key] {
			t.Errorf("%q is cached: it is not an exception", key)
		}
	}
	most := 0
	for _, r := range reads {
		s.do(ask{target: r.target, as: "edita"})
		s.do(ask{target: r.target, as: "edita"})
		if most = max(most, s.seen.Queries); s.seen.Queries > personalStatements {
			t.Errorf("%s as a user: %d statements", r.target, s.seen.Queries)
		}
	}
	t.Logf("%d reads; at most %d statements for a user", len(reads), most)
}

// TestRepeatedReadsFollowChanges changes one row after another by SQL. Every read then has the response
// of a server without caches, and some responses have changed.
func TestRepeatedReadsFollowChanges(t *testing.T) {
	oneAtATime(t)
	now := testNow
	s := followedSite(t, &now)
	uncached := *s.testSite
	uncached.cfg.Caching = Caching{}
	uncached.srv = New(s.DB, uncached.cfg)
	t.Cleanup(uncached.srv.Close)
	var targets []string
	for i, target := range s.readTargets() {
		if i%3 == 0 && !strings.HasPrefix(target, "events/changes") { // its tokens are positions
			targets = append(targets, target)
		}
	}
	last := map[string]string{}
	for _, target := range targets {
		last[target] = s.get(target).body
	}
	for _, change := range []struct{ name, statement string }{
		{"title of an event", "UPDATE wp_posts SET post_title = 'Mill of a' WHERE ID = 101"},
		{"date of an event", "UPDATE wp_tec_occurrences SET start_date = '2027-05-01 10:00:00', start_date_utc = '2027-05-01 08:00:00', end_date = '2027-06-02 10:00:00', end_date_utc = '2027-06-02 08:00:00' WHERE post_id = 102"},
		{"an event is hidden", "UPDATE wp_posts SET post_status = 'draft' WHERE ID = 113"},
		{"link to a venue", "DELETE FROM wp_postmeta WHERE post_id = 101 AND meta_key = '_EventVenueID'"},
		{"title of a venue", "UPDATE wp_posts SET post_title = 'A mill' WHERE ID = 202"},
		{"a missing venue", "UPDATE wp_posts SET ID = 99999 WHERE ID = 205"},
		{"name of a category", "UPDATE wp_terms SET name = 'A mill' WHERE term_id = 31"},
		{"category of an event", "DELETE FROM wp_term_relationships WHERE object_id = 103 AND term_taxonomy_id = 534"},
		{"an event is deleted", "DELETE FROM wp_posts WHERE ID = 102"},
		{"page size", "UPDATE wp_options SET option_value = '1' WHERE option_name = 'posts_per_page'"},
	} {
		s.exec(change.statement)
		different := 0
		for _, target := range targets {
			got, want := s.get(target), uncached.get(target)
			if got.status != want.status || got.body != want.body {
				t.Errorf("%s: %s\nhas  %d %s\nwant %d %s", change.name, target, got.status, got.body, want.status, want.body)
			}
			if got.body != last[target] {
				different++
			}
			last[target] = got.body
		}
		if different == 0 {
			t.Errorf("%s changes no response", change.name)
		}
	}
}
