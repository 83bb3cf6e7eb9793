package phpdate

import (
	"strings"
	"testing"
	"time"
	_ "time/tzdata"
)

// The base of the tables: Saturday 2026-03-14 15:09:26 UTC.
var base = time.Unix(1773500966, 0)

// readings holds date strings and what PHP 8.2 makes of them in UTC and in
// Europe/Prague; "" means that it refuses them.
var readings = []struct{ input, utc, prague string }{
	{"2031-05-06", "2031-05-06 00:00:00", "2031-05-06 00:00:00"},
	{"2031-05-06 07:08", "2031-05-06 07:08:00", "2031-05-06 07:08:00"},
	{"2031-05-06T07:08:09", "2031-05-06 07:08:09", "2031-05-06 07:08:09"},
	{"2031-05-06T07:08:09Z", "2031-05-06 07:08:09", "2031-05-06 09:08:09"},
	{"2031-05-06T07:08:09.25+02:00", "2031-05-06 05:08:09", "2031-05-06 07:08:09"},
	{"2031-05-06 07:08:09 -0330", "2031-05-06 10:38:09", "2031-05-06 12:38:09"},
	{"2031/5/6", "2031-05-06 00:00:00", "2031-05-06 00:00:00"},
	{"5/6/2031", "2031-05-06 00:00:00", "2031-05-06 00:00:00"},
	{"5/6", "2026-05-06 00:00:00", "2026-05-06 00:00:00"},
	{"6.5.2031", "2031-05-06 00:00:00", "2031-05-06 00:00:00"},
	{"6-5-2031", "2031-05-06 00:00:00", "2031-05-06 00:00:00"},
	{"06.05.31", "2026-03-14 06:05:31", "2026-03-14 06:05:31"},
	{"31-05-06", "2031-05-06 00:00:00", "2031-05-06 00:00:00"},
	{"20310506", "2031-05-06 00:00:00", "2031-05-06 00:00:00"},
	{"20310506T070809", "2031-05-06 07:08:09", "2031-05-06 07:08:09"},
	{"20310506070809", "2031-05-06 07:08:09", "2031-05-06 07:08:09"},
	{"2031:05:06 07:08:09", "2031-05-06 07:08:09", "2031-05-06 07:08:09"},
	{"2031-126", "2031-05-06 00:00:00", "2031-05-06 00:00:00"},
	{"2031.126", "2031-05-06 00:00:00", "2031-05-06 00:00:00"},
	{"2031W193", "2031-05-07 00:00:00", "2031-05-07 00:00:00"},
	{"2031-W19-3", "2031-05-07 00:00:00", "2031-05-07 00:00:00"},
	{"2031-W19", "2031-05-05 00:00:00", "2031-05-05 00:00:00"},
	{"2031-05", "2031-05-01 00:00:00", "2031-05-01 00:00:00"},
	{"2031-00-00", "2030-11-30 00:00:00", "2030-11-30 00:00:00"},
	{"2031-02-30", "2031-03-02 00:00:00", "2031-03-02 00:00:00"},
	{"6 May 2031", "2031-05-06 00:00:00", "2031-05-06 00:00:00"},
	{"6th May 2031", "2031-05-06 00:00:00", "2031-05-06 00:00:00"},
	{"6-May-31", "2031-05-06 00:00:00", "2031-05-06 00:00:00"},
	{"May 6, 2031", "2031-05-06 00:00:00", "2031-05-06 00:00:00"},
	{"May-06-2031", "2031-05-06 00:00:00", "2031-05-06 00:00:00"},
	{"2031-May-06", "2031-05-06 00:00:00", "2031-05-06 00:00:00"},
	{"May 2031", "2031-05-01 00:00:00", "2031-05-01 00:00:00"},
	{"2031 May", "2031-05-01 00:00:00", "2031-05-01 00:00:00"},
	{"6 V 2031", "2031-05-06 00:00:00", "2031-05-06 00:00:00"},
	{"May 6", "2026-05-06 00:00:00", "2026-05-06 00:00:00"},
	{"6 May", "2026-05-06 00:00:00", "2026-05-06 00:00:00"},
	{"may", "2026-05-14 00:00:00", "2026-05-14 00:00:00"},
	{"1985", "1985-03-14 15:09:26", "1985-03-14 16:09:26"},
	{"6/May/2031:07:08:09 +0200", "2031-05-06 05:08:09", "2031-05-06 07:08:09"},
	{"Tue, 06 May 2031 07:08:09 GMT", "2031-05-06 07:08:09", "2031-05-06 09:08:09"},
	{"Tue May 6 07:08:09 2031", "2031-05-06 07:08:09", "2031-05-06 07:08:09"},
	{"Tue May 6 2031 07:08:09 GMT+0200 (CEST)", "2031-05-06 05:08:09", "2031-05-06 07:08:09"},
	{"-0044-03-15", "-0044-03-15 00:00:00", "-0044-03-15 00:00:00"},
	{"+12031-05-06", "12031-05-06 00:00:00", "12031-05-06 00:00:00"},
	{"@1000000000", "2001-09-09 01:46:40", "2001-09-09 03:46:40"},
	{"@-1.5", "1969-12-31 23:59:58", "1970-01-01 00:59:58"},
	{"@1000000000 +1 day", "2001-09-10 01:46:40", "2001-09-10 03:46:40"},
	{"7:08", "2026-03-14 07:08:00", "2026-03-14 07:08:00"},
	{"7.08", "2026-03-14 07:08:00", "2026-03-14 07:08:00"},
	{"0708", "2026-03-14 07:08:00", "2026-03-14 07:08:00"},
	{"070809", "2026-03-14 07:08:09", "2026-03-14 07:08:09"},
	{"t7", "2026-03-14 07:00:00", "2026-03-14 07:00:00"},
	{"7 am", "2026-03-14 07:00:00", "2026-03-14 07:00:00"},
	{"12 am", "2026-03-14 00:00:00", "2026-03-14 00:00:00"},
	{"12:30 AM", "2026-03-14 00:30:00", "2026-03-14 00:30:00"},
	{"7:08:09 p.m.", "2026-03-14 19:08:09", "2026-03-14 19:08:09"},
	{"7:08:09:250pm", "2026-03-14 19:08:09", "2026-03-14 19:08:09"},
	{"24:10", "2026-03-15 00:10:00", "2026-03-15 00:10:00"},
	{"23:59:60", "2026-03-15 00:00:00", "2026-03-15 00:00:00"},
	{"7:08 2031", "2031-03-14 07:08:00", "2031-03-14 07:08:00"},
	{"noon", "2026-03-14 12:00:00", "2026-03-14 12:00:00"},
	{"today", "2026-03-14 00:00:00", "2026-03-14 00:00:00"},
	{"midnight", "2026-03-14 00:00:00", "2026-03-14 00:00:00"},
	{"now", "2026-03-14 15:09:26", "2026-03-14 16:09:26"},
	{"tomorrow", "2026-03-15 00:00:00", "2026-03-15 00:00:00"},
	{"yesterday 8pm", "2026-03-13 20:00:00", "2026-03-13 20:00:00"},
	{"back of 3pm", "2026-03-14 15:15:00", "2026-03-14 15:15:00"},
	{"front of 3", "2026-03-14 02:45:00", "2026-03-14 02:45:00"},
	{"sat", "2026-03-14 00:00:00", "2026-03-14 00:00:00"},
	{"sun", "2026-03-15 00:00:00", "2026-03-15 00:00:00"},
	{"saturday 10:00", "2026-03-14 10:00:00", "2026-03-14 10:00:00"},
	{"next sat", "2026-03-21 00:00:00", "2026-03-21 00:00:00"},
	{"last sat", "2026-03-07 00:00:00", "2026-03-07 00:00:00"},
	{"this sat", "2026-03-14 00:00:00", "2026-03-14 00:00:00"},
	{"third tuesday", "2026-03-31 00:00:00", "2026-03-31 00:00:00"},
	{"next month", "2026-04-14 15:09:26", "2026-04-14 16:09:26"},
	{"last year", "2025-03-14 15:09:26", "2025-03-14 16:09:26"},
	{"next week", "2026-03-16 15:09:26", "2026-03-16 16:09:26"},
	{"monday this week", "2026-03-09 00:00:00", "2026-03-09 00:00:00"},
	{"sunday last week", "2026-03-08 00:00:00", "2026-03-08 00:00:00"},
	{"first day of", "2026-03-01 15:09:26", "2026-03-01 16:09:26"},
	{"last day of february 2028", "2028-02-29 00:00:00", "2028-02-29 00:00:00"},
	{"first day of next month midnight", "2026-04-01 00:00:00", "2026-04-01 00:00:00"},
	{"first friday of may 2031", "2031-05-02 00:00:00", "2031-05-02 00:00:00"},
	{"fourth thursday of november", "2026-11-26 00:00:00", "2026-11-26 00:00:00"},
	{"last wed of next month", "2026-04-29 00:00:00", "2026-04-29 00:00:00"},
	{"this sunday of may 2031", "2031-06-01 00:00:00", "2031-06-01 00:00:00"},
	{"+3 days", "2026-03-17 15:09:26", "2026-03-17 16:09:26"},
	{"-3 days", "2026-03-11 15:09:26", "2026-03-11 16:09:26"},
	{"3 days ago", "2026-03-11 15:09:26", "2026-03-11 16:09:26"},
	{"+ 2 weeks 1 day 3 hours", "2026-03-29 18:09:26", "2026-03-29 19:09:26"},
	{"+-2 days", "2026-03-12 15:09:26", "2026-03-12 16:09:26"},
	{"+1 month", "2026-04-14 15:09:26", "2026-04-14 16:09:26"},
	{"+5 weekdays", "2026-03-20 15:09:26", "2026-03-20 16:09:26"},
	{"-5 weekdays", "2026-03-09 15:09:26", "2026-03-09 16:09:26"},
	{"6 weekdays ago", "2026-03-06 15:09:26", "2026-03-06 16:09:26"},
	{"+1 fortnight", "2026-03-28 15:09:26", "2026-03-28 16:09:26"},
	{"+90 sec", "2026-03-14 15:10:56", "2026-03-14 16:10:56"},
	{"+250 ms", "2026-03-14 15:09:26", "2026-03-14 16:09:26"},
	{"next year +1 day", "2027-03-15 15:09:26", "2027-03-15 16:09:26"},
	{"2031-05-06 +1 month -1 day", "2031-06-05 00:00:00", "2031-06-05 00:00:00"},
	{"tomorrow -1 hour", "2026-03-14 23:00:00", "2026-03-14 23:00:00"},
	{"2027-03-28 02:15", "2027-03-28 02:15:00", "2027-03-28 03:15:00"},
	{"2027-10-31 02:15", "2027-10-31 02:15:00", "2027-10-31 02:15:00"},
	{"2027-10-31 01:15 +1 hour", "2027-10-31 02:15:00", "2027-10-31 02:15:00"},
	{"2027-03-28 01:15 +1 hour", "2027-03-28 02:15:00", "2027-03-28 03:15:00"},
	{"7:08 EST", "2026-03-14 12:08:00", "2026-03-14 13:08:00"},
	{"7:08 America/New_York", "2026-03-14 11:08:00", "2026-03-14 12:08:00"},
	{"7:08 (CET)", "2026-03-14 06:08:00", "2026-03-14 07:08:00"},
	{"7:08 +5", "2026-03-14 02:08:00", "2026-03-14 03:08:00"},
	{"7:08 GMT-3:30", "2026-03-14 10:38:00", "2026-03-14 11:38:00"},
	{"7:08 Z UTC", "2026-03-14 07:08:00", "2026-03-14 08:08:00"},
	{"7:08 Z UTC CET", "", ""},
	{"7:08 Nowhere/Land", "", ""},
	{"2031-05-06 2031-05-07", "", ""},
	{"7:08 8:08", "", ""},
	{"2031-13-01", "", ""},
	{"2031-05-32", "", ""},
	{"32.5.2031", "", ""},
	{"25:00", "", ""},
	{"12:60", "", ""},
	{"13pm", "", ""},
	{"6 May 07:08", "", ""},
	{"May 6 7pm", "", ""},
	{"29.12.31", "2031-12-29 00:00:00", "2031-12-29 00:00:00"},
	{"May 6 7:30pm", "2026-05-06 19:30:00", "2026-05-06 19:30:00"},
	{"6 MAY 2031", "2031-05-06 00:00:00", "2031-05-06 00:00:00"},
	{"6TH May 2031", "", ""},
	{"first week", "", ""},
	{"blah", "", ""},
	{"5", "", ""},
	{"+", "", ""},
	{"-", "", ""},
	{"1 ago", "", ""},
	{"2031-05-06x", "2031-05-06 11:00:00", "2031-05-06 13:00:00"},
	{"2031-05-06;", "", ""},
	{"2031‐05‐06", "", ""},
	{"6 května 2031", "", ""},
}

// clockAt is a clock that stands still.
func clockAt(t time.Time) Clock { return func() time.Time { return t } }

func TestReadings(t *testing.T) {
	zones := NewZones()
	prague, _, err := zones.Load("Europe/Prague")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range readings {
		for zone, want := range map[*time.Location]string{time.UTC: c.utc, prague: c.prague} {
			unix, ok := zones.Strtotime(c.input, clockAt(base), zone)
			got := ""
			if ok {
				got = Format(time.Unix(unix, 0).In(zone), "Y-m-d H:i:s")
			}
			if got != want {
				t.Errorf("%q in %s: got %q, want %q", c.input, zone, got, want)
			}
			result, err := zones.Parse(c.input, clockAt(base), zone)
			if (err == nil) != ok || (ok && result.Time.Unix() != unix) {
				t.Errorf("%q in %s: Parse gives %v, %v, Strtotime %d, %v", c.input, zone, result, err, unix, ok)
			}
		}
	}
}

func TestResult(t *testing.T) {
	zones := NewZones()
	prague, _, err := zones.Load("Europe/Prague")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		input, wall, zone string
		zoned             bool
		micro             int
	}{
		{"2031-07-01 10:15", "2031-07-01 10:15:00", "Europe/Prague", false, 0},
		{"2031-07-01T10:15:00Z", "2031-07-01 10:15:00", "Z", true, 0},
		{"2031-07-01T10:15:00.125+05:00", "2031-07-01 10:15:00", "+05:00", true, 125000},
		{"2031-07-01 10:15 america/New_York", "", "", false, 0},
		{"2031-07-01 10:15 America/new_york", "2031-07-01 10:15:00", "America/New_York", true, 0},
		{"2031-07-01 10:15 cest", "2031-07-01 10:15:00", "CEST", true, 0},
		{"2031-07-01 10:15 UTC", "2031-07-01 10:15:00", "UTC", true, 0},
		{"@1000000000", "2001-09-09 01:46:40", "+00:00", true, 0},
		{"@-1.25", "1969-12-31 23:59:58", "+00:00", true, 750000},
		{"2027-03-28 02:30", "2027-03-28 03:30:00", "Europe/Prague", false, 0},
		{"tomorrow 9am", "2026-03-15 09:00:00", "Europe/Prague", false, 0},
		{"10:00 +05:30", "2026-03-14 10:00:00", "+05:30", true, 0},
		{"now +05:30", "2026-03-14 16:09:26", "+05:30", true, 0}, // the clock is Prague's
		{"", "2026-03-14 16:09:26", "Europe/Prague", false, 0},
		{" ", "2026-03-14 16:09:26", "Europe/Prague", false, 0},
		{"today\n8pm", "2026-03-14 20:00:00", "Europe/Prague", false, 0},
		{"8:00\ntoday", "2026-03-14 00:00:00", "Europe/Prague", false, 0},
	} {
		got, err := zones.Parse(c.input, clockAt(base), prague)
		if c.wall == "" {
			if err == nil {
				t.Errorf("%q: got %v, want an error", c.input, got)
			}
			continue
		}
		if err != nil || got.Wall() != c.wall || got.Zone != c.zone || got.Zoned != c.zoned || got.Time.Nanosecond() != c.micro*1000 {
			t.Errorf("%q: got %s %s %v %d (%v), want %+v", c.input, got.Wall(), got.Zone, got.Zoned, got.Time.Nanosecond(), err, c)
		}
	}
}

func TestOverlapsAndGaps(t *testing.T) {
	zones := NewZones()
	for _, c := range []struct{ input, zone, want string }{
		{"2027-10-31 02:15", "Europe/Prague", "2027-10-31T02:15:00+01:00"},    // east: the second
		{"2027-11-07 01:15", "America/New_York", "2027-11-07T01:15:00-04:00"}, // west: the first
		{"2027-03-28 02:15", "Europe/Prague", "2027-03-28T03:15:00+02:00"},
		{"2027-03-14 02:15", "America/New_York", "2027-03-14T03:15:00-04:00"},
		{"2027-10-03 02:15", "Australia/Lord_Howe", "2027-10-03T02:45:00+11:00"},
		{"2011-12-30 12:00", "Pacific/Apia", "2011-12-31T12:00:00+14:00"}, // a day that never was
	} {
		zone, _, err := zones.Load(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		got, err := zones.Parse(c.input, clockAt(base), zone)
		if err != nil || Format(got.Time, "c") != c.want {
			t.Errorf("%s %s: got %s (%v), want %s", c.input, c.zone, Format(got.Time, "c"), err, c.want)
		}
	}
}

func TestIsTime(t *testing.T) {
	zones := NewZones()
	for input, want := range map[string]bool{
		"2027": true, "-5": true, " 1.5": true, "0": true, "2e0": true, "2027-05-06": true, "tomorrow": true,
		"@1814436900": true, "2027-02-30": true, "24:00": true,
		"1970-01-01": false, "1970-01-01T01:00:00+01:00": false, "1970-01-01 00:00:01": true,
		"": false, "garbage": false, "25:00": false, "2027-13-45": false,
	} {
		if got := isTime(zones, input, base); got != want {
			t.Errorf("isTime(%q) = %v", input, got)
		}
	}
}

func TestHostileStrings(t *testing.T) {
	zones := NewZones()
	for _, s := range []string{
		strings.Repeat(" ", maxLength), strings.Repeat("1", maxLength), strings.Repeat("@", maxLength),
		"@" + strings.Repeat("9", maxLength-1), strings.Repeat("+1 day ", maxLength/7), strings.Repeat("ago ", maxLength/4),
		strings.Repeat("may ", maxLength/4), "may" + strings.Repeat(" .", maxLength/2-2), strings.Repeat("+", maxLength),
		"1" + strings.Repeat(" ", maxLength-5) + "day", strings.Repeat("+9999999999999 years ", 150), strings.Repeat("x", 10*maxLength),
		"Aa" + strings.Repeat("/a", maxLength/2-1), "10:00:00." + strings.Repeat("7", maxLength-9), "-9223372036854775808-01-01",
	} {
		start := time.Now()
		zones.Strtotime(s, clockAt(base), time.UTC)
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%.20q… took %v", s, took)
		}
		if r, err := zones.Parse(s, clockAt(base), time.UTC); err == nil && (r.Time.Year() > 20e9 || r.Time.Year() < -20e9) {
			t.Errorf("%.20q… gives the year %d", s, r.Time.Year())
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, c := range readings {
		f.Add(c.input)
	}
	for _, s := range []string{"µ", "+1 µs", "\x00", "Europe/", "GMT+", "@.", "first day of", "(UTC)", "\xff\xfe", "1/7th/2027"} {
		f.Add(s)
	}
	zones := NewZones()
	prague, _, err := zones.Load("Europe/Prague")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, zone := range []*time.Location{time.UTC, prague} {
			unix, ok := zones.Strtotime(s, clockAt(base), zone)
			r, err := zones.Parse(s, clockAt(base), zone)
			if err != nil {
				continue
			}
			if s != "" && (!ok || r.Time.Unix() != unix) {
				t.Fatalf("%q: Parse %v, Strtotime %d %v", s, r, unix, ok)
			}
			if y := r.Time.Year(); y > 20e9 || y < -20e9 {
				t.Fatalf("%q gives the year %d", s, y)
			}
			// What we write we must read back.
			if y := r.Time.Year(); y >= 0 && y <= 9999 && r.Wall() != "" {
				again, err := zones.Parse(r.Wall(), clockAt(base), time.UTC)
				if err != nil || again.Wall() != r.Wall() {
					t.Fatalf("%q: %s reads back as %s, %v", s, r.Wall(), again.Wall(), err)
				}
			}
			Format(r.Time, s)
		}
	})
}

// Every format is the reading of some string of the table.
func TestEveryFormatIsRead(t *testing.T) {
	read := map[string]bool{}
	for _, c := range readings {
		s := c.input + "\x00"
		for at := 0; at < len(s); {
			f, end := longestToken(s, at)
			if f == nil {
				at++
				continue
			}
			read[f.name] = true
			at = end
		}
	}
	for _, f := range formats {
		if !read[f.name] {
			t.Errorf("no string of the table is read as %q", f.name)
		}
	}
}
