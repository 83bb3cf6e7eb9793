package rest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/wprest"
	"calbridge/wpstore/php"
)

// sensible says of a response that it is one: a status that a client can do
// something with, and a body that is what its type says.
func sensible(t testing.TB, what string, a answer) {
	t.Helper()
	if a.status >= 500 {
		t.Errorf("%.120q: status %d: %.300s", what, a.status, a.body)
	}
	if strings.HasPrefix(a.header.Get("Content-Type"), "application/json") && a.body != "" && !json.Valid([]byte(a.body)) {
		t.Errorf("%.120q: broken JSON: %.300q", what, a.body)
	}
}

// everyRoute lists a target for each route.
var everyRoute = []string{
	"", "doc", "events", "events/101", "events/by-slug/dance", "venues", "venues/201", "venues/by-slug/old-mill",
	"organizers", "organizers/301", "organizers/by-slug/friends", "categories", "categories/34", "tags", "tags/41",
}

func TestPanicsAreAnswered(t *testing.T) {
	s := newTestSite(t)
	for _, rt := range s.exchange("").req.Table.Routes {
		for i := range rt.Endpoints {
			rt.Endpoints[i].Handle = func(context.Context, *wprest.Request) (*api.Result, error) { panic("on purpose") }
		}
	}
	for _, target := range everyRoute {
		a := s.get(target)
		if a.outcome() != "500 calbridge_internal" || !s.seen.Panicked || strings.Contains(a.body, "purpose") {
			t.Errorf("%s: %s %s", target, a.outcome(), a.body)
		}
		if head := s.do(ask{method: "HEAD", target: target}); head.status != 500 || head.body != "" {
			t.Errorf("HEAD %s: %d %q", target, head.status, head.body)
		}
	}
}

// TestNoTimeLeft: no statement can be run at all.
func TestNoTimeLeft(t *testing.T) {
	for _, refresh := range []time.Duration{0, time.Hour} {
		s := newTestSite(t, func(c *Config) { c.SiteRefresh = refresh })
		s.get("")
		s.srv.cfg.RequestTimeout = -1
		for _, target := range everyRoute {
			a := s.get(target)
			if refresh > 0 && (target == "" || target == "doc") {
				if a.status != 200 {
					t.Errorf("/%s needs no database: %s", target, a.outcome())
				}
				continue
			}
			if a.outcome() != "503 calbridge_unavailable" || a.header.Get("Retry-After") == "" || a.json("data.status") != "503" {
				t.Errorf("/%s: %s %v %s", target, a.outcome(), a.header, a.body)
			}
			if s.seen.Err == nil || strings.Contains(a.body, "sql") {
				t.Errorf("/%s: the cause belongs into the log only: %v, %s", target, s.seen.Err, a.body)
			}
		}
	}
}

// TestImpatientClient: who has gone is not waited for, and is no failure of ours.
func TestImpatientClient(t *testing.T) {
	s := newTestSite(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.DB.Session(nil).Options.SiteFacts(ctx)
	if e := publicError(ctx, err); e.Status != api.StatusClientGone {
		t.Errorf("%d %v", e.Status, err)
	}
	if e := publicError(t.Context(), err); e.Status != http.StatusServiceUnavailable {
		t.Errorf("%d %v of a client that waits", e.Status, err)
	}
	if e := publicError(ctx, errors.New("a fault")); e.Status != http.StatusInternalServerError {
		t.Errorf("a fault met by a client that has gone is %d", e.Status)
	}
	req := s.request(ask{target: "events"}).WithContext(ctx)
	w := httptest.NewRecorder()
	s.srv.ServeHTTP(w, req)
	if s.seen.Status != api.StatusClientGone || s.seen.Code != "calbridge_client_gone" {
		t.Errorf("observed as %d %s", s.seen.Status, s.seen.Code)
	}
}

// TestBrokenOptions: options that cannot be read count as missing.
func TestBrokenOptions(t *testing.T) {
	broken := []string{"", "a:1:{", `a:1:{s:5:"pos`, "O:8:\"stdClass\":1:{s:1:\"a\";O:1:\"X\":0:{}}", "b:1;", "i:5;", "N;", "\xff\xfe", strings.Repeat("a:1:{i:0;", 5000), `s:3:"abc";`, "a:99999999999:{}"}
	for _, option := range []string{
		"tribe_events_calendar_options", "wp_user_roles", "tec_ct1_migration_state", "active_plugins", "permalink_structure", "timezone_string", "gmt_offset",
		"date_format", "posts_per_page", "blog_charset", "db_version", "home", "siteurl", "WPLANG", "tag_base", "upload_path", "upload_url_path", "use_smilies",
	} {
		s := newTestSite(t)
		for i := 0; i < len(broken); i += hostileStep {
			v := broken[i]
			s.setOption(option, v)
			for _, target := range []string{"", "doc", "events", "events/101", "venues", "organizers/by-slug/friends", "categories/34", "tags"} {
				sensible(t, fmt.Sprintf("%s with %s = %.20q", target, option, v), s.get("/?rest_route="+testBase[len("/wp-json"):]+"/"+target))
			}
			sensible(t, "as a user", s.do(ask{target: "events/101", as: "karel"}))
		}
	}
}

// TestEmptyDatabase: tables without a row.
func TestEmptyDatabase(t *testing.T) {
	s := emptyTestSite(t)
	for _, target := range everyRoute {
		a := s.get("/?rest_route=/calendar/events/v1/" + target)
		sensible(t, target, a)
	}
}

// TestBrokenCalendarOptions: values of other types than expected.
func TestBrokenCalendarOptions(t *testing.T) {
	deep := php.List(php.List(php.List("x")))
	for _, name := range []string{
		"multiDayCutoff", "tribe_events_timezone_mode", "posts_per_page", "postsPerPage", "singleEventSlug", "eventsSlug", "defaultCurrencySymbol",
		"reverseCurrencyPosition", "defaultCurrencyCode", "custom-fields", "toggle_blocks_editor",
	} {
		s := newTestSite(t)
		broken := []php.Value{deep, nil, true, int64(-1), 1e300, "\xff", "::", "99:99", ":", php.List(deep, "x", int64(5)), "%%%"}
		for i := 0; i < len(broken); i += hostileStep {
			v := broken[i]
			s.setCalendarOptions(name, v)
			for _, target := range []string{"events", "events/101", "venues?only_with_upcoming=1", "categories/34", "doc"} {
				sensible(t, fmt.Sprintf("%s with %s = %.30v", target, name, v), s.get(target))
			}
		}
	}
}

// TestBrokenMeta: every meta that is read, as old and damaged sites have it.
func TestBrokenMeta(t *testing.T) {
	oneAtATime(t)
	s := newTestSite(t)
	broken := []string{
		"", "0", "-1", "abc", "\xff\xfe\x00", "a:1:{i:0;i:201;}", "a:2:{i:0;s:3:\"201\";", "O:1:\"X\":0:{}", "99999999999999999999", "201,202", strings.Repeat("9", 5000),
		"a:1:{i:0;a:1:{i:0;i:1;}}", "0000-00-00 00:00:00", "2026-99-99 99:99:99", "Moon/Base", "UTC+999", strings.Repeat("<b>", 2000), "[gallery]",
		`a:3:{s:5:"width";s:1:"x";s:5:"sizes";s:1:"y";s:4:"file";i:5;}`, `a:3:{s:5:"sizes";a:1:{s:1:"m";s:1:"z";}s:4:"file";b:1;s:10:"image_meta";N;}`,
	}
	for post, keys := range map[int64][]string{
		101: {"_EventStartDate", "_EventEndDate", "_EventStartDateUTC", "_EventEndDateUTC", "_EventTimezone", "_EventTimezoneAbbr", "_EventVenueID", "_EventOrganizerID", "_EventCost",
			"_EventCurrencySymbol", "_EventCurrencyPosition", "_EventCurrencyCode", "_EventURL", "_EventShowMap", "_EventAllDay", "_tribe_featured", "_thumbnail_id",
			"_tribe_events_status", "_tribe_aggregator_global_id_lineage", "_EventHideFromUpcoming"},
		201: {"_VenueCountry", "_VenueURL", "_VenueShowMap", "_VenueState", "_VenueStateProvince", "_VenueAddress"},
		301: {"_OrganizerEmail", "_OrganizerWebsite", "_OrganizerPhone"},
		401: {"_wp_attached_file", "_wp_attachment_metadata"},
	} {
		for _, key := range keys {
			for i := 0; i < len(broken); i += hostileStep {
				v := broken[i]
				s.exec("DELETE FROM wp_postmeta WHERE post_id = ? AND meta_key = ?", post, key)
				s.addMeta(post, key, v)
				for _, target := range []string{"events?start_date=2020-01-01", "events/101", "venues?has_events=1&only_with_upcoming=1&event=101", "venues/201", "organizers/301"} {
					sensible(t, fmt.Sprintf("%s with %s = %.30q", target, key, v), s.get(target))
				}
			}
		}
	}
}

// TestBrokenRows: columns with what WordPress would never write.
func TestBrokenRows(t *testing.T) {
	s := newTestSite(t)
	for _, column := range []string{"post_title", "post_content", "post_excerpt", "post_name", "post_status", "post_date", "post_date_gmt", "post_modified", "post_password"} {
		broken := []string{"", "\xff\xfe", "0000-00-00 00:00:00", strings.Repeat("[", 5000), strings.Repeat("<!-- wp:group -->", 500), "publish\x00", "unheard-of"}
		for i := 0; i < len(broken); i += hostileStep {
			v := broken[i]
			s.exec("UPDATE wp_posts SET "+column+" = ? WHERE ID IN (101, 201, 301, 401)", v)
			for _, target := range []string{"events?start_date=2020-01-01", "events/101", "venues", "venues/201", "organizers/301"} {
				for _, as := range []string{"", "edita"} {
					sensible(t, fmt.Sprintf("%s with %s = %.30q", target, column, v), s.do(ask{target: target, as: as}))
				}
			}
		}
		s.exec("UPDATE wp_posts SET " + column + " = '2026-01-01 00:00:00', post_status = 'publish' WHERE ID IN (101, 201, 301, 401)")
	}
	// A circle of categories.
	s.exec("UPDATE wp_term_taxonomy SET parent = 34 WHERE term_id = 31")
	for _, target := range []string{"categories", "categories/34", "categories?hide_empty=0", "events?categories=31", "events/103"} {
		sensible(t, target, s.get(target))
	}
}

// TestBrokenUsers: capabilities, passwords and sessions that cannot be read.
func TestBrokenUsers(t *testing.T) {
	s := newTestSite(t)
	for _, key := range []string{"wp_capabilities", "_application_passwords", "session_tokens"} {
		for _, v := range []string{"", "a:1:{", "b:1;", "\xff", `a:1:{i:0;s:1:"x";}`, `a:1:{s:13:"administrator";s:1:"x";}`, `a:1:{i:0;a:1:{s:8:"password";a:0:{}}}`} {
			s.exec("DELETE FROM wp_usermeta WHERE user_id = 4 AND meta_key = ?", key)
			s.insert("usermeta", row{"user_id": 4, "meta_key": key, "meta_value": v})
			sensible(t, fmt.Sprintf("%s = %q", key, v), s.do(ask{target: "events/101", as: "karel"}))
		}
	}
}
