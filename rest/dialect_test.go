package rest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"calbridge/rest/api"
	"calbridge/rest/wprest"
	"calbridge/rest/wprest/dialecttest"
)

// TestSecondDialect serves a second API over the same stores, beside The Events Calendar's.
func TestSecondDialect(t *testing.T) {
	s := newTestSite(t, func(c *Config) {
		c.Compat, c.Dialects = api.Safe, []wprest.Dialect{dialecttest.Dialect("plain/v2")}
	})
	const base, window = "/wp-json/plain/v2", "?after=2026-01-01+00:00:00"
	theirs := s.do(ask{target: testBase + "/events?start_date=2026-01-01&end_date=2100-01-01&per_page=50&strict_dates=true"}).ids("events")
	if strings.Count(theirs, " ") < 3 {
		t.Fatalf("the reference's API lists only %q", theirs)
	}
	for _, c := range []struct {
		name, target, as string
		want             string // status, and the beginning of the body or the value after it
	}{
		{"another code for a page behind the end", "/events?page=9", "", `400 {"code":"rest_post_invalid_page_number","message":"The page number is larger than the number of pages.","data":{"status":400}}`},
		{"another code for no event", "/events/999", "", `404 {"code":"rest_post_invalid_id","message":"There is no event with this number.","data":{"status":404}}`},
		{"a venue is not an event", "/events/201", "", `404 {"code":"rest_post_invalid_id"`},
		{"a password locks strangers out", "/events/106", "", `401 {"code":"rest_forbidden"`},
		{"arguments are checked", "/events?per_page=500&after=never", "", `400 {"code":"rest_invalid_param","message":`},
		{"a type is checked", "/events?page=x", "", `400 {"code":"rest_invalid_param"`},
		{"one event", "/events/102", "", `200 {"id":102,"title":{"raw":"Reading for children"},"start":"`},
		{"fields", "/events/102?_fields=id", "", `200 {"id":102}`},
		{"a search without a hit", "/events?search=nowhere-at-all", "", `200 []`},
		{"an unknown tag", "/events?tag=nothing", "", `200 []`},
		{"only its own routes", "/venues", "", `404 {"code":"rest_no_route"`},
		{"its own index", "", "", `200 {"namespace":"plain\/v2","routes":{"\/plain\/v2":{`},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := s.do(ask{target: base + c.target, as: c.as})
			if got := fmt.Sprint(a.status, " ", a.body); !strings.HasPrefix(got, c.want) {
				t.Errorf("got %.300s", got)
			}
		})
	}
	t.Run("a bare array with totals in headers", func(t *testing.T) {
		a := s.do(ask{target: base + "/events" + window + "&per_page=2"})
		if a.status != 200 || !strings.HasPrefix(a.body, `[{"id":`) || strings.Count(a.body, `"id":`) != 2 {
			t.Fatalf("%d %.200s", a.status, a.body)
		}
		if n := strings.Count(theirs, " ") + 1; a.header.Get("X-WP-Total") != fmt.Sprint(n) || a.header.Get("X-WP-TotalPages") != fmt.Sprint((n+1)/2) || a.header.Get("X-TEC-Total") != "" {
			t.Errorf("%v, want %d events: %s", a.header, n, theirs)
		}
		if s.seen.Route != "/plain/v2/events" {
			t.Errorf("route %s", s.seen.Route)
		}
	})
	t.Run("only WordPress's totals are exposed", func(t *testing.T) {
		a := s.do(ask{target: base + "/events", header: http.Header{"Origin": {"https://page.example"}}})
		if got := a.header.Get("Access-Control-Expose-Headers"); got != "X-WP-Total, X-WP-TotalPages, Link, ETag" {
			t.Error(got)
		}
	})
	t.Run("a tag", func(t *testing.T) {
		if a := s.do(ask{target: base + "/events" + window + "&tag=primestske"}); !strings.HasPrefix(a.body, `[{"id":102,`) || a.header.Get("X-WP-Total") != "1" {
			t.Errorf("%.200s", a.body)
		}
	})
	t.Run("the index describes arguments in its own words", func(t *testing.T) {
		if a := s.do(ask{target: base}); !strings.Contains(a.body, "Slugs or ids of tags.") || strings.Contains(a.body, "venues") {
			t.Errorf("%.600s", a.body)
		}
	})
	t.Run("the reference's API is as before", func(t *testing.T) {
		if a := s.do(ask{target: testBase + "/events/102"}); a.status != 200 || !strings.Contains(a.body, `"rest_url"`) || s.seen.Route != "/events/{id}" {
			t.Errorf("%d %s", a.status, s.seen.Route)
		}
	})
}
