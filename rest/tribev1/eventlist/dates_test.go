package eventlist

import (
	"strings"
	"testing"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/tribev1/requesttest"
	"calbridge/wpstore/php"
)

// shownDates returns the dates in a list's own URL.
func shownDates(t *testing.T, url string) string {
	t.Helper()
	_, query, _ := strings.Cut(url, "?")
	var out []string
	for pair := range strings.SplitSeq(query, "&") {
		name, v, _ := strings.Cut(pair, "=")
		if strings.HasSuffix(name, "_date") || strings.HasPrefix(name, "starts_") || strings.HasPrefix(name, "ends_") {
			out = append(out, name+"="+v)
		}
	}
	return strings.Join(out, "&")
}

// TestDates pins the dates that a request's six arguments become. The clock is at 2026-11-21 12:00 in
// UTC, where it is 13:00 in Prague.
func TestDates(t *testing.T) {
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
		for query, want := range site.want {
			t.Run(site.name+" "+query, func(t *testing.T) {
				s := newSite()
				s.Facts.TimezoneString, s.Facts.Calendar = site.zone, api.Object(site.options...)
				if got := shownDates(t, s.list(t, requesttest.Ask{Target: "events?" + query}).URL); got != want {
					t.Errorf("\n got %s\nwant %s", got, want)
				}
			})
		}
	}
}

// TestBounds pins the comparisons of the query: which dates replace others, and the zone.
func TestBounds(t *testing.T) {
	const site = "tribe_events_timezone_mode"
	for _, c := range []struct {
		name, query, mode, want string
	}{
		{"both ends", "start_date=2026-12-01&end_date=2026-12-02", "", "start >= 2026-12-01 00:00:00, end <= 2026-12-02 23:59:59"},
		{"starts_after replaces start_date", "start_date=2026-12-01&starts_after=2026-12-03", "", "start > 2026-12-03 23:59:59"},
		{"ends_before replaces end_date", "end_date=2026-12-01&ends_before=2026-12-03", "", "end < 2026-12-03 23:59:59"},
		{"one doesn't replace the other end", "start_date=2026-12-01&ends_before=2026-12-03", "", "start >= 2026-12-01 00:00:00, end < 2026-12-03 23:59:59"},
		{"all relative dates", "starts_before=2026-12-01&starts_after=2026-12-02&ends_before=2026-12-03&ends_after=2026-12-04", "",
			"start < 2026-12-01 23:59:59, start > 2026-12-02 23:59:59, end < 2026-12-03 23:59:59, end > 2026-12-04 23:59:59"},
		{"no effect", "starts_after=1e9", "", ""},
		{"a replaced date without effect", "start_date=2026-12-01&starts_after=1e9", "", "start >= 2026-12-01 00:00:00"},
		{"in the site's zone", "start_date=2026-12-01&end_date=2026-07-02", "site", "start >= 2026-11-30 23:00:00, end <= 2026-07-02 21:59:59"},
		{"a year before Christ stays as it is", "start_date=-62198755200&end_date=2026-07-02", "site", "start >= -0001-01-01 00:00:00, end <= 2026-07-02 21:59:59"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite()
			s.Facts.Calendar = api.Object(site, c.mode)
			q := s.list(t, requesttest.Ask{Target: "events?" + c.query}).Query
			var got []string
			for _, b := range q.Bounds {
				point := "start "
				if b.End {
					point = "end "
				}
				got = append(got, point+b.Op+" "+b.Value)
			}
			if text := strings.Join(got, ", "); text != c.want {
				t.Errorf("\n got %s\nwant %s", text, c.want)
			}
			if q.UTC != (c.mode == "site") || q.Order.UTC != q.UTC {
				t.Errorf("UTC %t, order by UTC %t", q.UTC, q.Order.UTC)
			}
		})
	}
}

// TestValidity pins how long a list stays the same: for the rest of the day, unless its dates are read
// with the time of day.
func TestValidity(t *testing.T) {
	midnight := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		query  string
		timely bool
		until  time.Time
	}{
		{"", false, midnight},
		{"start_date=2026-12-01", false, midnight}, // the end is the default
		{"start_date=2026-12-01&end_date=2026-12-02", false, time.Time{}},
		{"starts_after=2026-12-01&end_date=2026-12-02&start_date=2026-12-01", false, time.Time{}},
		{"strict_dates=1", true, midnight},
		{"strict_dates=1&start_date=2026-12-01&end_date=2026-12-02", false, time.Time{}},
		{"include=101", true, midnight},
		{"start_date=tomorrow&end_date=2026-12-02", true, time.Time{}},
		{"start_date=0&end_date=2026-12-02", true, time.Time{}},
	} {
		t.Run(c.query, func(t *testing.T) {
			r := newSite().Accepted(t, requesttest.Ask{Target: "events?" + c.query})
			if _, err := New(t.Context(), r, ""); err != nil {
				t.Fatal(err)
			}
			if r.Clock.Asked != c.timely || !r.Clock.Until.Equal(c.until) {
				t.Errorf("timely %t, until %v", r.Clock.Asked, r.Clock.Until)
			}
		})
	}
}

// TestPage tests the page of a query, and its size: the calendar's option, else the site's, else 20.
func TestPage(t *testing.T) {
	for _, c := range []struct {
		name, query string
		option      php.Value
		site        string
		limit, off  int64
	}{
		{"the site's", "", nil, "7", 7, 0},
		{"the calendar's", "", int64(3), "7", 3, 0},
		{"the calendar's as text", "", "1", "7", 1, 0},
		{"the calendar's is empty", "", "", "7", 20, 0},
		{"the calendar's is 0", "", "0", "7", 20, 0},
		{"none", "", nil, "", 20, 0},
		{"too large an option", "", int64(200), "7", 50, 0},
		{"asked for", "per_page=3&page=4", nil, "7", 3, 9},
		{"too large", "per_page=51&page=2", nil, "7", 50, 50},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite()
			s.Facts.PostsPerPage = c.site
			if c.option != nil {
				s.Facts.Calendar = api.Object("posts_per_page", c.option)
			}
			l := s.list(t, requesttest.Ask{Target: "events?" + c.query})
			if l.Query.Limit != c.limit || l.Query.Offset != c.off || l.PerPage != c.limit || l.Page != c.off/c.limit+1 {
				t.Errorf("page %d of %d, limit %d, offset %d", l.Page, l.PerPage, l.Query.Limit, l.Query.Offset)
			}
		})
	}
}
