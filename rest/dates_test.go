package rest

import (
	"strings"
	"testing"
)

// bounds of the list as its own URL shows them.
func shownDates(t *testing.T, a answer) string {
	t.Helper()
	self := a.json("rest_url")
	_, query, _ := strings.Cut(self, "?")
	var out []string
	for pair := range strings.SplitSeq(query, "&") {
		name, v, _ := strings.Cut(pair, "=")
		if strings.HasSuffix(name, "_date") || strings.HasPrefix(name, "starts_") || strings.HasPrefix(name, "ends_") {
			out = append(out, name+"="+v)
		}
	}
	return strings.Join(out, "&")
}

// TestDateBounds: the site is in Prague, the clock is at 2026-11-21 12:00 UTC.
func TestDateBounds(t *testing.T) {
	const day = "start_date=2026-11-21 00:00:00"
	const end = "end_date=2028-11-21 23:59:59"
	for _, site := range []struct {
		name    string
		options []any
		zone    string
		want    map[string]string
	}{
		{"whole days", nil, "Europe/Prague", map[string]string{
			"":                                               day + "&" + end,
			"start_date=2026-12-01":                          "start_date=2026-12-01 00:00:00&" + end,
			"start_date=2026-12-01+23:30":                    "start_date=2026-12-01 00:00:00&" + end,
			"end_date=2026-12-01":                            day + "&end_date=2026-12-01 23:59:59",
			"starts_before=2026-12-01":                       "starts_before=2026-12-01 23:59:59",
			"starts_after=2026-12-01":                        "starts_after=2026-12-01 23:59:59",
			"ends_before=2026-12-01":                         "ends_before=2026-12-01 23:59:59",
			"ends_after=2026-12-01":                          "ends_after=2026-12-01 23:59:59",
			"start_date=0":                                   "start_date=2026-11-21 00:00:00&" + end,
			"starts_before=0":                                "starts_before=2026-11-21 23:59:59",
			"starts_before=00":                               "starts_before=1970-01-01 23:59:59",
			"start_date=2027":                                "start_date=1970-01-01 00:00:00&" + end,
			"start_date=1795262400":                          "start_date=2026-11-21 00:00:00&" + end,
			"start_date=1795262400000":                       "start_date=2009-08-08 00:00:00&" + end,
			"end_date=1795262400000":                         day + "&end_date=2009-08-08 23:59:59",
			"starts_before=253402387200":                     "starts_before=2000-01-03 09:59:59", // 10000-01-02 is 10:00 on 2000-01-02
			"start_date=-62198755200":                        "start_date=-0001-01-01 00:00:00&" + end,
			"start_date=1795262400.5":                        end,
			"start_date=1795262400.0":                        end,
			"end_date=1795262400.5":                          day,
			"starts_after=1e9":                               "",
			"start_date=5.5":                                 day + "&" + end, // a time of day
			"start_date=2026-12-01T23:30:00-05:00":           "start_date=2026-12-02 00:00:00&" + end,
			"start_date=tomorrow&end_date=%2B1+week":         "start_date=2026-11-22 00:00:00&end_date=2026-11-28 23:59:59",
			"start_date=2026-12-01&starts_before=2026-12-05": "start_date=2026-12-01 00:00:00&starts_before=2026-12-05 23:59:59",
			"include=101":                                    "start_date=2026-11-21 00:59:00&end_date=2028-11-21 12:00:00",
			"include=101&start_date=2020-01-01":              "start_date=2026-11-21 00:59:00&end_date=2028-11-21 12:00:00",
			"include=101&starts_after=2020-01-01":            "starts_after=2020-01-01 23:59:59",
			"include=101&starts_after=2020-01-01&end_date=2020-01-02": "end_date=2028-11-21 12:00:00&starts_after=2020-01-01 23:59:59",
			"strict_dates=garbage&start_date=2026-12-01+10:00":        "start_date=2026-12-01 00:00:00&" + end,
		}},
		{"exact times", nil, "Europe/Prague", map[string]string{
			"strict_dates=true":                                        "start_date=2026-11-21 01:59:00&end_date=2028-11-21 13:00:00",
			"strict_dates=YES&start_date=2026-12-01":                   "start_date=2026-12-01 01:00:00&end_date=2028-11-21 13:00:00",
			"strict_dates=1&ends_after=2026-07-01":                     "ends_after=2026-07-01 02:00:00",
			"strict_dates=on&starts_after=2026-12-01T10:00:00%2B05:00": "starts_after=2026-12-01 06:00:00",
			"strict_dates=true&starts_after=0":                         "starts_after=1970-01-01 01:00:00",
			"strict_dates=true&starts_after=1795262400":                "starts_after=2026-11-21 13:00:00",
		}},
		{"cutoff", []any{"multiDayCutoff", "03:00"}, "Europe/Prague", map[string]string{
			"start_date=2027-02-01&end_date=2027-02-02": "start_date=2027-02-01 03:00:00&end_date=2027-02-03 02:59:59",
			"starts_after=2027-02-01":                   "starts_after=2027-02-02 02:59:59",
		}},
		{"a broken cutoff", []any{"multiDayCutoff", "noon"}, "Europe/Prague", map[string]string{
			"start_date=2027-02-01": "start_date=2027-02-01 00:00:00&" + end,
		}},
		{"far east", nil, "Pacific/Auckland", map[string]string{
			"":            day + "&" + end, // yesterday 23:59 in UTC is today there, but rounded in UTC
			"include=101": "start_date=2026-11-21 12:59:00&end_date=2028-11-21 12:00:00",
		}},
	} {
		t.Run(site.name, func(t *testing.T) {
			s := newTestSite(t)
			s.setOption("timezone_string", site.zone)
			s.setCalendarOptions(site.options...)
			for query, want := range site.want {
				if got := shownDates(t, s.get("events?"+query)); got != want {
					t.Errorf("%s:\n got %s\nwant %s", query, got, want)
				}
			}
		})
	}
}

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

func TestPerPageDefault(t *testing.T) {
	for _, c := range []struct {
		option any
		site   string
		want   string
	}{
		{nil, "7", "7"}, {int64(3), "7", "3"}, {"1", "7", "1"}, {"", "7", "20"}, {"0", "7", "20"}, {nil, "", "20"}, {int64(200), "7", "50"},
	} {
		s := newTestSite(t)
		s.setOption("posts_per_page", c.site)
		if c.option != nil {
			s.setCalendarOptions("posts_per_page", c.option)
		}
		if _, got, _ := strings.Cut(s.get("events").json("rest_url"), "per_page="); !strings.HasPrefix(got, c.want+"&") {
			t.Errorf("calendar %v, site %q: %s, want %s", c.option, c.site, got, c.want)
		}
	}
}
