package rest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/php"
)

// manyEvents adds n upcoming events, each with a venue, two organizers, terms and
// pictures of its own, and a content that refers to further rows when rich.
// prepare is done before the site is first looked at.
func manyEvents(t *testing.T, n int, rich bool, prepare ...func(*testSite)) *testSite {
	return manyEventsUnder(t, api.Exact, n, rich, prepare...)
}

// manyEventsUnder returns manyEvents at a level, with the routes of our own, which exact lacks.
func manyEventsUnder(t *testing.T, compat api.Compat, n int, rich bool, prepare ...func(*testSite)) *testSite {
	s := newTestSite(t, func(c *Config) { c.SiteRefresh, c.Compat, c.Extensions = time.Hour, compat, true })
	s.exec("DELETE FROM wp_tec_occurrences")
	s.exec("DELETE FROM wp_posts WHERE post_type IN ('tribe_venue', 'tribe_organizer')")
	s.exec("DELETE FROM wp_term_taxonomy WHERE term_id <> 31")
	add := func(id int, kind, name, content string) {
		s.insert("posts", row{"ID": id, "post_type": kind, "post_status": "publish", "post_author": 1, "post_title": name, "post_name": fmt.Sprint(name, id),
			"post_content": content, "post_date": "2026-01-01 00:00:00", "post_mime_type": "image/jpeg"})
	}
	for i := range n + 1 {
		event, venue, organizer, image, block := 1000+i, 2000+i, 3000+2*i, 4000+i, 5000+i
		content := "Plain."
		if rich {
			content = fmt.Sprintf("<img class=\"wp-image-%d\" src=\"a.jpg\">\n\n[gallery ids=\"%d\"]\n\n<!-- wp:block {\"ref\":%d} /-->\n\nhttps://www.youtube.com/watch?v=x%d\n", image, image, block, i)
		}
		add(event, "tribe_events", "event", content)
		add(venue, "tribe_venue", "venue", content)
		add(organizer, "tribe_organizer", "organizer", content)
		add(organizer+1, "tribe_organizer", "organizer", content)
		add(image, "attachment", "image", "")
		add(block, "wp_block", "block", fmt.Sprintf("<!-- wp:image {\"id\":%d} --><img class=\"wp-image-%d\"/><!-- /wp:image -->", image, image))
		s.exec("UPDATE wp_posts SET post_parent = ? WHERE ID = ?", event, image)
		s.addMeta(int64(image), "_wp_attached_file", fmt.Sprint(image, ".jpg"))
		s.addDates(int64(event), fmt.Sprintf("2027-01-%02d 10:00:00", 1+i%28), fmt.Sprintf("2027-01-%02d 12:00:00", 1+i%28), "Europe/Prague")
		for key, v := range map[string]int{"_EventVenueID": venue, "_EventOrganizerID": organizer, "_thumbnail_id": image, "_EventCost": i} {
			s.addMeta(int64(event), key, fmt.Sprint(v))
		}
		s.addMeta(int64(event), "_EventOrganizerID", fmt.Sprint(organizer+1))
		s.addMeta(int64(venue), "_thumbnail_id", fmt.Sprint(image))
		for taxonomy, parent := range map[string]int64{"tribe_events_cat": 31, "post_tag": 0} {
			term := &php.Array{}
			id := int64(6000 + 2*i)
			if parent == 0 {
				id++
			}
			for name, v := range map[string]php.Value{"id": id, "taxonomy": taxonomy, "name": fmt.Sprint("t", id), "slug": fmt.Sprint("t", id), "parent": parent, "count": int64(1)} {
				term.SetString(name, v)
			}
			s.addTerm(term)
			s.insert("term_relationships", row{"object_id": event, "term_taxonomy_id": id + 500})
		}
	}
	for _, prepare := range prepare {
		prepare(s)
	}
	s.srv.login = s.srv.newLogin(invalidation.Aging{Now: time.Now})
	s.get("") // reads the options, which later requests take from the cache
	return s
}

// queryLimits are the statements that a request of each route may take, with the
// site's options cached: of an anonymous client, of a contributor with an
// application password who was not cached, and where contents refer to pictures, galleries, reusable
// blocks and embeds.
var queryLimits = []struct {
	target                string
	anonymous, user, rich int
}{
	{"", 0, 1, 0},
	{"doc", 0, 1, 0},
	{"events?per_page=%d", 6, 7, 10},
	{"events?per_page=50&categories=31&tags=t6001&venue=2000&organizer=3000&search=event&featured=0", 11, 12, 15},
	{"events/1000", 5, 7, 9},
	{"events/by-slug/event1000", 6, 8, 10},
	{"venues?per_page=%d", 6, 7, 8},
	{"venues?per_page=50&search=venue&event=1000&has_events=1&only_with_upcoming=1", 10, 11, 12},
	{"venues/2000", 5, 7, 7},
	{"venues/by-slug/venue2000", 5, 7, 7},
	{"organizers?per_page=%d", 4, 5, 8},
	{"organizers/3000", 3, 5, 7},
	{"organizers/by-slug/organizer3000", 3, 5, 7},
	{"categories?per_page=%d&orderby=id&order=desc", 3, 4, 3},
	{"categories/6000", 3, 4, 3},
	{"tags?per_page=%d", 2, 3, 2},
	{"tags/6001", 2, 3, 2},
}

// TestQueriesPerRequest: the number of statements does not depend on how many
// events, venues, organizers, terms and pictures a response holds, nor on the level.
func TestQueriesPerRequest(t *testing.T) {
	for _, compat := range []api.Compat{api.Exact, api.Safe} {
		t.Run(string(compat), func(t *testing.T) { queriesPerRequest(t, compat) })
	}
}

func queriesPerRequest(t *testing.T, compat api.Compat) {
	sizes := []int{1, 10, 50}
	plain, rich := make([]*testSite, len(sizes)), make([]*testSite, len(sizes))
	for i, n := range sizes {
		plain[i], rich[i] = manyEventsUnder(t, compat, n, false), manyEventsUnder(t, compat, n, true)
	}
	for _, l := range queryLimits {
		for _, c := range []struct {
			name  string
			as    string
			sites []*testSite
			limit int
		}{{"anonymous", "", plain, l.anonymous}, {"contributor", "karel", plain, l.user}, {"rich contents", "", rich, l.rich}} {
			for i, s := range c.sites {
				target := l.target
				if strings.Contains(target, "%d") {
					target = fmt.Sprintf(target, sizes[i]) // a full page, whose total takes a statement
				}
				a := s.do(ask{target: target, as: c.as})
				if a.status != 200 {
					t.Fatalf("%s: %.300s", l.target, a.body)
				}
				if got := s.seen.Queries; got != c.limit {
					t.Errorf("/%s, %s, %d events: %d queries, want %d", l.target, c.name, sizes[i], got, c.limit)
				}
			}
		}
		t.Logf("%3d anonymous %3d user %3d rich  /%s", l.anonymous, l.user, l.rich, l.target)
	}
}

// TestRefreshOfOptions checks that reading the options again costs a fixed number of queries too.
func TestRefreshOfOptions(t *testing.T) {
	s := newTestSite(t)
	s.get("")
	if got := s.seen.Queries; got != 2 {
		t.Errorf("%d queries", got)
	}
}

// allInEnglish files all that manyEvents makes under English, with a plugin that is
// in use.
func allInEnglish(plugin i18n.Plugin) func(*testSite) {
	const posts, terms = "post_type IN ('tribe_events', 'tribe_venue', 'tribe_organizer')", "taxonomy IN ('tribe_events_cat', 'post_tag')"
	return func(s *testSite) {
		switch plugin {
		case i18n.WPML:
			s.useWPML()
			s.exec("INSERT INTO wp_icl_translations (element_type, element_id, trid, language_code) SELECT 'post_' || post_type, ID, ID, 'en' FROM wp_posts WHERE " + posts)
			s.exec("INSERT INTO wp_icl_translations (element_type, element_id, trid, language_code) SELECT 'tax_' || taxonomy, term_taxonomy_id, 1000000 + term_taxonomy_id, 'en' FROM wp_term_taxonomy WHERE " + terms)
		case i18n.Polylang:
			english := s.usePolylang()["en"] + 500
			s.exec("INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) SELECT ID, ? FROM wp_posts WHERE "+posts, english)
			s.exec("INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) SELECT term_id, ? FROM wp_term_taxonomy WHERE "+terms, english+5)
		}
	}
}

// TestQueriesOfLanguages: what a language costs, however it is asked for, is one
// statement at most, and none for each event. One case takes two: ids of events to
// be translated, and then the links of what they lead to. Except under exact, another one
// reads which of these ids, and of their translations, the client may read.
func TestQueriesOfLanguages(t *testing.T) {
	const n = 10
	mono := manyEvents(t, n, false)
	cost := func(s *testSite, target string) int {
		a := s.get(target)
		if a.status != http.StatusOK || !strings.Contains(a.body, `"id":`) {
			t.Fatalf("%s: %.300s", target, a.body)
		}
		return s.seen.Queries
	}
	for _, site := range []struct {
		plugin i18n.Plugin
		level  api.Compat
		ways   []string // %s is the target
	}{
		{i18n.WPML, api.Exact, []string{"/en%s", "%s&lang=en", "%s&language_code=en", "/de%s&language_code=en"}},
		{i18n.WPML, api.Fixed, []string{"/en%s", "%s&language_code=en", "/de%s&language_code=en"}},
		{i18n.Polylang, api.Exact, []string{"%s", "%s&lang=en"}},
		{i18n.Polylang, api.Safe, []string{"/en%s", "%s&language_code=en"}},
	} {
		s := manyEvents(t, n, false, func(s *testSite) { s.srv.cfg.Compat = site.level }, allInEnglish(site.plugin))
		for _, c := range []struct {
			target      string
			exact, safe int
		}{
			{"events?per_page=5", 1, 1},
			{"events?per_page=5&page=2", 1, 1},
			{"events?per_page=5&include=1000,1001,1002", 2, 3},
			{"events?per_page=5&categories=31", 1, 1},
			{"events?per_page=5&categories=t6000,t6002&tags=t6001", 1, 1},
			{"events?per_page=5&categories=31&tags=t6001&venue=2000&organizer=3000&search=event&featured=0", 1, 1},
			{"events/1000?x", 1, 1},
			{"events/by-slug/event1000?x", 1, 1},
			{"venues?per_page=5", 0, 0},
			{"organizers?per_page=5&page=2", 0, 0},
			{"venues?per_page=5&has_events=1&search=venue", 1, 2},
			{"venues/2000?x", 0, 0},
			{"organizers?search=organizer", 1, 2},
			{"organizers/by-slug/organizer3000?x", 0, 0},
			{"categories?per_page=5", 1, 1},
			{"categories?include=31,6000&parent=31", 1, 1},
			{"categories?slug=t6000", 1, 1},
			{"categories?event=1000", 1, 1},
			{"categories/6000?x", 1, 1},
			{"tags?per_page=5", 1, 1},
			{"tags?event=1000", 1, 1},
			{"tags/6001?x", 1, 1},
		} {
			base, more := cost(mono, c.target), c.exact
			if site.level != api.Exact {
				more = c.safe
			}
			for _, way := range site.ways {
				target := fmt.Sprintf(way, testBase+"/"+c.target)
				if got := cost(s, target); got > base+more {
					t.Errorf("%s %s: %d queries, without languages %d", site.plugin, target, got, base)
				}
			}
		}
	}
}

// TestQueriesOfFeeds: a feed costs the same number of statements whatever the number of its
// events, and another number for each further hundred.
func TestQueriesOfFeeds(t *testing.T) {
	sizes := []int{1, 10, 98, 230} // and one event more
	if testing.Short() {
		sizes = sizes[:3]
	}
	sites := make([]*testSite, len(sizes))
	for i, n := range sizes {
		sites[i] = manyEventsUnder(t, api.Safe, n, true)
	}
	for _, c := range []struct {
		target          string
		first, furthers int
	}{
		{"events.ics", 12, 9},
		{"events.jsonfeed", 12, 9},
		{"events.ics?categories=31&search=event&start_date=2020-01-01&end_date=2030-01-01", 14, 9},
		{"categories/31/events.ics", 15, 9},
		{"tags/6001/events.ics", 14, 0},
		{"venues/2000/events.ics", 14, 0},
		{"organizers/by-slug/organizer3000/events.ics", 14, 0},
		{"events/1000.ics", 13, 0},
	} {
		for i, s := range sites {
			a := s.get(c.target)
			if a.status != http.StatusOK || !strings.Contains(a.body, "event") {
				t.Fatalf("%s: %d %.300s", c.target, a.status, a.body)
			}
			want := c.first
			if sizes[i] > 100 {
				want += 2 * c.furthers
			}
			if got := s.seen.Queries; got != want {
				t.Errorf("%s of %d events: %d statements, want %d", c.target, sizes[i]+1, got, want)
			}
		}
	}
}
