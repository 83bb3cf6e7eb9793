package ical

import (
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"calbridge/rest/phpdate"
)

func TestCalendar(t *testing.T) {
	at := func(s string) time.Time {
		parsed, err := time.Parse(time.DateTime, s)
		if err != nil {
			t.Fatal(err)
		}
		return parsed
	}
	calendar := Calendar{
		Name: "Town <b>hall</b>", Home: "https://town.example", Host: "town.example", Version: "6.17.2", Description: "What is on in %s",
		Events: []Event{
			{
				ID: 7, Zone: "Asia/Kolkata", Start: at("2026-12-24 18:00:00"), End: at("2026-12-24 19:30:00"),
				Created: at("2026-01-02 03:04:05"), Modified: at("2026-02-03 04:05:06"),
				Title: "Carols, &amp; <em>more</em>; a \\ b", Content: "<p>One</p><p>Two\r\nlines</p>", URL: "https://town.example/event/carols/",
				Location: []string{"Hall", "0", "", "Main St, 1\r\nrear"}, Categories: []string{"Music, old", "R&amp;B"},
				Image: &Image{Type: "image/png", URL: "https://town.example/a.png"}, Organizer: &Organizer{Name: `Jo "J" & Sön, z`, Email: "a&b@town.example"},
			},
			{ID: 8, Zone: "CET", AllDay: true, Start: at("2026-12-31 00:00:00"), End: at("2026-12-31 23:59:59"),
				Created: at("2026-01-02 03:04:05"), Modified: at("2026-01-02 03:04:05"), Title: "Day", Content: "secret", Protected: "hidden"},
		},
	}
	want := `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Town hall - ECPv6.17.2//NONSGML v1.0//EN
CALSCALE:GREGORIAN
METHOD:PUBLISH
X-WR-CALNAME:Town hall
X-ORIGINAL-URL:https://town.example
X-WR-CALDESC:What is on in Town hall
REFRESH-INTERVAL;VALUE=DURATION:PT1H
X-Robots-Tag:noindex
X-PUBLISHED-TTL:PT1H
BEGIN:VTIMEZONE
TZID:Asia/Kolkata
BEGIN:STANDARD
TZOFFSETFROM:+0530
TZOFFSETTO:+0530
TZNAME:IST
DTSTART:20250101T000000
END:STANDARD
END:VTIMEZONE
BEGIN:VTIMEZONE
TZID:CET
END:VTIMEZONE
BEGIN:VEVENT
DTSTART;TZID=Asia/Kolkata:20261224T180000
DTEND;TZID=Asia/Kolkata:20261224T193000
DTSTAMP:20260203T040506Z
CREATED:20260102T030405Z
LAST-MODIFIED:20260203T040506Z
UID:7-1798135200-1798140600@town.example
SUMMARY:Carols\, & more; a \ b
DESCRIPTION:One Two\nlines
URL:https://town.example/event/carols/
LOCATION:Hall\, Main St\, 1\nrear
CATEGORIES:Music, old,R&B
ATTACH;FMTTYPE=image/png:https://town.example/a.png
ORGANIZER;CN="Jo 'J' & S%C3%B6n%2C z":MAILTO:a&amp;b@town.example
END:VEVENT
BEGIN:VEVENT
DTSTART;VALUE=DATE:20261231
DTEND;VALUE=DATE:20270101
DTSTAMP:20260102T030405Z
CREATED:20260102T030405Z
LAST-MODIFIED:20260102T030405Z
UID:8-1798675200-1798761599@town.example
SUMMARY:Day
DESCRIPTION:hidden
URL:
END:VEVENT
END:VCALENDAR`
	got := string(calendar.AppendTo(nil, phpdate.NewZones()))
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\r\n")); diff != "" {
		t.Error(diff)
	}
	one := Calendar{Events: []Event{{ID: 46}}}
	for slug, want := range map[string]string{"town-hall": "town-hall-e62bfa3be1f.ics", "": "e62bfa3be1f.ics", "%f0%9f%8e%89": "f09f8e89-e62bfa3be1f.ics"} {
		if name := one.FileName(slug); name != want {
			t.Errorf("%s, want %s", name, want)
		}
	}
	calendar.Outlook = true
	if got := string(calendar.AppendTo(nil, phpdate.NewZones())); strings.Contains(got, "X-WR-CALNAME") {
		t.Error("Outlook exports have a name")
	}
}

func TestOffset(t *testing.T) {
	for seconds, want := range map[int]string{0: "+0000", 3600: "+0100", -12600: "-0330", 45900: "+1245", -1800: "+0030", 3661: "+0101"} {
		if got := offset(seconds); got != want {
			t.Errorf("%d: %s, want %s", seconds, got, want)
		}
	}
}

func TestDecodeEntities(t *testing.T) {
	for in, want := range map[string]string{
		"a &amp;lt; b": "a &lt; b", "&copy &copy;": "&copy ©", "&apos;&#039;&quot;": `&apos;'"`, "&unknown; &; &#; &#x; &#xZ;": "&unknown; &; &#; &#x; &#xZ;",
		"&#128512;&#x1F600;": "😀😀", "&#128;&#0;&#x110000;&#xD800;": "&#128;&#0;&#x110000;&#xD800;", "&lang;&rang;": "\u2329\u232a", "&": "&", "&#10;": "\n",
	} {
		if got := decodeEntities(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// hostile returns a calendar of one event whose texts are all hostile.
func hostile(form Form, title, content, place, name, email string) *Calendar {
	at := time.Date(2026, time.May, 4, 18, 0, 0, 0, time.UTC)
	return &Calendar{Name: title, Description: "What is on in %s", Form: form, Events: []Event{{
		ID: 1, Zone: place, Title: title, Content: content, URL: name, Location: []string{place, name}, Categories: []string{name, title},
		Image: &Image{email, place}, Organizer: &Organizer{name, email}, Start: at, End: at.Add(time.Hour),
	}}}
}

// FuzzEvent: but for the reference's own form no value ends a line of the export, or
// begins another property. The standard form has short lines of whole characters, and
// unfolded they are texts that RFC 5545 allows.
func FuzzEvent(f *testing.F) {
	f.Add("Title", "<p>Text</p>", "Hall\r\nrear", "Name", "a@b")
	f.Add("&#10;BEGIN:VEVENT", "&#13;&#10;X:", "&#x0d;", "\r\n", "\r\nX:y")
	f.Add(strings.Repeat("ž", 200), "a\x00b\u202ec\xc5", "Europe/Prague", "a;b\\,c", "a@b?x=\"")
	zones := phpdate.NewZones()
	f.Fuzz(func(t *testing.T, title, content, place, name, email string) {
		for _, form := range []Form{Contained, Standard} {
			out := string(hostile(form, title, content, place, name, email).AppendTo(nil, zones))
			if n := strings.Count("\r\n"+out+"\r\n", "\r\nBEGIN:VEVENT\r\n"); n != 1 {
				t.Errorf("form %d: %d events in %q", form, n, out)
			}
			unfolded := strings.ReplaceAll(out, "\r\n ", "")
			for line := range strings.SplitSeq(strings.TrimSuffix(unfolded, "\r\n"), "\r\n") {
				if strings.ContainsAny(line, "\r\n") {
					t.Errorf("form %d: %q", form, line)
				}
				if form == Standard && (!utf8.ValidString(line) || !property.MatchString(line)) {
					t.Errorf("%q", line)
				}
			}
			if form != Standard {
				continue
			}
			if !strings.HasSuffix(out, "\r\n") {
				t.Error("the last line has no end")
			}
			for line := range strings.SplitSeq(out, "\r\n") {
				if len(line) > 75 || !utf8.ValidString(line) {
					t.Errorf("%d octets: %q", len(line), line)
				}
			}
		}
	})
}

// property is a content line of RFC 5545.
var property = regexp.MustCompile(`^[A-Za-z-]+(;[A-Z-]+=("[^"\x00-\x08\x0a-\x1f]*"|[^";:,\x00-\x08\x0a-\x1f]*))*:[^\x00-\x08\x0a-\x1f\x7f]*$`)

// TestStandard: what the standard form writes otherwise.
func TestStandard(t *testing.T) {
	at := func(year int, month time.Month, day, hour int) time.Time {
		return time.Date(year, month, day, hour, 0, 0, 0, time.UTC)
	}
	calendar := Calendar{
		Name: "Town; &amp; hall", Home: "https://town.example", Host: "town.example", Version: "6.17.2", Description: "What is on in %s", Form: Standard,
		Events: []Event{
			{ID: 1, Zone: "Europe/Prague", Start: at(2026, 7, 1, 18), End: at(2026, 7, 1, 20), Title: `a \ b; c, d`, Content: strings.Repeat("ž", 60),
				Categories: []string{"Music, old", "R&amp;B"}, Organizer: &Organizer{`Jo "J" & Sön, z`, " jo@town.example "}, Image: &Image{}},
			{ID: 2, Zone: "America/New_York", Start: at(2026, 7, 1, 18), End: at(2026, 6, 1, 20), Organizer: &Organizer{"Nobody", "no address"}},
			{ID: 3, Zone: "UTC-5", Start: at(2026, 7, 1, 18), End: at(2026, 7, 1, 20)},
			{ID: 4, Zone: "no/zone", Start: at(2026, 7, 1, 18), End: at(2026, 7, 1, 20)},
			{ID: 5, Zone: "CET", AllDay: true, Start: at(2026, 7, 1, 0), End: at(2026, 7, 2, 0)},
			{ID: 6, Zone: "UTC", Start: at(-1, 11, 30, 0), End: at(2026, 7, 2, 0)},
		},
	}
	out := string(calendar.AppendTo(nil, phpdate.NewZones()))
	unfolded := strings.ReplaceAll(out, "\r\n ", "")
	for _, want := range []string{
		`X-WR-CALNAME:Town\; & hall`, `SUMMARY:a \\ b\; c\, d`, "DESCRIPTION:" + strings.Repeat("ž", 60), `CATEGORIES:Music\, old,R&B`,
		`ORGANIZER;CN="Jo 'J' & Sön, z":mailto:jo@town.example`, "DTSTART:20260701T180000Z", "DTSTART;VALUE=DATE:20260701",
		// what applies at the beginning, then each change in the local time before it
		"BEGIN:STANDARD\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0100\r\nTZNAME:CET\r\nDTSTART:20250101T010000\r\nEND:STANDARD\r\n" +
			"BEGIN:DAYLIGHT\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\nTZNAME:CEST\r\nDTSTART:20250330T020000\r\nEND:DAYLIGHT\r\n",
	} {
		if !strings.Contains(unfolded, want+"\r\n") && !strings.Contains(unfolded, want) {
			t.Errorf("no %s", want)
		}
	}
	for text, want := range map[string]int{
		"BEGIN:VTIMEZONE": 2, "TZID:America/New_York": 1, "TZID:CET": 0, "BEGIN:VEVENT": 5, "ORGANIZER": 1, "ATTACH": 0, "DTEND": 4, "\r\nURL:": 0,
	} {
		if n := strings.Count(unfolded, text); n != want {
			t.Errorf("%d of %s, want %d", n, text, want)
		}
	}
	if t.Failed() {
		t.Log(out)
	}
}

// TestDistantYears: a date in a distant year doesn't list the changes of a million years.
func TestDistantYears(t *testing.T) {
	for _, form := range []Form{AsReference, Contained, Standard} {
		calendar := Calendar{Form: form, Events: []Event{{Zone: "Europe/Prague", Start: time.Date(2026, time.May, 4, 18, 0, 0, 0, time.UTC), End: time.Date(3_000_000, time.May, 4, 18, 0, 0, 0, time.UTC)}}}
		if n := len(calendar.AppendTo(nil, phpdate.NewZones())); n > 4<<20 {
			t.Errorf("form %d: %d bytes", form, n)
		}
	}
}

// TestYearsBefore: PHP can't read the end of a year before 1, so that zones are listed up to
// now.
func TestYearsBefore(t *testing.T) {
	calendar := Calendar{
		Present: func() time.Time { return time.Date(2026, time.July, 1, 12, 0, 0, 0, time.UTC) },
		Events:  []Event{{Zone: "Europe/Prague", Start: time.Date(2027, time.May, 4, 18, 0, 0, 0, time.UTC), End: time.Date(-1, time.November, 30, 0, 0, 0, 0, time.UTC)}},
	}
	out := string(calendar.AppendTo(nil, phpdate.NewZones()))
	if n := strings.Count(out, "TZOFFSETTO"); n != 1 || !strings.Contains(out, "DTSTART:20260329T010000") {
		t.Errorf("%d changes in %s", n, out)
	}
}
