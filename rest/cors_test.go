package rest

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"calbridge/rest/api"
)

// TestCrossOrigin does what a browser does for a page of another origin: it asks beforehand
// which headers it may send, and shows the page only what the response exposes.
func TestCrossOrigin(t *testing.T) {
	list := func(h http.Header, name string) []string {
		return strings.Split(strings.ToLower(h.Get(name)), ", ")
	}
	for _, level := range []api.Compat{api.Exact, api.Safe, api.Fixed} {
		t.Run(string(level), func(t *testing.T) {
			s := newTestSite(t, func(c *Config) { c.Compat = level })
			origin := http.Header{"Origin": {"https://page.example"}}
			before := s.do(ask{method: http.MethodOptions, target: "events", header: http.Header{
				"Origin": {"https://page.example"}, "Access-Control-Request-Method": {"GET"}, "Access-Control-Request-Headers": {"if-none-match"},
			}})
			if got := slices.Contains(list(before.header, "Access-Control-Allow-Headers"), "if-none-match"); got != (level != api.Exact) {
				t.Errorf("If-None-Match allowed: %t (%q)", got, before.header)
			}
			for _, target := range []string{"events", "events"} { // built, and perhaps from the cache
				a := s.do(ask{target: target, header: origin})
				exposed := list(a.header, "Access-Control-Expose-Headers")
				for _, name := range []string{"X-TEC-Total", "X-TEC-TotalPages", "ETag"} {
					if got := slices.Contains(exposed, strings.ToLower(name)); got != (level != api.Exact) {
						t.Errorf("%s exposed: %t (%q)", name, got, exposed)
					}
				}
				for _, name := range []string{"x-wp-total", "x-wp-totalpages", "link"} {
					if !slices.Contains(exposed, name) {
						t.Errorf("%s is not exposed", name)
					}
				}
			}
			// Without an Origin no page asks, and the response is the reference's.
			if got := s.get("events").header.Get("Access-Control-Expose-Headers"); got != "X-WP-Total, X-WP-TotalPages, Link" {
				t.Errorf("without Origin %q", got)
			}
			// Headers that a response lacks stay away.
			refused := s.do(ask{target: "tags/41?_jsonp=f-", header: origin})
			if v, ok := refused.header["Access-Control-Expose-Headers"]; ok {
				t.Errorf("a refused callback exposes %q", v)
			}
		})
	}
}
