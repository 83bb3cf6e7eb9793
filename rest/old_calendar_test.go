package rest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"calbridge/rest/api"
	"calbridge/rest/trait"
)

// calendarVersion returns a site with that version of The Events Calendar.
func calendarVersion(version string, compat api.Compat) func(*Config) {
	return func(c *Config) {
		c.Compat, c.Traits = compat, trait.SetOf(trait.Versions{trait.Calendar: version})
	}
}

// oldCalendarSite returns the test site with the protected venue 205 and organizer 304 at event
// 102, and event 101 behind a password.
func oldCalendarSite(t *testing.T, version string, compat api.Compat) *testSite {
	s := newTestSite(t, calendarVersion(version, compat))
	s.exec("DELETE FROM wp_postmeta WHERE post_id = 102 AND meta_key LIKE '%ID'")
	s.exec("INSERT INTO wp_posts (ID, post_type, post_status, post_title, post_name, post_password, post_author, post_content, post_excerpt, post_date, post_date_gmt, post_modified, post_modified_gmt)" +
		" SELECT 304, 'tribe_organizer', 'publish', 'Conspirators', 'conspirators', 'sesame', 1, '', '', post_date, post_date_gmt, post_modified, post_modified_gmt FROM wp_posts WHERE ID = 301")
	s.addMeta(304, "_OrganizerPhone", "777")
	s.addMeta(102, "_EventVenueID", "205")
	s.addMeta(102, "_EventOrganizerID", "304")
	s.exec("UPDATE wp_posts SET post_password = 'sesame' WHERE ID = 101")
	return s
}

// changes are values of a thing by the versions from which they hold, oldest first.
type changes [][2]string

func (c changes) at(version int, versions []string) string {
	value := ""
	for _, change := range c {
		for i, v := range versions {
			if v == change[0] && i <= version {
				value = change[1]
			}
		}
	}
	return value
}

// TestOldCalendars: what releases of the calendar answer, before and after each change, under
// exact and, where later releases closed a hole, under safe.
func TestOldCalendars(t *testing.T) {
	const all, read, none = "GET, DELETE, POST, PUT, PATCH", "GET", ""
	const same, newest = "same", "newest"
	const terms = "GET, POST, PUT, PATCH, DELETE"
	versions := []string{
		"6.0.13", "6.2.0", "6.3", "6.5", "6.5.0.1", "6.8.2", "6.8.2.1", "6.10.0", "6.10.1", "6.11", "6.15.2", "6.15.3", "6.15.16", "6.15.16.1",
		"6.15.18", "6.15.19", "6.17.0", "6.17.1", "6.17.2",
	}
	status := func(a answer) string { return fmt.Sprint(a.status, " ", a.json("code")) }
	allow := func(a answer) string { return a.header.Get("Allow") }
	value := func(path string) func(answer) string { return func(a answer) string { return a.json(path) } }
	has := func(path string) func(answer) string {
		return func(a answer) string { return fmt.Sprint(a.json(path) != "") }
	}
	cases := []struct {
		as, method, target string
		show               func(answer) string
		exact              changes
		safe               string // same as exact, or as the newest version; "" is not asked
	}{
		{"", "", "events/999", status, changes{{"6.0.13", "400 rest_invalid_param"}, {"6.17.2", "404 rest-event-not-found"}}, same},
		{"", "", "events/201", status, changes{{"6.0.13", "400 rest_invalid_param"}, {"6.17.2", "400 rest-invalid-event-id"}}, same},
		{"", "", "events/99999999999999999999", status, changes{{"6.0.13", "400 rest_invalid_param"}, {"6.17.2", "404 rest-event-not-found"}}, same},
		{"", "", "events/by-slug/none", status, changes{{"6.0.13", "400 rest_invalid_param"}}, same},
		{"edita", "", "events/999", allow, changes{{"6.0.13", all}, {"6.15.16.1", read}, {"6.17.2", all}}, ""},
		{"edita", http.MethodDelete, "events/999", status, changes{{"6.0.13", "400 rest_invalid_param"}, {"6.17.2", "404 rest-event-not-found"}}, same},
		{"", "", "events/101", status, changes{{"6.0.13", "200 "}, {"6.5.0.1", "403 event-password-protected"}}, newest},
		{"", http.MethodOptions, "events/101", has("endpoints.0.args.password"), changes{{"6.0.13", "false"}, {"6.5.0.1", "true"}}, newest},
		{"", "", "doc", has("paths./events/{id}.get.parameters.1"), changes{{"6.0.13", "false"}, {"6.5.0.1", "true"}}, newest},
		{"", "", "events?include=101&starts_after=2020-01-01", value("events.0.all_day"), changes{{"6.0.13", "false"}, {"6.8.2.1", none}}, newest},
		{"", "", "events/102", has("custom_fields"), changes{{"6.0.13", "false"}, {"6.10.1", "true"}}, same},
		{"", "", "events/102", value("organizer.0.phone"), changes{{"6.0.13", "777"}, {"6.15.3", none}}, newest},
		{"adela", "", "venues/205", value("show_map"), changes{{"6.0.13", "true"}, {"6.15.3", none}}, newest},
		{"", "", "organizers/by-slug/conspirators", value("phone"), changes{{"6.0.13", "777"}, {"6.15.3", none}}, newest},
		{"", "", "organizers/304", has("json_ld"), changes{{"6.0.13", "true"}, {"6.3", "false"}}, newest},
		{"", "", "categories/31", has("_links.wp:post_type.1"), changes{{"6.0.13", "false"}, {"6.11", "true"}}, same},
		{"karel", http.MethodHead, "events/102", allow, changes{{"6.0.13", all}, {"6.15.16.1", read}}, newest},
		{"karel", http.MethodPost, "venues/201", status, changes{{"6.0.13", "200 "}, {"6.15.16.1", "403 rest_forbidden"}}, newest},
		{"sona", http.MethodPost, "venues/201", status, changes{{"6.0.13", "403 rest_forbidden"}}, same},
		{"karel", "", "tags/41", allow, changes{{"6.0.13", terms}, {"6.15.19", read}}, newest},
		{"karel", "", "categories", allow, changes{{"6.0.13", "GET, POST"}, {"6.15.19", read}}, newest},
		{"sona", "", "categories/31", allow, changes{{"6.0.13", read}}, same},
	}
	for i := 0; i < len(versions); i += hostileStep {
		version := versions[i]
		sites := map[api.Compat]*testSite{}
		for _, level := range []api.Compat{api.Exact, api.Safe} {
			sites[level] = oldCalendarSite(t, version, level)
		}
		for _, c := range cases {
			want := map[api.Compat]string{api.Exact: c.exact.at(i, versions)}
			switch c.safe {
			case same:
				want[api.Safe] = want[api.Exact]
			case newest:
				want[api.Safe] = c.exact[len(c.exact)-1][1]
			}
			for level, want := range want {
				a := sites[level].do(ask{method: c.method, target: c.target, as: c.as})
				a.body = cmp.Or(a.body, "{}") // HEAD
				if got := c.show(a); got != want {
					t.Errorf("%s, %s, %s %s as %q: %s, want %s", version, level, c.method, c.target, c.as, got, want)
				}
			}
		}
	}
}

// TestOneVenue: before 6.2.0 the venue is the post whose number the first link is, whatever
// it is; a stored list is the number 1.
func TestOneVenue(t *testing.T) {
	for _, c := range []struct{ version, links, want string }{
		{"6.2.0", "201 202", "[201 202]"}, {"6.1.4", "201 202", "201"}, {"6.1.4", "402 201", "402"}, {"6.1.4", "999 201", "[]"}, {"6.1.4", "0 201", "[]"},
		{"6.1.4", "a:1:{i:0;i:201;}", "[]"}, {"6.2.0", "a:1:{i:0;i:201;}", "201"}, {"6.1.4", "", "[]"},
	} {
		s := newTestSite(t, calendarVersion(c.version, api.Exact))
		s.exec("DELETE FROM wp_postmeta WHERE post_id = 102 AND meta_key = '_EventVenueID'")
		for link := range strings.FieldsSeq(c.links) {
			s.addMeta(102, "_EventVenueID", link)
		}
		for _, target := range []string{"events/102", "events/by-slug/reading"} {
			a := s.get(target)
			got := a.json("venue.id")
			switch second := a.json("venue.1.id"); {
			case second != "":
				got = "[" + a.json("venue.0.id") + " " + second + "]"
			case got == "":
				got = "[]"
			}
			if got != c.want {
				t.Errorf("%s, %s, links %q: %s, want %s", c.version, target, c.links, got, c.want)
			}
		}
	}
	for version, want := range map[string]string{"6.1.4": "The venue's ID", "6.2.0": "The venue's IDs"} {
		profile := new(api.Profile)
		text := `{"languages": {"default": {"args": {"/events": {"POST": {"venue": "The venue's IDs"}}}}}}`
		if err := json.Unmarshal([]byte(text), profile); err != nil {
			t.Fatal(err)
		}
		s := newTestSite(t, calendarVersion(version, api.Exact), func(c *Config) { c.Profile = profile })
		if got := s.do(ask{method: http.MethodOptions, target: "events"}).json("endpoints.1.args.venue.description"); got != want {
			t.Errorf("%s: description %q, want %q", version, got, want)
		}
	}
}

// TestTrashOfOldCalendars: before 6.17.2 an event in the trash is like any other that is not
// published.
func TestTrashOfOldCalendars(t *testing.T) {
	for _, c := range []struct{ version, as, want string }{
		{"6.17.1", "adela", "200 "}, {"6.17.1", "karel", "403 event-not-accessible"}, {"6.17.1", "", "403 event-not-accessible"}, {"6.17.2", "adela", "403 event-no-longer-available"},
	} {
		for _, target := range []string{"events/111", "events/by-slug/plan__trashed"} {
			for _, level := range []api.Compat{api.Exact, api.Safe} {
				a := newTestSite(t, calendarVersion(c.version, level)).do(ask{target: target, as: c.as})
				if got := fmt.Sprint(a.status, " ", a.json("code")); got != c.want {
					t.Errorf("%s, %s, %s as %q: %s, want %s", c.version, level, target, c.as, got, c.want)
				}
			}
		}
	}
}

// TestFallbackDates: before 6.17.1 structured data shows the site's present time for a date
// that is missing or none.
func TestFallbackDates(t *testing.T) {
	for _, c := range []struct{ version, start, end, zone, wantStart, wantEnd string }{
		{"6.17.1", "", "nonsense", "", "2026-11-21T12:00:00+01:00", ""},
		{"6.17.0", "", "nonsense", "", "2026-11-21T13:00:00+01:00", "2026-11-21T13:00:00+01:00"},
		{"6.17.0", "", "2026-12-01 10:00:00", "America/New_York", "2026-11-21T13:00:00-05:00", "2026-12-01T10:00:00-05:00"},
	} {
		s := newTestSite(t, calendarVersion(c.version, api.Exact))
		for key, value := range map[string]string{"_EventStartDate": c.start, "_EventEndDate": c.end, "_EventTimezone": c.zone} {
			if value != "" {
				s.addMeta(114, key, value)
			}
		}
		a := s.get("events/114")
		if got := [2]string{a.json("json_ld.startDate"), a.json("json_ld.endDate")}; got != [2]string{c.wantStart, c.wantEnd} {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestFailedPasswordsOfOldCalendars: before 6.3 who fails to log in is a visitor.
func TestFailedPasswordsOfOldCalendars(t *testing.T) {
	for version, want := range map[string]int{"6.0.13": 200, "6.3": 401} {
		s := newTestSite(t, calendarVersion(version, api.Exact))
		for _, header := range []string{"Basic YWRlbGE6d3Jvbmc=", "Basic bm9ib2R5Ong="} { // adela:wrong, nobody:x
			a := s.do(ask{target: "events?per_page=1", header: http.Header{"Authorization": {header}}})
			if a.status != want || want == 200 && a.header.Get("Allow") != "GET" {
				t.Errorf("%s, %s: %d, Allow %q, want %d", version, header, a.status, a.header.Get("Allow"), want)
			}
		}
	}
}
