package calevent

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/rfc5545"
	"calbridge/rest/tribev1/render/loader"
	"calbridge/rest/tribev1/requesttest"
	"calbridge/rest/wprest"
	"calbridge/wpstore"
)

// newSite returns a site with an event, whose metadata the tests change.
func newSite() *requesttest.Site {
	s := requesttest.NewSite(wprest.Handlers{})
	s.Settings.Compat = api.Safe
	s.AddEvent(101, "Dance", "2026-12-01 18", "_EventVenueID", "201", "_EventOrganizerID", "301")
	s.AddLinked(wpstore.VenueType, 201, "Mill", "_VenueAddress", "Lane 1", "_VenueCity", "Lhota", "_VenueStateProvince", "Bohemia", "_VenueZip", "12345", "_VenueCountry", "Czechia")
	s.AddLinked(wpstore.VenueType, 202, "Hall")
	s.AddLinked(wpstore.OrganizerType, 301, "Friends", "_OrganizerEmail", "hi@friends.example")
	return s
}

// source returns the source of the events of a site.
func source(t *testing.T, s *requesttest.Site) Source {
	t.Helper()
	r := s.Accepted(t, requesttest.Ask{Target: "events"})
	return Source{Place: r.Place, Viewer: r.Viewer, Clock: r.Clock, Loader: &loader.Loader{Cache: loader.NewCache(0), Place: r.Place, Viewer: r.Viewer, Store: s.Store}}
}

// with sets metadata of the event: names and values in turn.
func with(s *requesttest.Site, id int64, meta ...string) {
	for i := 0; i < len(meta); i += 2 {
		s.Meta[id] = s.Meta[id].With(meta[i], []string{meta[i+1]})
	}
}

// TestFeedDates pins the dates of an event in a feed: local ones, instants, and the zone.
func TestFeedDates(t *testing.T) {
	const localStart, utcStart, localEnd, utcEnd = "_EventStartDate", "_EventStartDateUTC", "_EventEndDate", "_EventEndDateUTC"
	for _, c := range []struct {
		name string
		meta []string
		want string // zone, start, start in UTC, end
	}{
		{"UTC", nil, "none 2026-12-01 18:00:00, 2026-12-01 18:00:00, 2026-12-01 18:59:59"},
		{"a zone", []string{"_EventTimezone", "Europe/Prague", utcStart, "2026-12-01 17:00:00"}, "Europe/Prague 2026-12-01 18:00:00, 2026-12-01 17:00:00, 2026-12-01 18:59:59"},
		{"no instant", []string{"_EventTimezone", "Europe/Prague", utcStart, ""}, "Europe/Prague 2026-12-01 18:00:00, 2026-12-01 17:00:00, 2026-12-01 18:59:59"},
		{"no such zone", []string{"_EventTimezone", "Mars/Olympus", utcStart, ""}, "none 2026-12-01 18:00:00, 2026-12-01 18:00:00, 2026-12-01 18:59:59"},
		{"an offset", []string{"_EventTimezone", "UTC+2", utcStart, ""}, "none 2026-12-01 18:00:00, 2026-12-01 16:00:00, 2026-12-01 18:59:59"},
		{"another form of date", []string{localStart, "1 December 2026 6pm"}, "none 2026-12-01 18:00:00, 2026-12-01 18:00:00, 2026-12-01 18:59:59"},
		{"the zero date", []string{localStart, wpstore.NoDate}, "none -0001-11-30 00:00:00, 2026-12-01 18:00:00, 2026-12-01 18:59:59"},
		{"no date", []string{localStart, "never", utcStart, "never"}, "none -0001-01-01 00:00:00, -0001-01-01 00:00:00, 2026-12-01 18:59:59"},
		{"whole days", []string{"_EventAllDay", "yes", localEnd, "2026-12-02 03:59:59", utcEnd, "2026-12-02 03:59:59"}, "none 2026-12-01 18:00:00, 2026-12-01 18:00:00, 2026-12-01 23:59:59"}, // 4 hours of the night are the day's before
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite()
			s.Facts.Calendar = api.Object("multiDayCutoff", "04:00")
			with(s, 101, c.meta...)
			d := (&Feed{Source: source(t, s)}).Dates(s.Meta[101])
			zone := "none"
			if d.Zone != nil {
				zone = d.Zone.String()
			}
			got := fmt.Sprintf("%s %s, %s, %s", zone, d.Start.Format(api.MySQLTime), d.StartUTC.UTC().Format(api.MySQLTime), d.End.Format(api.MySQLTime))
			if got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestFeedEvent pins which venue and organizer an event of a feed has: the first without a password.
func TestFeedEvent(t *testing.T) {
	for _, c := range []struct {
		name      string
		change    func(s *requesttest.Site)
		location  string
		organizer bool
		located   bool
	}{
		{"as they are", func(*requesttest.Site) {}, "Mill, Lane 1, Lhota, Bohemia, 12345, Czechia", true, false},
		{"behind passwords", func(s *requesttest.Site) { s.Post[201].Password, s.Post[301].Password = "x", "x" }, "", false, false},
		{"a draft", func(s *requesttest.Site) { s.Post[201].Status = "draft" }, "", true, false},
		{"the second venue", func(s *requesttest.Site) {
			s.Post[201].Password = "x"
			s.Meta[101] = s.Meta[101].With("_EventVenueID", []string{"201", "202"})
		}, "Hall", true, false},
		{"coordinates", func(s *requesttest.Site) { with(s, 201, "_VenueLat", "50.5", "_VenueLng", "14") }, "Mill, Lane 1, Lhota, Bohemia, 12345, Czechia", true, true},
		{"half of them", func(s *requesttest.Site) { with(s, 201, "_VenueLat", "50.5", "_VenueLng", "x") }, "Mill, Lane 1, Lhota, Bohemia, 12345, Czechia", true, false},
		{"empty parts", func(s *requesttest.Site) { with(s, 201, "_VenueAddress", "0", "_VenueCity", " ") }, "Mill, Bohemia, 12345, Czechia", true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite()
			c.change(s)
			f := &Feed{Source: source(t, s)}
			set, err := f.Load(t.Context(), []int64{101})
			if err != nil {
				t.Fatal(err)
			}
			e := f.Event(set, set.Posts[101])
			if e.Location != c.location || (e.Organizer != nil) != c.organizer || (e.Geo != nil) != c.located {
				t.Errorf("%q, organizer %v, coordinates %v", e.Location, e.Organizer, e.Geo)
			}
			if e.UID != "village.example?id=101" || f.Rendering().Modified != "2026-01-02 00:00:00" {
				t.Errorf("UID %q, modified %q", e.UID, f.Rendering().Modified)
			}
		})
	}
}

// TestSequence pins that the version of an event grows with each change, within its bounds.
func TestSequence(t *testing.T) {
	f := &Feed{Source: source(t, newSite())}
	for modified, want := range map[string]int64{"2000-01-01 00:00:01": 1, "1999-01-01 00:00:00": 0, wpstore.NoDate: 0, "2026-01-02 00:00:00": 820627200, "2100-01-01 00:00:00": 1<<31 - 1} {
		t.Run(modified, func(t *testing.T) {
			p := &wpstore.Post{ID: 9}
			p.ModifiedGMT = modified
			var e rfc5545.Event
			if f.SetID(&e, p); e.Sequence != want {
				t.Errorf("%d, want %d", e.Sequence, want)
			}
		})
	}
}

// TestExportEvent pins an event of an export: its dates in each mode, its place, and its password.
func TestExportEvent(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(s *requesttest.Site)
		want   string // zone, start, location, organizer
		cookie bool
	}{
		{"as it is", func(*requesttest.Site) {}, "UTC 2026-12-01 18:00:00 [Mill Lane 1 Lhota Bohemia 12345 Czechia] hi@friends.example", false},
		{"no zone", func(s *requesttest.Site) { with(s, 101, "_EventTimezone", "") }, "Europe/Prague 2026-12-01 18:00:00 [Mill Lane 1 Lhota Bohemia 12345 Czechia] hi@friends.example", false},
		{"on the site's clock", func(s *requesttest.Site) { s.Facts.Calendar = api.Object("tribe_events_timezone_mode", "site") }, "Europe/Prague 2026-12-01 19:00:00 [Mill Lane 1 Lhota Bohemia 12345 Czechia] hi@friends.example", false},
		{"in the site's zone already", func(s *requesttest.Site) {
			s.Facts.Calendar = api.Object("tribe_events_timezone_mode", "site")
			with(s, 101, "_EventTimezone", "Europe/Prague")
		}, "Europe/Prague 2026-12-01 18:00:00 [Mill Lane 1 Lhota Bohemia 12345 Czechia] hi@friends.example", false},
		{"no date", func(s *requesttest.Site) { with(s, 101, "_EventStartDate", "never") }, "UTC 2026-11-21 12:00:00 [Mill Lane 1 Lhota Bohemia 12345 Czechia] hi@friends.example", false},
		{"no venue", func(s *requesttest.Site) { with(s, 101, "_EventVenueID", "0") }, "UTC 2026-12-01 18:00:00 [Region] hi@friends.example", false},
		{"a protected venue", func(s *requesttest.Site) { s.Post[201].Password = "x" }, "UTC 2026-12-01 18:00:00 [Region] hi@friends.example", true},
		{"a protected event", func(s *requesttest.Site) { s.Post[101].Password = "x" }, "UTC 2026-12-01 18:00:00 [Mill Lane 1 Lhota Bohemia 12345 Czechia] hi@friends.example", true},
		{"no address of the organizer", func(s *requesttest.Site) { with(s, 301, "_OrganizerEmail", "") }, "UTC 2026-12-01 18:00:00 [Mill Lane 1 Lhota Bohemia 12345 Czechia] none", false},
		{"a state", func(s *requesttest.Site) {
			with(s, 201, "_VenueStateProvince", "", "_VenueState", "Ohio", "_VenueProvince", "Not shown", "_VenueCountry", "United States")
		}, "UTC 2026-12-01 18:00:00 [Mill Lane 1 Lhota Ohio 12345 United States] hi@friends.example", false},
		{"a province", func(s *requesttest.Site) {
			with(s, 201, "_VenueStateProvince", "", "_VenueState", "Not shown", "_VenueProvince", "Moravia")
		}, "UTC 2026-12-01 18:00:00 [Mill Lane 1 Lhota Moravia 12345 Czechia] hi@friends.example", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite()
			s.Post[101].Content = "Bring shoes."
			c.change(s)
			e := &Export{Source: source(t, s)}
			set, err := e.Load(t.Context(), []int64{101})
			if err != nil {
				t.Fatal(err)
			}
			out := e.Event(set, set.Posts[101], "Region")
			email := "none"
			if out.Organizer != nil {
				email = out.Organizer.Email
			}
			if got := fmt.Sprint(out.Zone, " ", out.Start.Format(api.MySQLTime), " ", out.Location, " ", email); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
			if got := e.Rendering().CookieMatters; got != c.cookie {
				t.Errorf("the cookie matters: %t", got)
			}
			if locked := s.Post[101].Password != ""; locked != (out.Protected != "") || locked == strings.Contains(out.Content, "shoes") {
				t.Errorf("protected %q, content %q", out.Protected, out.Content)
			}
		})
	}
}

// TestSiteTime pins how exports read the dates of posts.
func TestSiteTime(t *testing.T) {
	e := &Export{Source: source(t, newSite())}
	for stored, want := range map[string]string{
		"2026-07-01 10:00:00": "2026-07-01T10:00:00+02:00", "2026-02-30 10:00:00": "2026-03-02T10:00:00+01:00", "never": "2026-11-21T12:00:00Z",
	} {
		t.Run(stored, func(t *testing.T) {
			if got := e.siteTime(stored).Format(time.RFC3339); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

// TestLoadFails tests that an error of the store comes through.
func TestLoadFails(t *testing.T) {
	s := newSite()
	s.Fails, s.Failing = "PostSet", errors.New("the database is gone")
	src := source(t, s)
	if _, err := src.Load(t.Context(), []int64{101}); !errors.Is(err, s.Failing) {
		t.Error(err)
	}
}
