package rest

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"calbridge/rest/api"
	"calbridge/wpstore/invalidation"
)

// unreadableSite returns the test site with links to posts that few may read: event 101 to the
// draft venue 203, the private venue 204 and the pending organizer 303 of Karel, event 109, a
// private one, to the venue 202 alone.
func unreadableSite(t *testing.T, compat api.Compat, changes ...func(*Config)) *testSite {
	s := newTestSite(t, append(changes, withOrganizerBox(t), func(c *Config) { c.Compat = compat })...)
	s.exec("DELETE FROM wp_postmeta WHERE meta_value = '202' OR post_id = 109 AND meta_key LIKE '%VenueID'")
	for _, m := range []struct {
		post       int64
		key, value string
	}{
		{101, "_EventVenueID", "203"}, {101, "_EventVenueID", "204"}, {101, "_EventOrganizerID", "303"}, {109, "_EventVenueID", "202"},
		{204, "_VenueAddress", "Church Street 7"}, {205, "_VenuePhone", "777 123"}, {303, "_OrganizerEmail", "newcomers@example.org"},
	} {
		s.addMeta(m.post, m.key, m.value)
	}
	s.exec("UPDATE wp_posts SET post_content = ? WHERE ID = 102", `<!-- wp:tribe/event-organizer {"organizer":303} /-->`)
	return s
}

// withOrganizerBox returns a profile with which blocks of organizers are rendered.
func withOrganizerBox(t testing.TB) func(*Config) {
	profile := new(api.Profile)
	if err := json.Unmarshal([]byte(`{"languages": {"default": {"blocks": {"tribe/event-organizer#box": "<div><h3></h3></div>"}}}}`), profile); err != nil {
		t.Fatal(err)
	}
	return func(c *Config) { c.Profile = profile }
}

// unreadableLevels is what a request to unreadableSite finds under exact, as the reference
// does, and under safe.
type unreadableLevels struct{ as, target, exact, safe string }

// byLevel asks sites of both levels.
func byLevel(t *testing.T, cases []unreadableLevels, show func(target string, a answer) string) {
	t.Helper()
	exact, safe := unreadableSite(t, api.Exact), unreadableSite(t, api.Safe)
	for _, c := range cases {
		c.check(t, exact, safe, show)
	}
}

// check asks both sites; show makes a text of the response.
func (c *unreadableLevels) check(t *testing.T, exact, safe *testSite, show func(target string, a answer) string) {
	t.Helper()
	for s, want := range map[*testSite]string{exact: c.exact, safe: c.safe} {
		if got := show(c.target, s.do(ask{target: c.target, as: c.as})); got != want {
			t.Errorf("%s, %q, %s: %s, want %s", s.cfg.Compat, c.as, c.target, got, want)
		}
	}
}

// found returns the ids of a list and its total.
func found(target string, a answer) string {
	list, _, _ := strings.Cut(target, "?")
	return a.ids(list) + " of " + a.json("total")
}

// TestSearchOfUnreadablePosts: a search of venues and organizers looks into what the client
// may read. If nothing of that matches, the total is the one without a search, as in the
// reference, whatever else matches.
func TestSearchOfUnreadablePosts(t *testing.T) {
	byLevel(t, []unreadableLevels{
		{"", "organizers?search=newcomers@example", " of 0", " of 2"}, // pending
		{"", "organizers?search=newcomerx@example", " of 2", " of 2"},
		{"sona", "organizers?search=newcomers@example", " of 0", " of 2"},
		{"karel", "organizers?search=newcomers@example", "303 of 1", "303 of 1"}, // his own
		{"edita", "organizers?search=newcomers@example", "303 of 1", "303 of 1"},
		{"", "venues?search=777+123", "205 of 1", " of 3"}, // protected
		{"", "venues?search=778+123", " of 3", " of 3"},
		{"", "venues?search=777+123&password=sesame", "205 of 1", "205 of 1"},
		{"", "venues?search=777+123&password=SESAME", "205 of 1", " of 3"},
		{"edita", "venues?search=777+123&status=publish", "205 of 1", " of 3"},
		{"edita", "venues?search=777+123&status=publish&context=edit", "205 of 1", "205 of 1"},
		{"karel", "venues?search=777+123&status=publish&context=edit", "205 of 1", " of 3"},
		{"", "venues?search=lane", "201 of 1", "201 of 1"},
		{"", "events?search=secret&password=Sesame", " of 0", " of 0"},
	}, found)
}

// TestLinksToUnreadablePosts: an event shows the venues and organizers that the client may
// read by itself, in its fields, in structured data and in blocks of its text, and a filter
// finds events by these alone.
func TestLinksToUnreadablePosts(t *testing.T) {
	byLevel(t, []unreadableLevels{
		{"", "events?venue=204", "101 of 1", " of 0"},
		{"edita", "events?venue=204", "101 of 1", "101 of 1"},
		{"", "events?organizer=303,302", "101 102 of 2", "101 102 of 2"},
		{"", "events?organizer=303", "101 of 1", " of 0"},
	}, found)
	linked := func(_ string, a answer) string {
		var out []string
		// "venue.id" of a list is its first member, an object.
		for _, path := range []string{"venue.id", "venue.0.id", "venue.1.id", "venue.2.id", "organizer.0.id", "organizer.1.id", "organizer.2.id"} {
			if id := a.json(path); id != "" && !strings.HasPrefix(id, "{") {
				out = append(out, id)
			}
		}
		for _, told := range []string{"Church Street", "newcomers@", "Newcomers"} {
			if strings.Contains(a.body, told) {
				out = append(out, told)
			}
		}
		return strings.Join(out, " ")
	}
	const all = "201 203 204 301 302 303 Church Street newcomers@ Newcomers"
	byLevel(t, []unreadableLevels{
		{"", "events/101", all, "201 301 302"},
		{"sona", "events/101", all, "201 301 302"},
		{"karel", "events/101", all, "201 301 302 303 newcomers@ Newcomers"},
		{"alois", "events/101", all, "201 203 301 302"},
		{"edita", "events/101", all, all},
	}, linked)
	s := unreadableSite(t, api.Safe)
	s.exec("UPDATE wp_posts SET post_status = 'private' WHERE ID IN (201, 301)")
	for path, want := range map[string]string{"json_ld.location": "false", "json_ld.organizer": "false", "venue": "[]", "organizer.0.id": "302"} {
		if got := s.get("events/101").json(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	if got := s.get("events/101").header.Get("Last-Modified"); got != "Sun, 01 Mar 2026 08:00:00 GMT" {
		t.Errorf("last modified %s", got)
	}
}

// TestOrganizerBlockOfUnreadableOrganizer: a block in an event's text shows an organizer whom
// the client may read.
func TestOrganizerBlockOfUnreadableOrganizer(t *testing.T) {
	named := func(_ string, a answer) string {
		if strings.Contains(a.json("description"), "Newcomers") {
			return "named"
		}
		return ""
	}
	byLevel(t, []unreadableLevels{
		{"", "events/102", "named", ""}, {"alois", "events/102", "named", ""}, {"karel", "events/102", "named", "named"}, {"edita", "events/102", "named", "named"},
	}, named)
}

// TestTranslationsOfUnreadablePosts: a post that the client can't read leads to no translation,
// and one that is a translation of a readable post does not hide that.
func TestTranslationsOfUnreadablePosts(t *testing.T) {
	const english = "/en" + testBase + "/"
	for _, plugin := range []string{"wpml", "polylang"} {
		safe := languageTestSite(t, plugin, compat(api.Safe))
		sites := map[*testSite]bool{safe: true}
		if plugin == "wpml" { // S8: under exact Polylang has no roots
			sites[languageTestSite(t, plugin, compat(api.Exact))] = false
		}
		for s, isSafe := range sites {
			// Event 101 links to the venue 201 and is a translation of 102, which links to 202.
			s.exec("UPDATE wp_posts SET post_status = 'draft' WHERE ID = 201")
			s.exec("UPDATE wp_posts SET post_password = 'sesame' WHERE ID = 101")
			for _, c := range []struct{ as, target, path, exact, safe string }{
				{"", english + "events?include=101&" + wide, "events.0.id", "102", ""},
				{"", english + "events?include=101&password=sesame&" + wide, "events.0.id", "102", "102"},
				{"edita", english + "events?include=101&context=edit&" + wide, "events.0.id", "102", "102"},
				{"", english + "events/101?password=sesame", "venue.id", "202", ""},
				{"edita", english + "events/101?password=sesame", "venue.id", "202", "202"},
				{"", english + "events/102", "venue.id", "202", "202"},
				{"", english + "venues?event=101&password=sesame", "venues.0.id", "202", ""},
				{"edita", english + "venues?event=101&password=sesame&status=publish", "venues.0.id", "202", "202"},
				{"", "events/102?language_code=cs", "venue.id", "201", "202"},
				{"edita", "events/102?language_code=cs", "venue.id", "201", "201"},
			} {
				want := c.exact
				if isSafe {
					want = c.safe
				}
				if got := s.do(ask{as: c.as, target: c.target}).json(c.path); got != want {
					t.Errorf("%s, safe: %v, %q, %s: %q, want %q", plugin, isSafe, c.as, c.target, got, want)
				}
			}
		}
	}
}

// TestUnreadableEventsCountForNothing: neither for venues and organizers, nor for terms.
func TestUnreadableEventsCountForNothing(t *testing.T) {
	exact, safe := unreadableSite(t, api.Exact), unreadableSite(t, api.Safe)
	for _, s := range []*testSite{exact, safe} {
		s.insert("term_relationships", row{"object_id": 109, "term_taxonomy_id": 535})
		s.insert("term_relationships", row{"object_id": 106, "term_taxonomy_id": 541})
	}
	for _, c := range []unreadableLevels{
		{"", "venues?event=109", "202 of 1", " of 0"}, // private
		{"alois", "venues?event=109&status=publish", "202 of 1", " of 0"},
		{"edita", "venues?event=109&status=publish", "202 of 1", "202 of 1"},
		{"", "venues?event=106", "201 of 1", " of 0"}, // protected
		{"", "venues?event=106&password=sesame", "201 of 1", "201 of 1"},
		{"", "venues?has_events=1", "205 202 201 of 3", "205 201 of 2"},
		{"", "venues?has_events=0", " of 0", "202 of 1"},
		{"edita", "venues?has_events=1&status=publish", "205 202 201 of 3", "205 202 201 of 3"},
		{"", "categories?event=109", "35 of 1", " of 0"},
		{"", "categories?post=109", "35 of 1", " of 0"},
		{"edita", "categories?event=109", "35 of 1", "35 of 1"},
		{"", "tags?event=106", "41 of 1", " of 0"},
		{"", "tags?event=106&password=sesame", "41 of 1", "41 of 1"},
	} {
		c.check(t, exact, safe, found)
	}
}

// TestUpcomingOfUnreadableEvents: only_with_upcoming counts the events that the user's list of
// events shows: an editor's also those that are not published, nobody's without the password.
func TestUpcomingOfUnreadableEvents(t *testing.T) {
	exact, safe := unreadableSite(t, api.Exact), unreadableSite(t, api.Safe)
	for _, s := range []*testSite{exact, safe} {
		s.exec("DELETE FROM wp_postmeta WHERE meta_key = '_EventVenueID' AND post_id NOT IN (106, 109)")
		s.addMeta(110, "_EventVenueID", "205") // pending, of Karel
	}
	for _, c := range []unreadableLevels{
		{"", "venues?only_with_upcoming=1", "201 of 1", " of 0"},
		{"", "venues?only_with_upcoming=1&password=sesame", "201 of 1", "201 of 1"},
		{"edita", "venues?only_with_upcoming=1&status=publish", "205 202 201 of 3", "205 202 of 2"},
		{"karel", "venues?only_with_upcoming=1&status=publish", "205 202 201 of 3", "205 of 1"},
		{"alois", "venues?only_with_upcoming=1&status=publish", "205 202 201 of 3", " of 0"},
		{"sona", "venues?only_with_upcoming=1", "201 of 1", " of 0"},
	} {
		c.check(t, exact, safe, found)
	}
}

// TestHiddenLinksAreInvalidated checks that a cached response is built again when what it leaves
// out becomes readable, and the other way round.
func TestHiddenLinksAreInvalidated(t *testing.T) {
	tracker := invalidation.NewTracker()
	tracker.Resume(true)
	s := unreadableSite(t, api.Safe, func(c *Config) { c.Tracker, c.CacheBytes, c.SiteRefresh = tracker, 32<<20, time.Hour })
	s.CacheRows(tracker, 32<<20)
	for _, c := range []struct {
		statement, target, path string
		tag                     int64
		before, after           string
	}{
		{"UPDATE wp_posts SET post_status = 'publish' WHERE ID = 204", "events/101", "venue.1.id", 204, "", "204"},
		{"UPDATE wp_posts SET post_status = 'draft' WHERE ID = 301", "events/101", "json_ld.organizer", 301, "", "false"},
		{"UPDATE wp_posts SET post_status = 'publish' WHERE ID = 303", "events?organizer=303", "total", 303, "0", "1"},
		{"UPDATE wp_posts SET post_status = 'publish' WHERE ID = 109", "venues?event=109", "total", 109, "0", "1"},
		{"UPDATE wp_posts SET post_password = '' WHERE ID = 106", "venues?event=106", "total", 106, "0", "1"},
		{"UPDATE wp_posts SET post_password = '' WHERE ID = 205", "venues?search=777", "total", 205, "4", "1"},
	} {
		first := s.get(c.target)
		if got := first.json(c.path); c.before != "" && got != c.before || c.before == "" && got == c.after {
			t.Errorf("%s: %s is %q", c.target, c.path, got)
		}
		s.exec(c.statement)
		if again := s.get(c.target); again.body != first.body || s.seen.Cache != api.CacheHit {
			t.Errorf("%s is not cached: %s", c.target, s.seen.Cache)
		}
		tracker.Invalidate(invalidation.Tag{Kind: invalidation.Post, ID: c.tag}, invalidation.Tag{Kind: invalidation.Posts}, invalidation.Tag{Kind: invalidation.Events})
		if got := s.get(c.target).json(c.path); got != c.after {
			t.Errorf("%s: %s is %q, want %q", c.target, c.path, got, c.after)
		}
	}
}
