package edit

import (
	"fmt"
	"testing"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/phpdate"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/rowedit"
)

// testReader reads dates on 2026-11-21 at 12:00 in UTC.
func testReader() dateReader {
	return dateReader{phpdate.NewZones(), time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC)}
}

func TestConvertedDays(t *testing.T) {
	for _, c := range []struct{ name, cutoff, start, end, from, to string }{
		{"whole days", "", "2027-03-01 15:00:00", "2027-03-02 01:00:00", "2027-03-01 00:00:00", "2027-03-02 23:59:59"},
		{"with a cutoff", "06:00", "2027-03-01 15:00:00", "2027-03-01 16:00:00", "2027-03-01 06:00:00", "2027-03-02 05:59:59"},
		{"a year ends", "", "2027-12-31 15:00:00", "2027-12-31 16:00:00", "2027-12-31 00:00:00", "2027-12-31 23:59:59"},
		{"no date", "06:00", "never", "2027-12-31 16:00:00", "never", "2027-12-31 16:00:00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			site := &wpsite.Site{Calendar: php.Pairs("multiDayCutoff", c.cutoff)}
			if start, end := wholeDays(site, c.start, c.end); start != c.from || end != c.to {
				t.Errorf("%s to %s", start, end)
			}
		})
	}
}

// TestEventDates pins the dates that a request stores: in the event's zone, in UTC, and how long the
// event takes.
func TestEventDates(t *testing.T) {
	const none = "unchanged"
	for _, c := range []struct {
		name, zone string
		in         []any
		stored     []string // keys and values
		compat     api.Compat
		want       string
	}{
		{name: "both", in: []any{"start_date", "2027-03-01 10:00", "end_date", "2027-03-01 12:00"}, want: "2027-03-01 10:00:00 to 2027-03-01 12:00:00, UTC 2027-03-01 09:00:00 to 2027-03-01 11:00:00, 7200 s"},
		{name: "one alone", in: []any{"start_date", "2027-03-01 10:00"}, want: none},
		{name: "not a date", in: []any{"start_date", "never", "end_date", "2027-03-01 12:00"}, want: none},
		{name: "relative", in: []any{"start_date", "tomorrow 10:00", "end_date", "tomorrow 11:00"}, want: "2026-11-22 10:00:00 to 2026-11-22 11:00:00, UTC 2026-11-22 09:00:00 to 2026-11-22 10:00:00, 3600 s"},
		{name: "a time that the zone skips", in: []any{"start_date", "2027-03-28 02:30", "end_date", "2027-03-28 04:00"}, want: "2027-03-28 03:30:00 to 2027-03-28 04:00:00, UTC 2027-03-28 01:30:00 to 2027-03-28 02:00:00, 1800 s"},
		{name: "over the change of the clocks", in: []any{"start_date", "2027-03-28 01:00", "end_date", "2027-03-28 04:00"}, want: "2027-03-28 01:00:00 to 2027-03-28 04:00:00, UTC 2027-03-28 00:00:00 to 2027-03-28 02:00:00, 7200 s"},
		{name: "an end before the start", in: []any{"start_date", "2027-03-01 12:00", "end_date", "2027-03-01 10:00"}, want: "2027-03-01 12:00:00 to 2027-03-01 12:00:00, UTC 2027-03-01 11:00:00 to 2027-03-01 09:00:00, 0 s"},
		{name: "an end before the start, without faults", compat: api.Fixed, in: []any{"start_date", "2027-03-01 12:00", "end_date", "2027-03-01 10:00"}, want: "2027-03-01 12:00:00 to 2027-03-01 12:00:00, UTC 2027-03-01 11:00:00 to 2027-03-01 11:00:00, 0 s"},
		{name: "whole days", in: []any{"all_day", true, "start_date", "2027-03-01 10:00", "end_date", "2027-03-02 12:00"}, want: "2027-03-01 00:00:00 to 2027-03-02 23:59:59, UTC 2027-02-28 23:00:00 to 2027-03-02 22:59:59, 172799 s"},
		{name: "whole days from what is stored", in: []any{"all_day", true, "start_date", "2027-03-01"}, stored: []string{"_EventEndDate", "2027-03-03 10:00:00"}, want: "2027-03-01 00:00:00 to 2027-03-03 23:59:59, UTC 2027-02-28 23:00:00 to 2027-03-03 22:59:59, 259199 s"},
		{name: "another zone", zone: "America/New_York", in: []any{"timezone", "x"}, stored: []string{"_EventStartDate", "2027-03-01 10:00:00", "_EventEndDate", "2027-03-01 11:00:00"}, want: none},
		{name: "another zone, without faults", zone: "America/New_York", compat: api.Fixed, stored: []string{"_EventStartDate", "2027-03-01 10:00:00", "_EventEndDate", "2027-03-01 11:00:00", "_EventTimezone", "Europe/Prague"}, want: "2027-03-01 10:00:00 to 2027-03-01 11:00:00, UTC 2027-03-01 15:00:00 to 2027-03-01 16:00:00, 3600 s"},
		{name: "the same zone, without faults", compat: api.Fixed, stored: []string{"_EventStartDate", "2027-03-01 10:00:00", "_EventEndDate", "2027-03-01 11:00:00", "_EventTimezone", "Europe/Prague"}, want: none},
		{name: "no such zone", zone: "Mars/Olympus", want: "internal_server_error"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var stored rowedit.MetaEdit
			for i := 0; i < len(c.stored); i += 2 {
				stored.AddOnce(c.stored[i], c.stored[i+1])
			}
			zone := c.zone
			if zone == "" {
				zone = "Europe/Prague"
			}
			d := eventDates{dateReader: testReader(), in: &api.Params{JSON: api.Object(c.in...)}, site: &wpsite.Site{Compat: c.compat}, zone: zone, stored: &stored}
			w, err := d.read()
			got := none
			if err != nil {
				got = api.PublicError(err).Code
			} else if w.given {
				got = fmt.Sprintf("%s to %s, UTC %s to %s, %d s", w.start, w.end, w.startUTC, w.endUTC, w.duration)
			}
			if got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestDateReader pins how dates of requests are read: as local times of a zone, and in UTC.
func TestDateReader(t *testing.T) {
	d := testReader()
	prague, err := d.zones.EventZone("Europe/Prague")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		v                php.Value
		wall, local, utc string
	}{
		{nil, "", "", ""},
		{"0", "", "", ""},
		{"never", "", "", ""},
		{"2027-07-01 10:00", "2027-07-01 10:00:00", "2027-07-01 10:00:00", "2027-07-01 10:00:00"},
		{"2027-07-01T10:00:00-05:00", "2027-07-01 10:00:00", "2027-07-01 10:00:00", "2027-07-01 15:00:00"},
		{int64(1795262400), "2026-11-21 12:00:00", "2026-11-21 13:00:00", "2026-11-21 12:00:00"},
		{"1795262400.9", "2026-11-21 12:00:00", "2026-11-21 13:00:00", "2026-11-21 12:00:00"},
		{"now", "2026-11-21 13:00:00", "2026-11-21 13:00:00", "2026-11-21 12:00:00"},
	} {
		t.Run(fmt.Sprint(c.v), func(t *testing.T) {
			if wall, local, utc := d.wall(c.v, prague, false), d.wall(c.v, prague, true), d.utc(c.v); wall != c.wall || local != c.local || utc != c.utc {
				t.Errorf("%q, local %q, UTC %q", wall, local, utc)
			}
		})
	}
}

// TestAbbreviation pins the abbreviation of a zone that is stored with an event.
func TestAbbreviation(t *testing.T) {
	for _, c := range []struct{ zone, local, want string }{
		{"Europe/Prague", "2027-07-01 10:00:00", "CEST"}, {"Europe/Prague", "2027-01-01 10:00:00", "CET"}, {"Europe/Prague", "", "CET"}, {"UTC", "2027-07-01 10:00:00", "UTC"},
	} {
		t.Run(c.zone+" "+c.local, func(t *testing.T) {
			if got := testReader().abbreviation(c.zone, c.local); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// TestEventZone pins the zone of an event whose request names none.
func TestEventZone(t *testing.T) {
	for _, c := range []struct {
		given php.Value
		facts wpstore.SiteLocale
		want  string
	}{
		{"America/New_York", wpstore.SiteLocale{TimezoneString: "Europe/Prague"}, "America/New_York"},
		{nil, wpstore.SiteLocale{TimezoneString: "Europe/Prague"}, "Europe/Prague"},
		{"0", wpstore.SiteLocale{TimezoneString: "Europe/Prague"}, "Europe/Prague"},
		{"", wpstore.SiteLocale{GMTOffset: "5.5"}, "UTC+5.5"},
	} {
		t.Run(c.want, func(t *testing.T) {
			in := &api.Params{JSON: api.Object("timezone", c.given)}
			if got := eventZone(in, &wpstore.SiteFacts{SiteLocale: c.facts}); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
