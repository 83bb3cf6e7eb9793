package rest

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"calbridge/rest/api"
	"calbridge/wpstore/invalidation"
)

// extended serves the routes of our own.
func extended(c *Config) { c.Compat, c.Extensions = api.Safe, true }

// unfolded returns the content lines of a feed, whose form it checks.
func unfolded(t testing.TB, body string) []string {
	t.Helper()
	if !strings.HasSuffix(body, "END:VCALENDAR\r\n") || !utf8.ValidString(body) {
		t.Fatalf("not a whole feed: %.200q", body)
	}
	name := regexp.MustCompile(`^[A-Z-]+[;:]`)
	var out []string
	var whole strings.Builder
	for line := range strings.SplitSeq(strings.TrimSuffix(body, "\r\n"), "\r\n") {
		if len(line) > 75 || strings.ContainsAny(line, "\r\n\x00\x7f") {
			t.Fatalf("a broken line: %q", line)
		}
		if folded, ok := strings.CutPrefix(line, " "); ok {
			whole.WriteString(folded)
			continue
		}
		if !name.MatchString(line) {
			t.Fatalf("no property: %q", line)
		}
		if whole.Len() > 0 {
			out = append(out, whole.String())
		}
		whole.Reset()
		whole.WriteString(line)
	}
	return append(out, whole.String())
}

// uids returns the ids of the events of a feed, the cancelled ones negative.
func uids(t testing.TB, body string) string {
	t.Helper()
	var out []string
	for _, line := range unfolded(t, body) {
		if _, id, ok := strings.Cut(line, "?id="); ok && strings.HasPrefix(line, "UID:") {
			out = append(out, id)
		}
		if line == "STATUS:CANCELLED" {
			out[len(out)-1] = "-" + out[len(out)-1]
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// TestFeedSelection checks that feeds have every event that matches the filters, for any client,
// and those in the trash that used to be visible to everyone.
func TestFeedSelection(t *testing.T) {
	s := newTestSite(t, extended)
	all := "-111 101 102 103 104 105 113"
	s.addMeta(111, "_wp_trash_meta_status", "publish")
	for target, want := range map[string]string{
		"events.ics":  all,
		"EVENTS.ics/": all,
		"events.ics?per_page=1&page=2&password=sesame": all,
		"events.ics?start_date=2026-12-01":             "-111 103 113",
		"events.ics?end_date=2026-11-01":               "105",
		"events.ics?starts_before=2026-11-20":          "104 105",
		"events.ics?include=101,105,106":               "101 105",
		"events/101.ics":                               "101",
		"events/111.ics":                               "-111",
	} {
		if res := s.get(target); res.status != http.StatusOK || uids(t, res.body) != want {
			t.Errorf("%s: %d: %s, want %s", target, res.status, uids(t, res.body), want)
		}
	}
	for path, filter := range map[string]string{
		"venues/201": "venue=201", "organizers/301": "organizer=301", "categories/31": "categories=31", "tags/41": "tags=41",
		"venues/by-slug/old-mill": "venue=201", "categories/by-slug/music": "categories=music",
	} {
		if got, want := uids(t, s.get(path+"/events.ics").body), uids(t, s.get("events.ics?"+filter).body); got == all || got == "" || got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	for target, want := range map[string]int{
		"events/106.ics": 403, "events/108.ics": 403, "events/201.ics": 400, "events/9.ics": 400, "venues/203/events.ics": 403, "venues/204/events.ics": 403,
		"venues/9/events.ics": 400, "venues/by-slug/nothing/events.ics": 400, "categories/9/events.ics": 400, "tags/by-slug/nothing/events.ics": 400,
		"events.ics?start_date=never": 400, "events.ics?venue=9": 400, "events/x.ics": 404, "venues/x/events.ics": 404, "events/101/events.ics": 404, "events.icsx": 404,
	} {
		if res := s.get(target); res.status != want {
			t.Errorf("%s: %d, want %d: %.200s", target, res.status, want, res.body)
		}
	}
	if res := s.do(ask{target: "events.ics", method: http.MethodPost}); res.status != http.StatusNotFound {
		t.Errorf("POST: %d", res.status)
	}
	if res := s.do(ask{target: "events.ics", as: "admin"}); uids(t, res.body) != all {
		t.Errorf("an administrator's: %s", uids(t, res.body))
	}
	if res := s.do(ask{target: "events.ics", header: http.Header{"Authorization": {"Basic d3Jvbmc6d3Jvbmc="}}}); uids(t, res.body) != all {
		t.Errorf("wrong credentials: %d", res.status)
	}
	// An event that leaves the trash, or was never visible, isn't cancelled.
	for before, want := range map[string]string{"private": "", "draft": "", "publish": "-111"} {
		s.exec("UPDATE wp_postmeta SET meta_value = ? WHERE meta_key = '_wp_trash_meta_status'", before)
		if got := uids(t, s.get("events.ics?include=111").body); got != want {
			t.Errorf("%s before: %q", before, got)
		}
	}
	if got := uids(t, s.get("events.ics?categories=31&include=111").body); got != "" {
		t.Errorf("a cancelled event of another category: %s", got)
	}
	s.exec("UPDATE wp_posts SET post_password = 'x' WHERE ID = 111")
	if got := uids(t, s.get("events.ics?include=111").body); got != "" {
		t.Errorf("a cancelled event with a password: %s", got)
	}
	if lines := unfolded(t, s.get("events.ics?include=111").body); !slices.Contains(lines, "BEGIN:VTIMEZONE") {
		t.Errorf("an empty feed has no component: %s", lines)
	}
}

// TestFeedSeam: under exact and without extensions there are no routes of our own; else the
// index and the OpenAPI document have them.
func TestFeedSeam(t *testing.T) {
	for _, change := range []func(*Config){func(c *Config) { c.Compat, c.Extensions = api.Exact, true }, func(c *Config) { c.Compat = api.Safe }} {
		s := newTestSite(t, change)
		for _, target := range []string{"events.ics", "events/101.ics", "events.jsonfeed", "venues/201/events.ics"} {
			if res := s.get(target); res.status != http.StatusNotFound || res.json("code") != "rest_no_route" || s.srv.Own(s.request(ask{target: target})) {
				t.Errorf("%s: %d %s", target, res.status, res.body)
			}
		}
		if strings.Contains(s.get("").body+s.get("doc").body, "events.ics") {
			t.Error("announced")
		}
	}
	s := newTestSite(t, extended)
	if res := s.get(""); res.json(`routes./calendar/events/v1/events\.ics._links.self.0.href`) == "" && !strings.Contains(res.body, `\/events\\.ics`) {
		t.Errorf("the index: %s", res.body)
	}
	doc := s.get("doc").body
	for _, want := range []string{`"\/events.ics"`, `"\/events\/{id}.ics"`, `"\/venues\/by-slug\/{slug}\/events.ics"`, `"\/events.jsonfeed"`, `"text\/calendar"`, `"application\/feed+json"`} {
		if !strings.Contains(doc, want) {
			t.Errorf("the OpenAPI document lacks %s", want)
		}
	}
	if res := s.do(ask{target: "events.ics", method: http.MethodOptions}); res.status != http.StatusOK || !strings.Contains(res.body, "starts_before") {
		t.Errorf("OPTIONS: %d %s", res.status, res.body)
	}
	for target, want := range map[string]bool{"events.ics": true, "/index.php?rest_route=/calendar/events/v1/events.ics": true, "events": false, "/other": false} {
		if s.srv.Own(s.request(ask{target: target})) != want {
			t.Errorf("%s is ours: %v", target, !want)
		}
	}
	for _, target := range []string{"events.ics?_envelope", "events.ics?_pretty&_fields=id", "events.ics?_jsonp=f"} {
		if res := s.get(target); res.header.Get("Content-Type") != "text/calendar; charset=utf-8" || uids(t, res.body) == "" {
			t.Errorf("%s: %s", target, res.body)
		}
	}
}

// TestFeedLanguages: a root and the parameter choose the language, of all feeds.
func TestFeedLanguages(t *testing.T) {
	for _, plugin := range []string{"wpml", "polylang"} {
		s := languageTestSite(t, plugin, extended)
		for language, want := range map[string]map[string]string{
			"cs": {"events.ics": "101 104", "categories/by-slug/music/events.ics": "101", "venues/201/events.ics": "101 104", "events/101.ics": "101"},
			"en": {"events.ics": "102 103", "categories/by-slug/talks/events.ics": "102", "venues/202/events.ics": "102", "events/102.ics": "102"},
			"de": {"events.ics": "", "events/102.ics": "102"},
		} {
			roots := []string{"/" + language + testBase + "/%s", testBase + "/%s?language_code=" + language}
			switch {
			case language != "cs":
			case plugin == "wpml":
				roots[0] = testBase + "/%s"
			default: // Polylang narrows nothing where no language is named
				roots = roots[1:]
			}
			for path, ids := range want {
				for _, root := range roots {
					target := fmt.Sprintf(root, path)
					a := s.get(target)
					if got := uids(t, a.body); got != ids {
						t.Errorf("%s %s: %s, want %s", plugin, target, got, ids)
					}
					if lines := unfolded(t, a.body); !slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, "SOURCE;VALUE=URI:https://village.example/") }) {
						t.Errorf("%s %s: no source: %s", plugin, target, lines[:12])
					}
				}
			}
			for _, root := range roots {
				if got := s.get(fmt.Sprintf(root, "events.jsonfeed")).json("language"); got != language {
					t.Errorf("%s "+root+": language %q, want %q", plugin, "events.jsonfeed", got, language)
				}
			}
		}
	}
}

// TestFeedCaching: a feed is cached, revalidated and compressed like other responses, and a change
// invalidates it. Without dates it doesn't depend on the time.
func TestFeedCaching(t *testing.T) {
	s, tracker := cachingSite(t, extended)
	for _, target := range []string{"events.ics", "venues/201/events.ics", "categories/31/events.ics", "events/101.ics", "events.jsonfeed"} {
		first := s.get(target)
		s.wantCache(target, api.CacheMiss)
		second := s.get(target)
		s.wantCache(target, api.CacheHit)
		etag := first.header.Get("ETag")
		if first.body != second.body || etag == "" || first.header.Get("Last-Modified") == "" {
			t.Errorf("%s: %v", target, first.header)
		}
		if res := s.do(ask{target: target, header: http.Header{"If-None-Match": {etag}}}); res.status != http.StatusNotModified {
			t.Errorf("%s: %d", target, res.status)
		}
		for _, coding := range []string{"gzip", "zstd"} {
			if res := s.do(ask{target: target, header: http.Header{"Accept-Encoding": {coding}}}); len(first.body) > 1200 && res.header.Get("Content-Encoding") != coding {
				t.Errorf("%s: %v", target, res.header)
			}
		}
	}
	s.exec("UPDATE wp_posts SET post_title = 'Another', post_modified_gmt = '2026-11-21 11:00:00' WHERE ID = 101")
	tracker.Invalidate(invalidation.Tag{Kind: invalidation.Post, ID: 101}, invalidation.Tag{Kind: invalidation.Posts})
	if res := s.get("events.ics"); !strings.Contains(res.body, "SUMMARY:Another\r\n") {
		t.Error("the old title")
	}
	s.wantCache("after a change", api.CacheMiss)
}

// manyEvents adds events of 1,000 bytes each.
func (s *testSite) manyEvents(n, text int) {
	s.t.Helper()
	content := strings.Repeat("Some words. ", text/12)
	for i := range n {
		id := int64(10_000 + i)
		day := time.Date(2026, 1, 1, 10, 0, 0, 0, time.UTC).Add(time.Duration(i) * time.Hour)
		s.addPost(api.Object("id", id, "title", fmt.Sprintf("Event %d", i), "name", fmt.Sprintf("event-%d", i), "content", content,
			"start", day.Format(api.MySQLTime), "end", day.Add(time.Hour).Format(api.MySQLTime), "zone", "Europe/Prague"))
	}
}

// TestStreamedFeed: a feed that is longer than the bound is streamed, compressed if the client
// likes, without an ETag, and each batch costs the same queries. One that fails breaks off.
func TestStreamedFeed(t *testing.T) {
	if testing.Short() {
		t.Skip("writes megabytes")
	}
	s := newTestSite(t, extended)
	s.manyEvents(300, 40_000)
	server := httptest.NewServer(s.srv)
	defer server.Close()
	for _, coding := range []string{"identity", "gzip"} {
		r, _ := http.NewRequest(http.MethodGet, server.URL+testBase+"/events.ics", nil)
		r.Header.Set("Accept-Encoding", coding)
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body := io.Reader(res.Body)
		if coding == "gzip" {
			if body, err = gzip.NewReader(res.Body); err != nil {
				t.Fatal(err)
			}
		}
		text, err := io.ReadAll(body)
		res.Body.Close()
		if err != nil || res.Header.Get("ETag") != "" || res.ContentLength >= 0 || res.Header.Get("Content-Type") != "text/calendar; charset=utf-8" {
			t.Errorf("%s: %v %v", coding, err, res.Header)
		}
		if n := len(strings.Fields(uids(t, string(text)))); n != 307 {
			t.Errorf("%s: %d events", coding, n)
		}
	}
	// The client leaves, or the database fails, in the middle.
	ctx, cancel := context.WithCancel(t.Context())
	r, _ := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+testBase+"/events.ics", nil)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := io.ReadAll(res.Body); err == nil {
		t.Error("a feed that broke off looks complete")
	}
	// An event that the stream leaves out is counted, although the response has begun.
	s.exec("UPDATE wp_postmeta SET meta_value = '0000-00-00 00:00:00' WHERE meta_key IN ('_EventEndDate', '_EventEndDateUTC') AND post_id = 10299")
	if left := s.get("events.ics"); s.seen.LeftOut != 1 || left.header.Get("Content-Length") != "" {
		t.Errorf("%d events left out, want 1: %v", s.seen.LeftOut, left.header)
	}
}

// TestHostileFeed: whatever is stored, the feed is one, and what can't be written is counted.
func TestHostileFeed(t *testing.T) {
	s := newTestSite(t, extended)
	hostile := "A\r\nBEGIN:VEVENT\rUID:1\nX\x00\x1b\u2028\u0085\u202e\u200f \"^n\" \\n ; , é\xc3"
	s.exec("UPDATE wp_posts SET post_title = ?, post_content = ? WHERE ID IN (101, 201, 301)", hostile, strings.Repeat("č"+hostile, 20_000))
	for _, key := range []string{"_VenueAddress", "_OrganizerEmail", "_VenueLat", "_EventURL"} {
		for _, id := range []int64{101, 201, 301} {
			s.addMeta(id, key, hostile)
		}
	}
	s.addMeta(202, "_VenueLat", "50.5")
	s.addMeta(202, "_VenueLng", "1e999")
	s.exec("UPDATE wp_terms SET name = ?", hostile)
	s.setOption("blogname", hostile)
	set := func(id int, key, value string) {
		s.exec("UPDATE wp_postmeta SET meta_value = ? WHERE post_id = ? AND meta_key = ?", value, id, key)
	}
	for id, dates := range map[int][2]string{102: {"0001-01-01 00:00:00", "0001-01-01 01:00:00"}, 103: {"9999-12-31 23:00:00", "9999-12-31 23:59:59"}, 105: {"0000-00-00 00:00:00", "0000-00-00 00:00:00"}} {
		for i, key := range []string{"_EventStartDate", "_EventEndDate"} {
			set(id, key, dates[i])
			set(id, key+"UTC", dates[i])
		}
	}
	set(104, "_EventEndDate", "9999-12-31 23:59:59")
	set(113, "_EventTimezone", "Mars/Olympus\r\nX:1")
	res := s.get("events.ics")
	if got := uids(t, res.body); got != "-111 101 102 103 113" || s.seen.LeftOut != 2 {
		t.Errorf("%s, %d left out", got, s.seen.LeftOut)
	}
	lines := unfolded(t, res.body)
	for _, want := range []string{"DTSTART:00010101T000000Z", "DTSTART:99991231T230000Z"} {
		if !slices.Contains(lines, want) {
			t.Errorf("no %s", want)
		}
	}
	if n := strings.Count(res.body, "\r\nBEGIN:VEVENT\r\n"); n != 5 {
		t.Errorf("%d events", n)
	}
	var feed struct{ Items []struct{ ID string } }
	if err := json.Unmarshal([]byte(s.get("events.jsonfeed").body), &feed); err != nil || len(feed.Items) != 4 {
		t.Errorf("JSON Feed: %v, %d items", err, len(feed.Items))
	}
}
