package rest

import (
	"strings"
	"testing"

	"calbridge/rest/api"
)

// TestReadCompat checks that plain GETs are answered at the level of reads, and other requests at the
// level of the settings.
func TestReadCompat(t *testing.T) {
	s := newTestSite(t, func(cfg *Config) { cfg.Compat, cfg.ReadCompat = api.Safe, api.Exact })
	s.exec("UPDATE wp_posts SET post_password = 'sesame' WHERE post_type = 'tribe_events'")
	const list = "/wp-json/calendar/events/v1/events?start_date=2000-01-01&end_date=2100-01-01"
	for _, c := range []struct {
		name string
		ask  ask
		show bool
	}{
		{"a plain GET", ask{method: "GET", target: list}, true},
		{"an overridden POST", ask{method: "POST", target: list + "&_method=GET"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := s.do(c.ask)
			if shows := strings.Contains(got.body, `"total":`) && !strings.Contains(got.body, `"total":0`); shows != c.show {
				t.Errorf("status %d, shows protected events: %t, want %t; %.200s", got.status, shows, c.show, got.body)
			}
		})
	}
}
