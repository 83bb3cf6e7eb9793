package rest

import (
	"net/http"
	"testing"
)

// TestAPIDisabled: where the site has switched the namespace off, by the plugin's option or
// otherwise, no route of it is found, by any method.
func TestAPIDisabled(t *testing.T) {
	byOption := newTestSite(t)
	byOption.setCalendarOptions("rest-v1-disabled", true)
	byFact := newTestSite(t, func(c *Config) { c.APIDisabled = true })
	for name, s := range map[string]*testSite{"option": byOption, "fact": byFact} {
		for _, path := range []string{"", "/doc", "/events", "/events/1", "/venues", "/organizers/by-slug/x", "/tags"} {
			for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete, http.MethodOptions} {
				got := s.do(ask{method: method, target: testBase + path})
				status, code := http.StatusNotFound, "rest_no_route"
				if method == http.MethodOptions {
					status, code = http.StatusOK, ""
				}
				if got.status != status || s.seen.Code != code || got.header.Get("Allow") != "" || method == http.MethodOptions && got.body != "[]" {
					t.Errorf("%s: %s %s: %d %s, Allow %q", name, method, path, got.status, s.seen.Code, got.header.Get("Allow"))
				}
			}
		}
	}
	byOption.setCalendarOptions("rest-v1-disabled", "")
	if got := byOption.do(ask{method: http.MethodGet, target: testBase + "/events"}); got.status != http.StatusOK {
		t.Errorf("switched on again: %d", got.status)
	}
}
