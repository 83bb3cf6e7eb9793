package rfc5545

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func at(t testing.TB, text string) time.Time {
	t.Helper()
	parsed, err := time.Parse(time.DateTime, text)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// feedOf writes a feed of one event.
func feedOf(e *Event) string {
	c := Calendar{Name: "Town", Zones: NewZones(2026, 2026)}
	return string(c.AppendEnd(c.AppendEvent(c.AppendHead(nil), e)))
}

// TestDates: how dates are written: as local times where all readers take them for the
// instants, else in UTC.
func TestDates(t *testing.T) {
	prague, err := time.LoadLocation("Europe/Prague")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		start, end, startUTC, endUTC string
		allDay                       bool
		want                         string
	}{
		{"2026-07-01 10:00:00", "2026-07-01 11:00:00", "2026-07-01 08:00:00", "2026-07-01 09:00:00", false, "DTSTART;TZID=Europe/Prague:20260701T100000 DTEND;TZID=Europe/Prague:20260701T110000"},
		{"2026-07-01 10:00:00", "2026-07-01 10:00:00", "2026-07-01 08:00:00", "2026-07-01 08:00:00", false, "DTSTART;TZID=Europe/Prague:20260701T100000"},
		{"2026-07-01 10:00:00", "2026-07-01 11:00:00", "2026-07-01 10:00:00", "2026-07-01 11:00:00", false, "DTSTART:20260701T100000Z DTEND:20260701T110000Z"}, // stored otherwise
		{"2026-10-25 02:30:00", "2026-10-25 05:00:00", "2026-10-25 00:30:00", "2026-10-25 04:00:00", false, "DTSTART:20261025T003000Z DTEND:20261025T040000Z"}, // there twice
		{"2026-03-29 02:30:00", "2026-03-29 05:00:00", "2026-03-29 01:30:00", "2026-03-29 03:00:00", false, "DTSTART:20260329T013000Z DTEND:20260329T030000Z"}, // not there
		{"2090-07-01 10:00:00", "2090-07-01 11:00:00", "2090-07-01 08:00:00", "2090-07-01 09:00:00", false, "DTSTART:20900701T080000Z DTEND:20900701T090000Z"}, // outside
		{"2026-07-01 00:00:00", "2026-07-02 23:59:59", "2026-06-30 22:00:00", "2026-07-02 21:59:59", true, "DTSTART;VALUE=DATE:20260701 DTEND;VALUE=DATE:20260703"},
		{"9999-12-31 00:00:00", "9999-12-31 23:59:59", "9999-12-31 00:00:00", "9999-12-31 23:59:59", true, "DTSTART;VALUE=DATE:99991231"},
	} {
		e := &Event{Dates: Dates{AllDay: c.allDay, Start: at(t, c.start), End: at(t, c.end), StartUTC: at(t, c.startUTC), EndUTC: at(t, c.endUTC), Zone: prague}}
		var got []string
		_, event, _ := strings.Cut(feedOf(e), "BEGIN:VEVENT")
		for line := range strings.SplitSeq(event, "\r\n") {
			if strings.HasPrefix(line, "DTSTART") || strings.HasPrefix(line, "DTEND") {
				got = append(got, line)
			}
		}
		if text := strings.Join(got, " "); !e.CanBeWritten() || text != c.want {
			t.Errorf("%s: %s, want %s", c.start, text, c.want)
		}
	}
	for _, year := range []int{-1, 0, 10_000} {
		d := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
		if e := (&Event{Dates: Dates{Start: d, End: d, StartUTC: d, EndUTC: d}}); e.CanBeWritten() {
			t.Errorf("year %d can be written", year)
		}
	}
}

// TestZone: the onsets of a zone are in the local time before them, as RFC 5545 asks.
func TestZone(t *testing.T) {
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	zones := NewZones(2026, 2026)
	got := string(zones.appendTo(nil, zone))
	for _, want := range []string{"DTSTART:20250309T020000\r\nRDATE:20250309T020000\r\nRDATE:20260308T020000\r\nRDATE:20270314T020000\r\nTZOFFSETFROM:-0500\r\nTZOFFSETTO:-0400\r\nTZNAME:EDT\r\n", "DTSTART:20251102T020000\r\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q: %s", want, got)
		}
	}
	if again := zones.appendTo(nil, zone); len(again) > 0 {
		t.Error("described twice")
	}
	for seconds, want := range map[int]string{0: "+0000", -1800: "-0030", 20700: "+0545", -2670: "-004430"} {
		if got := utcOffset(seconds); got != want {
			t.Errorf("%d: %s", seconds, got)
		}
	}
}

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "a": "a", "<p>One &amp; two</p>\n<p>Three<br />four</p>": "One & two\n\nThree\nfour", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<p>c</p>": "a\nb\n\nc",
		"<script>x</script>y": "y", "<h2>T</h2>text": "T\n\ntext",
	} {
		if got := Plain(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// FuzzEvent: whatever an event says, the feed has lines of at most 75 octets, whole characters,
// and one event.
func FuzzEvent(f *testing.F) {
	f.Add("Title", "<p>Text</p>", "Hall\r\nrear", "Name", "a@b.example", "https://a.example/", int64(1_800_000_000))
	f.Add("\r\nEND:VEVENT", "\x00\u2028\u202e", "é\xc3", "\"^\"", "a\r\n@b", "http://\r\nX:y", int64(-62_135_596_800))
	f.Add(strings.Repeat("🐎", 100), strings.Repeat("\\;,\n", 100), "", "", "", "", int64(253_402_300_799))
	zone, err := time.LoadLocation("Europe/Prague")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, title, markup, place, name, email, url string, unix int64) {
		start := time.Unix(unix%300_000_000_000, 0).UTC()
		e := &Event{
			UID: url, Title: title, HTML: markup, Location: place, URL: url, Categories: []string{title, place}, Organizer: &Organizer{name, email, url}, Image: &Image{place, url},
			Dates: Dates{Start: wall(start.In(zone)), End: wall(start.In(zone)), StartUTC: start, EndUTC: start, Zone: zone},
		}
		if !e.CanBeWritten() {
			return
		}
		feed := feedOf(e)
		if !utf8.ValidString(feed) {
			t.Error("broken UTF-8")
		}
		begun := 0
		for line := range strings.SplitSeq(strings.TrimSuffix(feed, "\r\n"), "\r\n") {
			if len(line) > maxLine || strings.ContainsAny(line, "\r\n\x00") || line == "" {
				t.Errorf("%q", line)
			}
			if line == "BEGIN:VEVENT" {
				begun++
			}
		}
		if begun != 1 {
			t.Errorf("%d events", begun)
		}
	})
}

func BenchmarkEvent(b *testing.B) {
	zone := time.UTC
	e := &Event{UID: "town.example?id=1", Title: "Title", HTML: "<p>" + strings.Repeat("Some words of text. ", 40) + "</p>", URL: "https://town.example/event/title/", Location: "Hall, Main St 1",
		Dates: Dates{Start: time.Unix(1_800_000_000, 0), End: time.Unix(1_800_003_600, 0), StartUTC: time.Unix(1_800_000_000, 0), EndUTC: time.Unix(1_800_003_600, 0), Zone: zone}}
	c := Calendar{Zones: NewZones(2026, 2028)}
	var out []byte
	for b.Loop() {
		out = c.AppendEvent(out[:0], e)
	}
	b.ReportMetric(float64(len(out)), "bytes")
}
