package rest

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"calbridge/rest/api"
)

// exportedIDs returns the events of an export in order.
func exportedIDs(body string) string {
	var ids []string
	for _, uid := range regexp.MustCompile(`(?m)^UID:(\d+)-`).FindAllStringSubmatch(body, -1) {
		ids = append(ids, uid[1])
	}
	return strings.Join(ids, " ")
}

// TestExports: pages of the calendar are exported where the request asks for it; all others
// are not ours.
func TestExports(t *testing.T) {
	s := newTestSite(t)
	for target, want := range map[string]string{
		"/events/?ical=1": "calendar", "/?ical=1": "calendar", "/events/ical/": "calendar", "/events/category/music/?ical=1": "calendar",
		"/event/dance/?ical=1": "calendar", "/events/": "404 not REST", "/event/dance/": "404 not REST", "/shop/?ical=1": "404 not REST",
	} {
		a := s.do(ask{method: "GET", target: target})
		got := "another"
		if a.status == 404 && a.header.Get("Content-Type") == "text/plain; charset=utf-8" {
			got = "404 not REST"
		}
		if strings.HasPrefix(a.body, "BEGIN:VCALENDAR\r\n") && a.header.Get("Content-Type") == "text/calendar; charset=UTF-8" {
			got = "calendar"
		}
		if got != want {
			t.Errorf("%s: %s, want %s", target, got, want)
		}
	}
	one := s.do(ask{method: "GET", target: "/event/dance/?ical=1"})
	if n := strings.Count(one.body, "BEGIN:VEVENT"); n != 1 {
		t.Errorf("%d events", n)
	}
	if head := s.do(ask{method: "HEAD", target: "/event/dance/?ical=1"}); head.body != "" || head.status != 200 {
		t.Errorf("HEAD: %d %q", head.status, head.body)
	}
}

// TestExportedEvents: what each page exports on a site of our own.
func TestExportedEvents(t *testing.T) {
	const upcoming = "104 101 102 103 113 106"
	s := newTestSite(t)
	for target, want := range map[string]string{
		"/?ical=1": upcoming, "/events/?ical=1": upcoming, "/events/list/?outlook-ical": upcoming, "/events/ical/": upcoming,
		"/?post_type=tribe_events&ical=1&eventDisplay=list": upcoming,
		// views and dates
		"/events/month/?ical=1": "104 101 102", "/events/2026-11/?ical=1": "104 101 102", "/events/2026-12/?ical=1": "104 103 113", "/events/month/2027-01/?ical=1": "106",
		"/events/2026-12-05/?ical=1": "104 103", "/events/2026-12-06/ical/": "104 103", "/events/today/?ical=1": "104 101",
		"/events/list/?ical=1&eventDisplay=past": "105", "/events/?ical=1&eventDisplay=latest-past": "105", "/events/?ical=1&tribe-bar-date=2027-01-01": "106", "/events/?ical=1&eventDisplay=month&eventDate=2026-12": "104 103 113",
		"/events/2026-10/?ical=1": "105",
		// pages
		"/events/list/page/2/?ical=1&posts_per_page=2": "102 103 113 106", "/events/?ical=1&page=3&posts_per_page=2": "113 106", "/events/list/page/2/?ical=1": "",
		// filters
		"/events/category/music/?ical=1": "101 103", "/events/category/music/jazz/?ical=1": "103", "/events/?ical=1&tribe_events_cat=talks,jazz": "102 103",
		"/events/category/music/list/?ical=1&eventDisplay=past": "105", "/events/?ical=1&tribe_events_cat[]=33": "102", "/events/category/nothing/?ical=1": "",
		"/tag/outdoors/?ical=1": "104 101", "/events/tag/primestske/?ical=1": "102", "/events/tag/outdoors/2026-12/?ical=1": "104",
		"/events/?ical=1&s=market": "104", "/events/?ical=1&tribe-bar-search=fairy": "102", "/events/featured/?ical=1": "101", "/events/?ical=1&featured=on": "101",
		// pages of posts
		"/event/jazz-evening/?ical=1": "103", "/event/past-fair/?ical=1": "105", "/event/hidden/?ical=1": "107", "/?tribe_events=locked&ical=1": "106",
		"/event/jazz-evening/ical/": upcoming, "/event/jazz-evening/?outlook-ical=1": upcoming, "/event/nothing/?ical=1": upcoming, "/event/council/?ical=1": upcoming,
		"/venue/old-mill/?ical=1": upcoming, "/organizer/friends/?ical=1": upcoming,
		// by number
		"/?ical=1&event_ids=103,105,103": "103 105 103", "/?ical=1&event_ids[]=107": "107", "/?ical=1&event_ids=108,109,111": "", "/?ical=1&event_ids=": "",
	} {
		a := s.do(ask{target: target})
		if got := exportedIDs(a.body); got != want || want != "" && a.status != 200 {
			t.Errorf("%s: %d, %s, want %s", target, a.status, got, want)
		}
		if want == "" && (a.body != "" || !strings.HasPrefix(a.header.Get("Content-Type"), "text/html")) {
			t.Errorf("%s: %d %v %q", target, a.status, a.header, a.body)
		}
	}
	for target, want := range map[string]string{
		"/events?ical=1": "/events/?ical=1", "/event/dance?ical=1": "/event/dance/?ical=1", "/?p=101&ical=1": "/event/dance/?ical=1",
		"/?tribe_events_cat=bebop&ical=1&post_type=tribe_events": "/events/category/music/jazz/bebop/?ical=1&post_type=tribe_events", "/event/jazz-eve/?ical=1": "/event/jazz-evening/?ical=1",
		"/events/list/?ical=1&paged=2": "/events/list/page/2/?ical=1",
	} {
		a := s.do(ask{target: target})
		if got := a.header.Get("Location"); a.status != 301 || got != "https://village.example"+want || a.body != "" {
			t.Errorf("%s: %d to %q", target, a.status, got)
		}
	}
	// The second page of an event is missing before WordPress leads to the event.
	for target, missing := range map[string]bool{"/event/dance/2/?ical=1": true, "/event/dance/?ical=1&page=2": true, "/event/dance?ical=1": false} {
		a := s.do(ask{target: target})
		stored := a.header.Get("Expires") == "" && !strings.Contains(a.header.Get("Cache-Control"), "no-store")
		if a.status != 301 || a.header.Get("Location") != "https://village.example/event/dance/?ical=1" || stored == missing {
			t.Errorf("%s: %d %v", target, a.status, a.header)
		}
	}
}

// TestSameSlugInExports: of several events with one slug the page is that of the latest published
// one with dates, even if that is a draft. The interface takes the oldest.
func TestSameSlugInExports(t *testing.T) {
	for _, c := range []struct {
		name, change, want string
	}{
		{"older than the other", "UPDATE wp_posts SET post_date = '2026-03-02 10:00:00' WHERE ID = 101", "103"},
		{"the latest", "UPDATE wp_posts SET post_date = '2026-03-03 10:00:00' WHERE ID = 101", "101"},
		{"the latest has no dates", "DELETE FROM wp_tec_occurrences WHERE post_id = 103", "101"},
		{"the latest is private", "UPDATE wp_posts SET post_status = 'private' WHERE ID = 103", "default"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newTestSite(t)
			s.exec("UPDATE wp_posts SET post_name = 'dance', post_date = '2026-03-02 12:00:00' WHERE ID = 103")
			s.exec(c.change)
			got := exportedIDs(s.do(ask{target: "/event/dance/?ical=1"}).body)
			if strings.Contains(got, " ") {
				got = "default"
			}
			if got != c.want {
				t.Errorf("exports %s, want %s", got, c.want)
			}
			if id := s.get("events/by-slug/dance").json("id"); id != "101" {
				t.Errorf("by-slug: %s", id)
			}
		})
	}
}

// TestPlainPermalinksInExports: WordPress leads from the id of an event to its address unless the
// query names the type too.
func TestPlainPermalinksInExports(t *testing.T) {
	s := newTestSite(t)
	s.setOption("permalink_structure", "")
	for target, want := range map[string]string{
		"/?p=101&ical=1":                        "/?tribe_events=dance&ical=1",
		"/?outlook-ical=1&p=101":                "/?tribe_events=dance&outlook-ical=1",
		"/?p=101&post_type=tribe_events&ical=1": "",
		"/?tribe_events=dance&ical=1":           "",
		"/?p=999&ical=1":                        "",
	} {
		a := s.do(ask{target: target})
		if got := strings.TrimPrefix(a.header.Get("Location"), "https://village.example"); got != want || (a.status == 301) != (want != "") {
			t.Errorf("%s: %d to %q, want %q", target, a.status, got, want)
		}
	}
}

// TestPostDatesInExports: PHP reads dates of posts that don't exist too.
func TestPostDatesInExports(t *testing.T) {
	for stored, want := range map[string]string{
		"2026-10-01 10:00:00": "20261001T080000Z",
		"0000-00-00 00:00:00": "-00011129T230216Z",
		"2026-02-30 10:00:00": "20260302T090000Z",
		"2026-00-10 00:00:00": "20251209T230000Z",
		"2026-03-29 02:30:00": "20260329T013000Z", // in no zone with summer time
		"":                    "20261121T120000Z",
		"soon":                "20261121T120000Z",
	} {
		t.Run(stored, func(t *testing.T) {
			s := newTestSite(t)
			s.exec("UPDATE wp_posts SET post_date = ?, post_modified = ? WHERE ID = 101", stored, stored)
			body := s.do(ask{target: "/event/dance/?ical=1"}).body
			for _, line := range []string{"DTSTAMP:", "CREATED:", "LAST-MODIFIED:"} {
				if _, got, _ := strings.Cut(body, "\r\n"+line); !strings.HasPrefix(got, want+"\r\n") {
					t.Errorf("%s%.20s, want %s", line, got, want)
				}
			}
		})
	}
}

// TestExportsInLanguages: each language root exports the events of its language.
func TestExportsInLanguages(t *testing.T) {
	for _, name := range []string{"wpml", "polylang"} {
		s := languageTestSite(t, name)
		for target, want := range map[string]string{
			"/events/?ical=1": "104 101", "/en/events/?ical=1": "102 103", "/de/events/?ical=1": "", "/en/?ical=1": "102 103", "/en/events/2026-12/?ical=1": "103",
			"/en/events/month/?outlook-ical=1": "102", "/en/events/category/talks/?ical=1": "102", "/events/category/music/?ical=1": "101", "/en/event/reading/?ical=1": "102",
			"/en/events/tag/primestske/?ical=1": "102", "/en/events/?ical=1&s=jazz": "103", "/en/events/list/page/2/?ical=1&posts_per_page=1": "103",
			"/en/venue/library/?ical=1": "102 103", "/de/?ical=1&event_ids=101": "101",
		} {
			a := s.do(ask{target: target})
			if got := exportedIDs(a.body); got != want {
				t.Errorf("%s %s: %d, %s, want %s", name, target, a.status, got, want)
			}
			if cookie := a.header.Get("Set-Cookie"); strings.HasPrefix(cookie, "pll_language=") != (name == "polylang") {
				t.Errorf("%s %s: cookie %q", name, target, cookie)
			}
		}
	}
}

// TestExportsForUsers: a login cookie alone makes an export a user's.
func TestExportsForUsers(t *testing.T) {
	s := newTestSite(t)
	s.addSession(2, testNow.AddDate(0, 0, 1))
	s.addSession(5, testNow.AddDate(0, 0, 1))
	for login, want := range map[string]string{"edita": "104 101 102 103 113 106 109", "sona": "104 101 102 103 113 106"} {
		a := s.do(ask{target: "/events/?ical=1", header: http.Header{"Cookie": {loginCookie(login, testNow.AddDate(0, 0, 1))}}})
		if got := exportedIDs(a.body); got != want || a.header.Get("Cache-Control") == "" {
			t.Errorf("%s: %s %v", login, got, a.header)
		}
	}
}

// TestClosedPlacesInExports: what a visitor can't read shows in no export, except under
// exact.
func TestClosedPlacesInExports(t *testing.T) {
	for _, level := range []api.Compat{api.Exact, api.Safe, api.Fixed} {
		s := newTestSite(t, func(c *Config) { c.Compat = level })
		s.exec("UPDATE wp_postmeta SET meta_value = '204' WHERE post_id = 101 AND meta_key = '_EventVenueID'") // a private venue
		s.exec("UPDATE wp_postmeta SET meta_value = '303' WHERE post_id = 101 AND meta_key = '_EventOrganizerID'")
		s.addMeta(303, "_OrganizerEmail", "new@comers.example")
		body := s.do(ask{target: "/?ical=1&event_ids=101,103"}).body
		for _, secret := range []string{"Mayor", "new@comers.example", "Hidden", "Secret garden"} {
			if shown := strings.Contains(body, secret); shown != (level == api.Exact) {
				t.Errorf("%s: %s shown: %v", level, secret, shown)
			}
		}
	}
}

// TestFixedExports: under fixed an export is one that RFC 5545 allows.
func TestFixedExports(t *testing.T) {
	s := newTestSite(t, func(c *Config) { c.Compat = api.Fixed })
	s.exec("UPDATE wp_posts SET post_title = 'Dance; or sit, if you like' WHERE ID = 101")
	s.exec("UPDATE wp_postmeta SET meta_value = '1' WHERE post_id = 104 AND meta_key = '_EventAllDay'")
	body := s.do(ask{target: "/events/?ical=1"}).body
	for _, want := range []string{`SUMMARY:Dance\; or sit\, if you like`, "DTSTART;VALUE=DATE:20261120\r\nDTEND;VALUE=DATE:20261224", "END:VCALENDAR\r\n"} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %s", want, body)
		}
	}
	for line := range strings.SplitSeq(body, "\r\n") {
		if len(line) > 75 {
			t.Errorf("%d octets: %s", len(line), line)
		}
	}
}

// TestExportsElsewhere checks which responses report that only WordPress has the page. Sent
// nevertheless, they are a 404.
func TestExportsElsewhere(t *testing.T) {
	s := newTestSite(t)
	for _, method := range []string{"GET", "HEAD", "POST"} {
		for target, want := range map[string]bool{
			"/venue/nothing/?ical=1": true, "/about/?ical=1": true, "/?p=402&ical=1": true, "/?ical=1&event_ids=9999": true, "/events/feed/?ical=1": true, "/about/ical/": true,
			"/events/": false, "/events/?ical=1": false, "/about/": false,
		} {
			t.Run(method+" "+target, func(t *testing.T) {
				w := httptest.NewRecorder()
				a := s.srv.Answer(w, s.request(ask{method: method, target: target}))
				defer a.Close()
				if a.Elsewhere() != want {
					t.Errorf("elsewhere: %t, want %t", a.Elsewhere(), want)
				}
				if a.Send(w); want && w.Code != http.StatusNotFound {
					t.Errorf("sent: %d %v", w.Code, w.Header())
				}
			})
		}
	}
	t.Run("a request with a body", func(t *testing.T) {
		r := s.request(ask{method: "POST", target: "/about/?ical=1", body: "a=b", contentType: "application/x-www-form-urlencoded"})
		r.ContentLength = 3
		a := s.srv.Answer(nil, r)
		defer a.Close()
		if a.Elsewhere() {
			t.Error("it can't be passed on, since its body may have been read")
		}
	})
}

// TestExportQueries: the number of statements of an export does not depend on how many
// events it has, nor on how many there are.
func TestExportQueries(t *testing.T) {
	sizes := []int{1, 10, 29}
	sites := make([]*testSite, len(sizes))
	for i, n := range sizes {
		sites[i] = manyEvents(t, n, true)
		sites[i].do(ask{target: "/events/?ical=1"})
	}
	for target, limit := range map[string]int{
		"/events/?ical=1": 16, "/events/2027-01/?ical=1": 16, "/events/category/t6000/?ical=1": 16, "/tag/t6001/?ical=1": 16, "/event/event1000/?ical=1": 16,
		"/?ical=1&event_ids=1000,1001": 12, "/events/?ical=1&s=event": 16, "/events/list/?ical=1&eventDisplay=past&tribe-bar-date=2028-01-01": 16,
	} {
		var counts []int
		for i, n := range sizes {
			a := sites[i].do(ask{target: target})
			if a.status != 200 || !strings.HasPrefix(a.body, "BEGIN:VCALENDAR") {
				t.Errorf("%s of %d: %d", target, n, a.status)
			}
			counts = append(counts, sites[i].seen.Queries)
		}
		if counts[1] > limit || counts[2] > counts[1] {
			t.Errorf("%s: %v statements for %v events, at most %d", target, counts, sizes, limit)
		}
	}
}

// TestHostileExports: no request costs many statements or fails.
func TestHostileExports(t *testing.T) {
	s := newTestSite(t, func(c *Config) { c.Compat = api.Safe })
	s.exec("UPDATE wp_terms SET name = ? WHERE term_id = 31", "Music\r\nATTENDEE:mailto:x@y.example&#10;X-A:b")
	s.exec("UPDATE wp_postmeta SET meta_value = ? WHERE meta_key = '_OrganizerEmail'", "a@b.example\r\nX-B:c")
	long := strings.Repeat("a,", 5000)
	for _, target := range []string{
		"/?ical=1&event_ids=" + strings.Repeat("101,", 999), "/?ical=1&event_ids=" + strings.Repeat("101,", 5000), "/?ical=1&event_ids[][]=1", "/?ical[a][b][c]=1",
		"/events/?ical=1&tribe_events_cat=" + long, "/events/?ical=1&tag=" + long, "/events/?ical=1&s=" + strings.Repeat("b+", 3000), "/events/?ical=1&s[]=x", "/events/?ical=1&s=%00%27%22%5C%25_",
		"/events/?ical=1&page=9223372036854775807&posts_per_page=-9223372036854775808", "/events/?ical=1&tribe-bar-date=99999999999999999999-01", "/events/?ical=1&tribe-bar-date=-9999-12-31",
		"/events/category/" + strings.Repeat("x/", 1000) + "?ical=1", "/event/%2e%2e%2f%00/?ical=1", "/event/" + strings.Repeat("%C3%A9", 2000) + "/?ical=1", "/events/9999-99-99/?ical=1",
		"/events/" + strings.Repeat("ical/", 500), "/events/?ical=1&view_data[bar-date][x]=1&view_data[bar-keyword][]=2", "/events/?ical=1&eventDate=%F0%9F%98%80", "/?p=99999999999999999999&ical=1",
		"/events/?ical=1&tribe_events_cat[a][b]=1", "/tag/%25/?ical=1", "/events/tag/a,b+c/?ical=1", "/events/?ical=1" + strings.Repeat("&x[]=1", 3000),
	} {
		a := s.do(ask{target: target})
		if a.status >= 500 || s.seen.Queries > 25 {
			t.Errorf("%.80s: %d, %d statements", target, a.status, s.seen.Queries)
		}
		if !strings.HasPrefix(a.body, "BEGIN:VCALENDAR") {
			continue
		}
		for line := range strings.SplitSeq(a.body, "\r\n") {
			if strings.HasPrefix(line, "ATTENDEE") || strings.HasPrefix(line, "X-A") || strings.HasPrefix(line, "X-B") || strings.Contains(line, "\n") {
				t.Errorf("%.80s: %s", target, line)
			}
		}
	}
}

// TestExportsInSiteMode: where the site shows all events on its own clock, a manual offset
// from UTC is fixed, though its zone has the name of a city.
func TestExportsInSiteMode(t *testing.T) {
	s := newTestSite(t)
	s.setOption("timezone_string", "")
	s.setOption("gmt_offset", "2")
	s.setCalendarOptions("latest_ecp_version", "6.17.2", "tribe_events_timezone_mode", "site")
	s.exec("UPDATE wp_postmeta SET meta_value = 'Europe/London' WHERE post_id = 105 AND meta_key = '_EventTimezone'") // 8:00 in UTC
	body := s.do(ask{target: "/?ical=1&event_ids=105,103"}).body
	for _, want := range []string{"DTSTART;TZID=Europe/Helsinki:20261001T100000\r\n", "DTSTART;TZID=Europe/Helsinki:20261206T030000\r\n"} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %s", want, body)
		}
	}
}
