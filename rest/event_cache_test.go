package rest

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"calbridge/rest/api"
)

// cachedReads are sent to two servers, one of which caches rendered events.
var cachedReads = []ask{
	{target: "events?per_page=50&start_date=2000-01-01&end_date=2100-01-01"},
	{target: "events?per_page=3&page=2&start_date=2000-01-01&end_date=2100-01-01"},
	{target: "events?per_page=50&start_date=2000-01-01&end_date=2100-01-01", header: http.Header{"X-Forwarded-Proto": {"http"}}},
	{target: "events?per_page=50&start_date=2000-01-01&end_date=2100-01-01&password=sesame"},
	{target: "events?per_page=50&start_date=2000-01-01&end_date=2100-01-01", as: "adela"},
	{target: "events/101"}, {target: "events/103"}, {target: "events/105"}, {target: "events/113"}, {target: "events/101", as: "karel"},
	{target: "events/106?password=sesame"},
}

// TestCachedEvents changes random rows and the clock between reads: the server that
// caches rendered events answers byte for byte as the other.
func TestCachedEvents(t *testing.T) {
	now, steps := testNow, 150
	if testing.Short() { // for the race detector
		steps = 15
	}
	for _, compat := range []api.Compat{api.Exact, api.Safe} {
		t.Run(string(compat), func(t *testing.T) {
			s := newTestSite(t, func(c *Config) {
				c.Compat, c.RenderCache, c.Now = compat, 1<<20, func() time.Time { return now }
			})
			fresh := *s
			fresh.cfg.RenderCache = 0
			fresh.srv = New(s.DB, fresh.cfg)
			r := rand.New(rand.NewPCG(1, 2))
			for step := range steps {
				what := "nothing"
				if step > 0 && step%3 != 0 {
					what = changeSomething(s, r)
				}
				if step%40 == 39 {
					now = now.Add(37*time.Hour + time.Minute)
				}
				for _, read := range cachedReads {
					cached, want := s.do(read), fresh.do(read)
					if cached.status != want.status || cached.body != want.body {
						t.Fatalf("step %d, after %s: %s as %q\ncached %s\nfresh %s", step, what, read.target, read.as, cached.body, want.body)
					}
				}
			}
		})
	}
}

// changeSomething changes, adds or removes one row that events are made of.
func changeSomething(s *testSite, r *rand.Rand) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	posts := []string{"101", "102", "103", "104", "105", "106", "113", "114", "201", "202", "205", "301", "302", "401"}
	var statement string
	var args []any
	switch r.IntN(9) {
	case 0, 1, 2:
		column := pick("post_title", "post_content", "post_excerpt", "post_status", "post_password", "post_name", "post_date", "menu_order")
		values := map[string][]string{
			"post_title":   {"Dance", "Dance & -- more", "<b>x</b>"},
			"post_content": {"", "Plain :)", "<img class=\"wp-image-401\" src=\"a.jpg\">", "[gallery ids=\"401\"]", "[gallery]", "<!-- wp:paragraph -->\n<p>x</p>\n<!-- /wp:paragraph -->", "https://www.youtube.com/watch?v=x\n"},
			"post_excerpt": {"", "Short.", "<img class=\"wp-image-401\" src=\"b.jpg\">"},
			"post_status":  {"publish", "publish", "publish", "draft", "private"}, "post_password": {"", "", "", "sesame"},
			"post_name": {"a", "b"}, "post_date": {"2026-01-01 12:00:00", "2026-03-03 00:00:00", "0000-00-00 00:00:00"}, "menu_order": {"0", "-1"},
		}[column]
		statement, args = "UPDATE wp_posts SET "+column+" = ? WHERE ID = ?", []any{pick(values...), pick(posts...)}
	case 3, 4:
		statement, args = "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (?, ?, ?)",
			[]any{pick(posts...), pick("_EventVenueID", "_EventOrganizerID", "_thumbnail_id", "_EventCost", "_tribe_featured", "_VenueCity", "_wp_attachment_image_alt"),
				pick("201", "202", "205", "301", "302", "401", "9999", "a:2:{i:0;i:301;i:1;i:201;}", "x")}
	case 5:
		statement, args = "UPDATE wp_postmeta SET meta_value = ? WHERE meta_key = ? AND post_id = ?",
			[]any{pick("", "201", "tomorrow", "2026-12-24 18:00:00", "12", "Europe/Prague", "monday"),
				pick("_EventStartDate", "_EventEndDate", "_EventVenueID", "_EventTimezone", "_VenueCity", "_wp_attached_file", "_thumbnail_id"), pick(posts...)}
	case 6:
		statement, args = "DELETE FROM wp_postmeta WHERE meta_id = (SELECT MIN(meta_id) FROM wp_postmeta WHERE post_id = ? AND meta_key NOT LIKE '%Date%')", []any{pick(posts...)}
	case 7:
		statement, args = "UPDATE wp_term_taxonomy SET count = count + 1, parent = ? WHERE term_id = ?", []any{pick("0", "31"), pick("31", "32", "33", "34", "41", "42")}
	case 8:
		statement, args = "UPDATE wp_options SET option_value = ? WHERE option_name = ?", []any{pick("", "1", "G:i", "j. n. Y", "Europe/Prague", "/%postname%/"),
			pick("date_format", "use_smilies", "timezone_string", "permalink_structure")}
	}
	s.exec(statement, args...)
	return fmt.Sprint(statement, args)
}

// TestCachedEventDepends changes one thing at a time that an event shows but its own
// rows do not hold.
func TestCachedEventDepends(t *testing.T) {
	const picture = `UPDATE wp_posts SET post_content = '<img loading="eager" class="wp-image-401" width="1200" height="800" src="https://village.example/wp-content/uploads/2026/01/mill.jpg">' WHERE ID IN (101, 105)`
	for _, c := range []struct{ name, before, after, target string }{
		{"the file of its picture", "", "UPDATE wp_postmeta SET meta_value = 'other.jpg' WHERE meta_key = '_wp_attached_file'", "events/101"},
		{"the file of its venue's picture", "DELETE FROM wp_postmeta WHERE post_id = 101 AND meta_key = '_thumbnail_id'",
			"UPDATE wp_postmeta SET meta_value = 'other.jpg' WHERE meta_key = '_wp_attached_file'", "events/101"},
		{"a picture in its text", picture, "UPDATE wp_postmeta SET meta_value = '' WHERE meta_key = '_wp_attachment_metadata'", "events/105"},
		{"the texts before it", picture, "UPDATE wp_posts SET post_content = '' WHERE ID = 105", "events?per_page=50&start_date=2000-01-01&end_date=2100-01-01"},
		{"the clock, in a stored date", "UPDATE wp_postmeta SET meta_value = 'tomorrow' WHERE post_id = 105 AND meta_key = '_EventStartDate'", "", "events/105"},
		{"the clock, in a missing date", "DELETE FROM wp_postmeta WHERE post_id = 105 AND meta_key = '_EventEndDate'", "", "events/105"},
		{"the clock, in the format of dates", "UPDATE wp_options SET option_value = 'G:i' WHERE option_name = 'date_format'", "", "events/113"},
	} {
		t.Run(c.name, func(t *testing.T) {
			now := testNow
			s := newTestSite(t, func(cfg *Config) { cfg.RenderCache, cfg.Now = 1<<20, func() time.Time { return now } })
			fresh := *s
			fresh.cfg.RenderCache = 0
			fresh.srv = New(s.DB, fresh.cfg)
			if c.before != "" {
				s.exec(c.before)
			}
			before := s.get(c.target).body
			if c.after != "" {
				s.exec(c.after)
			} else {
				now = now.AddDate(0, 0, 40).Add(time.Hour)
			}
			cached, want := s.get(c.target).body, fresh.get(c.target).body
			if cached != want {
				t.Errorf("cached %s\nfresh  %s", cached, want)
			}
			if want == before {
				t.Error("the change does not show")
			}
		})
	}
}
