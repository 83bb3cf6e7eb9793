package rest

import "testing"

// TestWhichEventsTheBoundsLet lists what each bound finds.
func TestWhichEventsTheBoundsLet(t *testing.T) {
	for _, c := range []struct{ query, local, site string }{
		{"", "101 102 103 113 106", "101 102 103 113 106"},
		{"start_date=2026-11-20", "104 101 102 103 113 106", "104 101 102 103 113 106"},
		{"start_date=2000-01-01&end_date=2026-11-22", "105 101 102", "105 101 102"},
		{"starts_before=2026-11-21", "105 104 101", "105 104 101"},
		{"starts_after=2026-12-04&ends_before=2026-12-31", "103 113", "103 113"},
		{"ends_after=2026-12-20", "104 106", "104 106"},
		// 103 starts in New York at 20:00, which is 02:00 of the next day in Prague.
		{"strict_dates=1&starts_after=2026-12-05T19:30:00Z&starts_before=2026-12-10", "", "103"},
		{"strict_dates=1&start_date=2026-12-05T18:59:00Z&end_date=2026-12-07", "103", "103"},
		// start_date gives way to starts_after, end_date to ends_before.
		{"start_date=2026-12-01&starts_after=2026-11-21", "102 103 113 106", "102 103 113 106"},
		{"end_date=2026-11-21&ends_before=2026-11-22", "105 101 102", "105 101 102"},
		{"include=106,101,105", "101 106", "101 106"},
		{"include=106,101,105&starts_after=2000-01-01", "101 105 106", "101 105 106"},
	} {
		s := newTestSite(t)
		if got := s.get("events?" + c.query).ids("events"); got != c.local {
			t.Errorf("%s: %s, want %s", c.query, got, c.local)
		}
		s.setCalendarOptions("tribe_events_timezone_mode", "site")
		if got := s.get("events?" + c.query).ids("events"); got != c.site {
			t.Errorf("%s in the site's zone: %s, want %s", c.query, got, c.site)
		}
		s.setOption("tec_ct1_migration_state", "")
		if got := s.get("events?" + c.query).ids("events"); got != c.site {
			t.Errorf("%s from post meta: %s, want %s", c.query, got, c.site)
		}
	}
}
