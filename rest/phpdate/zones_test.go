package phpdate

import (
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestLoad(t *testing.T) {
	zones := NewZones()
	july := time.Date(2027, 7, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct{ name, proper, abbreviation, offset string }{
		{"Europe/Prague", "Europe/Prague", "CEST", "+02:00"},
		{"eUROPE/pRAGUE", "Europe/Prague", "CEST", "+02:00"},
		{"(Europe/Prague)", "Europe/Prague", "CEST", "+02:00"},
		{"posix/Europe/Prague", "Europe/Prague", "CEST", "+02:00"},
		{"/Europe//Prague", "Europe/Prague", "CEST", "+02:00"},
		{"us/eastern", "US/Eastern", "EDT", "-04:00"},
		{"Asia/Katmandu", "Asia/Katmandu", "+0545", "+05:45"},
		{"Etc/GMT+5", "Etc/GMT+5", "-05", "-05:00"},
		{"EST5EDT", "EST5EDT", "EDT", "-04:00"},
		{"UTC", "UTC", "UTC", "+00:00"},
		{"utc", "UTC", "UTC", "+00:00"},
		{"GMT", "GMT", "GMT", "+00:00"},
		{"z", "Z", "Z", "+00:00"},
		{"EST", "EST", "EST", "-05:00"},
		{"cet", "CET", "CET", "+01:00"}, // an abbreviation: no summer
		{"CEST", "CEST", "CEST", "+02:00"},
		{"A", "A", "A", "+01:00"},
		{"+5", "+05:00", "GMT+0500", "+05:00"},
		{"+530", "+05:30", "GMT+0530", "+05:30"},
		{"-0530", "-05:30", "GMT-0530", "-05:30"},
		{"+05:30", "+05:30", "GMT+0530", "+05:30"},
		{"+05:30:15", "+05:30:15", "GMT+0530", "+05:30"},
		{"GMT+2", "+02:00", "GMT+0200", "+02:00"},
		{"+99:59", "+99:59", "GMT+9959", "+99:59"},
		{"+12:99", "+13:39", "GMT+1339", "+13:39"},
	} {
		location, proper, err := zones.Load(c.name)
		if err != nil {
			t.Errorf("%q: %v", c.name, err)
			continue
		}
		if got := proper + " " + Format(july.In(location), "T P"); got != c.proper+" "+c.abbreviation+" "+c.offset {
			t.Errorf("%q: got %s, want %+v", c.name, got, c)
		}
	}
	for _, name := range []string{
		"", "5", "0", "+", "-", "+a", "+00000", "+99:60", "+05:30:1", "+05:30 ", "UTC+5", "utc+5:30", "gmt+5", "UTC ", "LMT", "J",
		"Mars/Phobos", "Europe", "Europe/", "Europe/Prague ", "Europe/Prague/", "../etc/passwd", "Europe/../Europe/Prague",
		"europe/./prague", "/etc/localtime", "tzdata.zi", "zone.tab", "leapseconds", "UTC\x00", "EST foo", "+05:30foo",
		"posix/europe/prague", strings.Repeat("/", 200) + "UTC",
	} {
		if location, _, err := zones.Load(name); !errors.Is(err, ErrZone) {
			t.Errorf("%q: got %v, %v; want ErrZone", name, location, err)
		}
	}
	if len(zones.loaded) > len(zoneIdentifiers) {
		t.Error("more locations than identifiers are stored")
	}
}

func TestEveryIdentifierLoads(t *testing.T) {
	zones := NewZones()
	for folded, name := range zoneIdentifiers {
		if _, err := zones.location(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if strings.ToLower(name) != folded {
			t.Errorf("%s is filed under %s", name, folded)
		}
	}
	for _, table := range []map[int]string{zonesByOffset} {
		for _, name := range table {
			if zoneIdentifiers[strings.ToLower(name)] != name {
				t.Errorf("%s is no identifier", name)
			}
		}
	}
	for name := range historicAbbreviations {
		if zoneIdentifiers[strings.ToLower(name)] != name {
			t.Errorf("%s is no identifier", name)
		}
	}
}

func TestSiteZones(t *testing.T) {
	zones := NewZones()
	for _, c := range []struct{ timezone, offset, name, tec, core string }{
		{"Europe/Prague", "0", "Europe/Prague", "Europe/Prague", "Europe/Prague"},
		{"", "0", "UTC+0", "UTC", "UTC"},
		{"", "", "UTC+0", "UTC", "UTC"},
		{"", "2", "UTC+2", "Europe/Helsinki", "+02:00"},
		{"", "-5", "UTC-5", "America/New_York", "-05:00"},
		{"", "5.5", "UTC+5.5", "Asia/Kolkata", "+05:30"},
		{"", "5.75", "UTC+5.75", "Asia/Katmandu", "+05:45"},
		{"", "-9.5", "UTC-9.5", "UTC", "-09:30"},
		{"", "6", "UTC+6", "UTC", "+06:00"},
		{"Nowhere/Land", "2", "Nowhere/Land", "UTC", "+02:00"},
	} {
		if got := SiteZoneName(c.timezone, c.offset); got != c.name {
			t.Errorf("SiteZoneName(%q, %q) = %s, want %s", c.timezone, c.offset, got, c.name)
		}
		if got := zones.Site(c.timezone, c.offset).String(); got != c.tec {
			t.Errorf("Site(%q, %q) = %s, want %s", c.timezone, c.offset, got, c.tec)
		}
		if got := zones.CoreSite(c.timezone, c.offset).String(); got != c.core {
			t.Errorf("CoreSite(%q, %q) = %s, want %s", c.timezone, c.offset, got, c.core)
		}
	}
}

func TestEventZone(t *testing.T) {
	zones := NewZones()
	for _, c := range []struct{ name, event, literal string }{
		{"UTC", "UTC", "UTC"},
		{"UTC+0", "UTC", "+00:00"},
		{"UTC-0", "UTC", "+00:00"},
		{"UTC+2", "Europe/Helsinki", "+02:00"},
		{"UTC+5:30", "Asia/Kolkata", "+05:30"},
		{"UTC+5.5", "Asia/Kolkata", "+05:30"},
		{"UTC-5:30", "America/Caracas", "-05:30"}, // the minutes are added to -5
		{"UTC-3:30", "UTC", "-03:30"},
		{"UTC+10", "Australia/Melbourne", "+10:00"},
		{"UTC+1.5", "Africa/Johannesburg", "+01:30"},
		{"UTC 5", "Asia/Karachi", "+05:00"},
		{"UTC+99", "UTC", "+99:00"},
		{"Europe/Prague", "Europe/Prague", "Europe/Prague"},
		{" +05:30", "+05:30", "+05:30"},
	} {
		event, err := zones.EventZone(c.name)
		if err != nil || event.String() != c.event {
			t.Errorf("EventZone(%q) = %v, %v; want %s", c.name, event, err, c.event)
		}
		literal, err := zones.LiteralZone(c.name)
		if err != nil || literal.String() != c.literal {
			t.Errorf("LiteralZone(%q) = %v, %v; want %s", c.name, literal, err, c.literal)
		}
		if !zones.ValidEventZone(c.name) {
			t.Errorf("%q is not valid", c.name)
		}
	}
	for name, want := range map[string]error{"UTCfoo": ErrOffset, "UTC+": ErrOffset, "UTC+5:x": ErrOffset, "Mars/Phobos": ErrZone, "": ErrZone, "5": ErrZone} {
		if location, err := zones.EventZone(name); !errors.Is(err, want) {
			t.Errorf("EventZone(%q) = %v, %v; want %v", name, location, err, want)
		}
	}
	for _, name := range []string{"Foo/Bar", "utc+5:30", "5"} {
		if zones.ValidEventZone(name) {
			t.Errorf("%q is valid", name)
		}
	}
}

// TestEventLiteral checks the offsets of WordPress's menu, and times with a colon.
func TestEventLiteral(t *testing.T) {
	zones := NewZones()
	odd := map[string]EventLiteral{
		"UTC+0.5": {ReadInUTC: true}, "UTC-0.5": {ReadInUTC: true}, "UTC+12.75": {ShownInUTC: true}, "UTC+13.75": {ShownInUTC: true},
		"UTC+5:30": {ShownInUTC: true}, "UTC-3:30": {ShownInUTC: true}, "UTC+5:00": {ShownInUTC: true},
	}
	names := []string{"UTC+5.75", "UTC+8.75", "UTC+0", "UTC-0", "Europe/Prague", "+05:30"}
	for half := -24; half <= 28; half++ {
		names = append(names, SiteZoneName("", strconv.FormatFloat(float64(half)/2, 'f', -1, 64)))
	}
	for name := range odd {
		names = append(names, name)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			want := odd[name]
			var err error
			if want.Location, err = zones.LiteralZone(name); err != nil {
				t.Fatal(err)
			}
			got, err := zones.EventLiteral(name)
			if err != nil || got.String() != want.String() || got.ReadInUTC != want.ReadInUTC || got.ShownInUTC != want.ShownInUTC {
				t.Errorf("%+v, %v; want %+v", got, err, want)
			}
		})
	}
	for _, name := range []string{"Mars/Phobos", "UTCfoo", ""} {
		if got, err := zones.EventLiteral(name); err == nil {
			t.Errorf("%q is %v", name, got)
		}
	}
}

func TestStoredAbbr(t *testing.T) {
	zones := NewZones()
	for _, c := range []struct{ name, january, july string }{
		{"Europe/Prague", "CET", "CEST"},
		{"europe/prague", "CET", "CEST"},
		{"UTC", "UTC", "UTC"},
		{"utc", "UTC", "UTC"},
		{"UTC+5.5", "UTC+5.5", "UTC+5.5"},
		{"EST", "EST", "EST"},
		{"+02:00", "GMT+0200", "GMT+0200"},
		{"America/Sao_Paulo", "-03", "-03"},
		{"America/Santiago", "SMT", "SMT"},
		{"america/santiago", "-03", "-04"},
		{"Australia/Lord_Howe", "AEST", "AEST"},
		{"Pacific/Chatham", "+1345", "+1245"},
	} {
		for month, want := range map[time.Month]string{1: c.january, 7: c.july} {
			got, err := zones.StoredAbbr(c.name, time.Date(2027, month, 15, 12, 0, 0, 0, time.UTC))
			if err != nil || got != want {
				t.Errorf("StoredAbbr(%q, %v) = %s, %v; want %s", c.name, month, got, err, want)
			}
		}
	}
	if _, err := zones.StoredAbbr("Mars/Phobos", time.Unix(0, 0)); !errors.Is(err, ErrZone) {
		t.Errorf("got %v, want ErrZone", err)
	}
}

func FuzzLoad(f *testing.F) {
	for _, s := range []string{"Europe/Prague", "UTC+5:30", "+05:30:15", "GMT-3", "posix/UTC", "/UTC", "UTC-5.5", "UTC+1e9", "UTC:", "(z)"} {
		f.Add(s)
	}
	zones := NewZones()
	f.Fuzz(func(t *testing.T, s string) {
		location, name, err := zones.Load(s)
		if err == nil && (location == nil || name == "") {
			t.Fatalf("%q gives %v %q", s, location, name)
		}
		if err == nil {
			if _, again, err := zones.Load(name); err != nil || again != name {
				t.Fatalf("%q is named %q, which gives %q, %v", s, name, again, err)
			}
		}
		zones.EventZone(s)
		zones.LiteralZone(s)
		zones.StoredAbbr(s, time.Unix(0, 0))
		zones.CoreSite("", s)
		zones.Site("", s)
	})
}

func TestZonesConcurrently(t *testing.T) {
	zones := NewZones()
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for _, name := range []string{"Europe/Prague", "america/new_york", "UTC+2", "UTC+5.5", "EST"} {
				if _, err := zones.EventZone(name); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
}
