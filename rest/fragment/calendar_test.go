package fragment

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"calbridge/wpstore/invalidation"
)

// exportOf returns an export of events, as the reference writes it.
func exportOf(events ...string) string {
	return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Town - ECPv6.17.2//NONSGML v1.0//EN\r\nX-Robots-Tag:noindex\r\n" +
		"BEGIN:VTIMEZONE\r\nTZID:Europe/Prague\r\nBEGIN:STANDARD\r\nTZNAME:CET\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n" +
		strings.Join(append(events, "END:VCALENDAR"), "\r\n")
}

// eventOf returns an event of an export.
func eventOf(id, description string, more ...string) string {
	lines := append([]string{"BEGIN:VEVENT", "DTSTART;TZID=Europe/Prague:20261201T100000", "UID:" + id + "-1764583200-1764586800@town.example", "SUMMARY:Fair", "DESCRIPTION:" + description}, more...)
	return strings.Join(append(lines, "END:VEVENT"), "\r\n")
}

func mustSplitCalendar(t testing.TB, text string) *Document {
	t.Helper()
	d, err := SplitCalendar([]byte(text))
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return d
}

// TestSplitCalendar checks which exports have events, and which are refused.
func TestSplitCalendar(t *testing.T) {
	first, second := eventOf("45", `one\, two`, `ORGANIZER;CN="a:b":MAILTO:a@b.example`), eventOf("46", "")
	alarm := eventOf("45", "", "BEGIN:VALARM", "UID:9-1@alarm", "END:VALARM")
	good := exportOf(first, second)
	without := func(part string) string {
		if !strings.Contains(good, part) {
			t.Fatalf("no %q", part)
		}
		return strings.Replace(good, part, "", 1)
	}
	for _, c := range []struct {
		name, text string
		want       []string // the events; nil if the export is refused
	}{
		{"events", good, []string{first, second}},
		{"a line end behind", good + "\r\n", []string{first, second}},
		{"none", exportOf(), []string{}},
		{"a component in an event", exportOf(alarm), []string{alarm}},
		{"a property of a plugin", exportOf(eventOf("45", "", "X-COST;VALUE=TEXT:5")), []string{eventOf("45", "", "X-COST;VALUE=TEXT:5")}},
		{name: "nothing"},
		{name: "a line end", text: "\r\n"},
		{name: "text before", text: "Warning: a notice\r\n" + good},
		{name: "a line before", text: "X-A:1\r\n" + good},
		{name: "a byte order mark", text: "\ufeff" + good},
		{name: "text behind", text: good + "<!-- cached -->"},
		{name: "a comment behind", text: good + "\r\n<!-- cached -->"},
		{name: "two line ends behind", text: good + "\r\n\r\n"},
		{name: "a second calendar", text: good + "\r\n" + good},
		{name: "a calendar within", text: exportOf(good)},
		{name: "cut off", text: good[:len(good)-1]},
		{name: "cut off in an event", text: good[:len(good)-40]},
		{name: "cut off behind an event", text: strings.TrimSuffix(good, "\r\nEND:VCALENDAR")},
		{name: "bare newlines", text: strings.ReplaceAll(good, "\r\n", "\n")},
		{name: "one bare newline", text: strings.Replace(good, "one", "o\nne", 1)},
		{name: "one bare carriage return", text: strings.Replace(good, "one", "o\rne", 1)},
		{name: "a value on two lines", text: strings.Replace(good, "one", "o\r\nne", 1)},
		{name: "a folded line", text: strings.Replace(good, "one", "o\r\n ne", 1)},
		{name: "an empty line", text: strings.Replace(good, "SUMMARY", "\r\nSUMMARY", 1)},
		{name: "a control character", text: strings.Replace(good, "one", "o\x01ne", 1)},
		{name: "NUL", text: strings.Replace(good, "one", "o\x00ne", 1)},
		{name: "invalid UTF-8", text: strings.Replace(good, "one", "o\xffne", 1)},
		{name: "no end of an event", text: without("END:VEVENT\r\n")},
		{name: "no begin of an event", text: without("BEGIN:VEVENT\r\n")},
		{name: "an event in an event", text: exportOf(eventOf("45", "", second))},
		{name: "an event in a zone", text: exportOf("BEGIN:VTIMEZONE", first, "END:VTIMEZONE")},
		{name: "the end of another component", text: strings.Replace(good, "END:VEVENT", "END:VTODO", 1)},
		{name: "a component in lower case", text: exportOf("begin:VEVENT", "UID:1-1@a", "end:VEVENT")},
		{name: "a component's name in lower case", text: exportOf("BEGIN:Vevent", "UID:1-1@a", "END:Vevent")},
		{name: "a component with parameters", text: exportOf("BEGIN;X=1:VEVENT", "UID:1-1@a", "END:VEVENT")},
		{name: "an end that nothing began", text: exportOf("END:VEVENT")},
		{name: "a value with an injected event", text: exportOf(eventOf("45", "a\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:45-1@b"))},
		{name: "no UID", text: without("UID:46-1764583200-1764586800@town.example\r\n")},
		{name: "an empty UID", text: strings.Replace(good, "UID:46-1764583200-1764586800@town.example", "UID:", 1)},
		{name: "a UID without an id", text: strings.Replace(good, "UID:46-", "UID:x46-", 1)},
		{name: "a UID that is an id alone", text: strings.Replace(good, "UID:46-1764583200-1764586800@town.example", "UID:46", 1)},
		{name: "a negative id", text: strings.Replace(good, "UID:46-", "UID:-46-", 1)},
		{name: "an id of 0", text: strings.Replace(good, "UID:46-", "UID:0-", 1)},
		{name: "an id that is too large", text: strings.Replace(good, "UID:46-", "UID:9223372036854775808-", 1)},
		{name: "two UIDs", text: exportOf(eventOf("45", "", "UID:45-2@town.example"))},
		{name: "two UIDs, one in lower case", text: exportOf(eventOf("45", "", "uid:45-2@town.example"))},
		{name: "a UID with parameters", text: strings.Replace(good, "UID:46-", "UID;X=1:46-", 1)},
		{name: "an event twice", text: exportOf(first, second, first)},
		{name: "an event at two dates", text: exportOf(first, strings.Replace(first, "-1764583200", "-1764669600", 1))},
		{name: "a line without a colon", text: exportOf(eventOf("45", "", "X-COST"))},
		{name: "a line without a value", text: exportOf(eventOf("45", "", `X-COST;A=":5"`))},
		{name: "a line without a name", text: exportOf(eventOf("45", "", ":5"))},
		{name: "a blank in a name", text: exportOf(eventOf("45", "", "X COST:5"))},
		{name: "HTML", text: "<!DOCTYPE html><html></html>"},
		{name: "JSON", text: `{"id":7}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := SplitCalendar([]byte(c.text))
			if c.want == nil {
				if err == nil {
					t.Fatalf("accepted with %d events", d.Len())
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := textsOf(d); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// textsOf returns the objects of a document.
func textsOf(d *Document) []string {
	got := []string{}
	for i := range d.Len() {
		got = append(got, string(d.at(i)))
	}
	return got
}

// TestSplitBody checks that the content type selects the parser.
func TestSplitBody(t *testing.T) {
	calendar, object := exportOf(eventOf("45", "")), `{"id":45}`
	for _, c := range []struct {
		contentType, text string
		ok                bool
	}{
		{"text/calendar; charset=UTF-8", calendar, true},
		{"application/json; charset=UTF-8", object, true},
		{"text/calendar", object, false},
		{"application/json", calendar, false},
		{"text/html", calendar, false},
		{"", object, false},
	} {
		if _, err := SplitBody(c.contentType, []byte(c.text)); (err == nil) != c.ok {
			t.Errorf("%s %s: %v", c.contentType, c.text, err)
		}
	}
}

// TestSpliceCalendar checks when WordPress's events may stand in our export.
func TestSpliceCalendar(t *testing.T) {
	ours := mustSplitCalendar(t, exportOf(eventOf("45", "ours"), eventOf("46", "")))
	for _, c := range []struct {
		name   string
		theirs []string
		ok     bool
	}{
		{"another text", []string{eventOf("45", "theirs"), eventOf("46", "too", "X-COST:5")}, true},
		{"another order", []string{eventOf("46", ""), eventOf("45", "ours")}, false},
		{"fewer events", []string{eventOf("45", "ours")}, false},
		{"another date in a UID", []string{strings.Replace(eventOf("45", "ours"), "-1764583200", "-1764669600", 1), eventOf("46", "")}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			theirs := strings.Replace(exportOf(c.theirs...), "VERSION:2.0", "VERSION:2.1", 1)
			got, ok := Splice(ours, mustSplitCalendar(t, theirs))
			if want := exportOf(c.theirs...); ok != c.ok || ok && string(got) != want {
				t.Errorf("%t %q", ok, got)
			}
		})
	}
	if ours.SameObjects(mustSplit(t, `{"VEVENT":[{"id":45},{"id":46}]}`)) {
		t.Error("the same objects as JSON")
	}
}

// TestDifferBeyondDescription checks in which properties two renderings of an event differ, and which of
// them are content.
func TestDifferBeyondDescription(t *testing.T) {
	ours := eventOf("45", "x", "CATEGORIES:a", "BEGIN:VALARM", "DESCRIPTION:ring", "TRIGGER:-PT1H", "END:VALARM")
	for _, c := range []struct{ name, old, new, names, beyond string }{
		{"nothing", "", "", "", ""},
		{"text", "DESCRIPTION:x", "DESCRIPTION:y", "DESCRIPTION", ""},
		{"no text", "DESCRIPTION:x", "DESCRIPTION:", "DESCRIPTION", ""},
		{"a text with parameters", "DESCRIPTION:x", "DESCRIPTION;LANGUAGE=de:x", "DESCRIPTION", "DESCRIPTION"},
		{"no line for the text", "DESCRIPTION:x\r\n", "", "DESCRIPTION", "DESCRIPTION"},
		{"two texts", "DESCRIPTION:x", "DESCRIPTION:x\r\nDESCRIPTION:y", "DESCRIPTION", "DESCRIPTION"},
		{"a property", "CATEGORIES:a", "CATEGORIES:b", "CATEGORIES", "CATEGORIES"},
		{"a parameter", "CATEGORIES:a", "CATEGORIES;X=1:a", "CATEGORIES", "CATEGORIES"},
		{"a further property", "CATEGORIES:a", "CATEGORIES:a\r\nX-COST:5", "X-COST", "X-COST"},
		{"one more of the same name", "CATEGORIES:a", "CATEGORIES:a\r\nCATEGORIES:a", "CATEGORIES", "CATEGORIES"},
		{"a component", "TRIGGER:-PT1H", "TRIGGER:-PT2H", "VALARM", "VALARM"},
		{"the text of a component", "DESCRIPTION:ring", "DESCRIPTION:sing", "VALARM", "VALARM"},
		{"order", "SUMMARY:Fair\r\nDESCRIPTION:x", "DESCRIPTION:x\r\nSUMMARY:Fair", orderOf, orderOf},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !strings.Contains(ours, c.old) {
				t.Fatalf("no %q", c.old)
			}
			theirs := strings.Replace(ours, c.old, c.new, 1)
			names, markup := differing([]byte(ours), []byte(theirs))
			if got := strings.Join(names, " "); got != c.names || markup != (c.names == orderOf || c.names == descriptionName) {
				t.Errorf("%q, markup %t; want %q", got, markup, c.names)
			}
			if got := strings.Join(mustSplitCalendar(t, exportOf(ours)).DifferBeyondContent(mustSplitCalendar(t, exportOf(theirs))), " "); got != c.beyond {
				t.Errorf("beyond content %q, want %q", got, c.beyond)
			}
		})
	}
}

// exports returns a place of exports.
func exports() Place { return Place{Route: "ical", Site: "https://town.example"} }

func (s *site) fillExport(ours, theirs string) {
	s.t.Helper()
	s.Fill(&Fill{Place: exports(), Begun: s.Begin(), Ours: mustSplitCalendar(s.t, ours), Theirs: mustSplitCalendar(s.t, theirs), Tags: tags(), Until: s.until})
}

func (s *site) expectExport(what, ours, want string) {
	s.t.Helper()
	c, o := s.Compose(exports(), mustSplitCalendar(s.t, ours), false)
	if o != Complete && want != "" || string(c.Body) != want {
		s.t.Errorf("%s: %q, want %q", what, c.Body, want)
	}
}

// proveExport makes two identical fills a minute apart.
func (s *site) proveExport(ours, theirs string) {
	s.t.Helper()
	s.fillExport(ours, theirs)
	s.now = s.now.Add(provingTime)
	s.fillExport(ours, theirs)
}

// TestExportFragments checks how long the events of exports are served, and where.
func TestExportFragments(t *testing.T) {
	ours, theirs := func(id string) string { return eventOf(id, "[slider]") }, func(id string) string { return eventOf(id, "Slides") }
	plain := eventOf("3", "plain")
	both, bothWP := exportOf(ours("1"), ours("2"), plain), exportOf(theirs("1"), theirs("2"), plain)
	term := invalidation.Tag{Kind: invalidation.Term, ID: 2} // with the id of an event
	for _, c := range []struct {
		name  string
		after func(*site)
		ends  Ending // "" if it is served
	}{
		{"nothing", func(*site) {}, ""},
		{"an event of another export", func(s *site) { s.tracker.Invalidate(post(41), invalidation.Tag{Kind: invalidation.Events}) }, ""},
		{"an event of it", func(s *site) { s.tracker.Invalidate(post(2)) }, EndRows},
		{"a venue", func(s *site) { s.tracker.Invalidate(post(50)) }, EndRows},
		{"an option", func(s *site) { s.tracker.Invalidate(invalidation.Tag{Kind: invalidation.Site}) }, EndRows},
		{"something is hidden", func(s *site) { s.Hide() }, EndHidden},
		{"age", func(s *site) { s.now = s.now.Add(10 * time.Minute) }, EndAge},
		{"objects", func(s *site) { s.End(EndObjects) }, EndObjects},
		{"facts", func(s *site) { s.Reset() }, EndFacts},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite(t)
			s.proveExport(both, bothWP)
			s.expectExport("proven", both, bothWP)
			c.after(s)
			want := bothWP
			if c.ends != "" {
				want = ""
			}
			s.expectExport("afterwards", both, want)
			if n := s.Figures().Endings[c.ends]; c.ends != "" && n == 0 {
				t.Errorf("%v", s.Figures().Endings)
			}
		})
	}
	t.Run("one fill is not enough", func(t *testing.T) {
		s := newSite(t)
		s.fillExport(both, bothWP)
		s.expectExport("one fill", both, "")
	})
	t.Run("an event changes", func(t *testing.T) {
		s := newSite(t)
		s.proveExport(both, bothWP)
		s.tracker.Invalidate(post(2))
		s.expectExport("the events before it", exportOf(ours("1")), exportOf(theirs("1")))
		edited, editedWP := eventOf("2", "[slider]", "LOCATION:Hall"), eventOf("2", "Slides", "LOCATION:Hall")
		s.expectExport("another rendering of ours", exportOf(ours("1"), edited, plain), "")
		s.fillExport(exportOf(ours("1"), edited, plain), exportOf(theirs("1"), editedWP, plain))
		s.expectExport("one fill later", exportOf(ours("1"), edited, plain), exportOf(theirs("1"), editedWP, plain))
	})
	t.Run("behind other events", func(t *testing.T) {
		s := newSite(t)
		s.proveExport(both, bothWP)
		// Their tags may have had numbers, which the export doesn't show.
		s.expectExport("fewer before it", exportOf(ours("2")), "")
		s.expectExport("others before it", exportOf(ours("2"), ours("1")), "")
		s.expectExport("the first ones", exportOf(ours("1"), ours("2")), exportOf(theirs("1"), theirs("2")))
	})
	t.Run("another property differs", func(t *testing.T) {
		s := newSite(t)
		cdn := func(id string) string { return eventOf(id, "", "ATTACH:https://cdn.example/a.png") }
		own := func(id string) string { return eventOf(id, "", "ATTACH:https://town.example/a.png") }
		s.proveExport(exportOf(own("1"), own("2")), exportOf(cdn("1"), cdn("2")))
		s.expectExport("at another position", exportOf(own("2")), exportOf(cdn("2")))
	})
	t.Run("a term with the id of an event", func(t *testing.T) {
		s := newSite(t)
		fill := &Fill{Place: exports(), Begun: s.Begin(), Ours: mustSplitCalendar(t, both), Theirs: mustSplitCalendar(t, bothWP), Tags: append(tags(), term)}
		s.Fill(fill)
		s.now = s.now.Add(provingTime)
		s.Fill(fill)
		s.tracker.Invalidate(term)
		s.expectExport("an event that it may belong to", exportOf(ours("1")), "")
	})
	t.Run("the time of the request", func(t *testing.T) {
		s := newSite(t)
		for range 4 {
			stamped := eventOf("1", "", "DTSTAMP:"+s.now.Format("20060102T150405Z"))
			s.fillExport(exportOf(eventOf("1", "", "DTSTAMP:20261101T000000Z")), exportOf(stamped))
			s.now = s.now.Add(time.Second)
		}
		s.expectExport("varies", exportOf(eventOf("1", "", "DTSTAMP:20261101T000000Z")), "")
		if v := s.Volatile(); len(v) != 1 || strings.Join(v[0].Members, " ") != "DTSTAMP" {
			t.Errorf("%+v", v)
		}
	})
	t.Run("a JSON list of the same events", func(t *testing.T) {
		s := newSite(t)
		s.prove(list(one), list(oneWP))
		s.expectExport("an export", exportOf(ours("1")), "")
	})
}

// FuzzSplitCalendar checks that an accepted export consists of its events and what surrounds them, so that
// events of one can stand in another.
func FuzzSplitCalendar(f *testing.F) {
	for _, seed := range []string{
		exportOf(), exportOf(eventOf("45", "one")), exportOf(eventOf("45", "one"), eventOf("46", "", "BEGIN:VALARM", "TRIGGER:-PT1H", "END:VALARM")) + "\r\n",
		exportOf(eventOf("45", "a\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:9-1@b")), "BEGIN:VCALENDAR\r\nEND:VCALENDAR", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1-\r\nEND:VEVENT\r\nEND:VCALENDAR",
		"BEGIN:VCALENDAR\nEND:VCALENDAR", "begin:VCALENDAR\r\nEND:VCALENDAR", "", "\r\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := SplitCalendar(text)
		if err != nil {
			return
		}
		if n := bytes.Count(text, []byte("\r\n")); n != bytes.Count(text, []byte("\r")) || n != bytes.Count(text, []byte("\n")) {
			t.Fatalf("%q was accepted with line ends that are not CRLF", text)
		}
		lines := strings.Split(strings.TrimSuffix(string(text), "\r\n"), "\r\n")
		if lines[0] != "BEGIN:VCALENDAR" || lines[len(lines)-1] != "END:VCALENDAR" || slices.Contains(lines[1:], "BEGIN:VCALENDAR") {
			t.Fatalf("%q was accepted", text)
		}
		events, objects, ids := 0, make([][]byte, d.Len()), d.IDs()
		for _, line := range lines {
			if strings.EqualFold(line, "BEGIN:VEVENT") {
				events++
			}
		}
		if events != d.Len() {
			t.Fatalf("%q: %d events, %d of them found", text, events, d.Len())
		}
		for i := range objects {
			objects[i] = d.at(i)
			if !bytes.HasPrefix(objects[i], []byte("BEGIN:VEVENT\r\n")) || !bytes.HasSuffix(objects[i], []byte("\r\nEND:VEVENT")) {
				t.Fatalf("%q is not an event", objects[i])
			}
			alone := mustSplitCalendar(t, "BEGIN:VCALENDAR\r\n"+string(objects[i])+"\r\nEND:VCALENDAR")
			if alone.Len() != 1 || alone.IDs()[0] != ids[i] || !bytes.Equal(alone.at(0), objects[i]) {
				t.Fatalf("%q is another event alone", objects[i])
			}
			if names, _ := differing(objects[i], objects[i]); names != nil || len(propertiesOf(objects[i])) < 3 {
				t.Fatalf("%q differs from itself in %v", objects[i], names)
			}
			if again := mustSplitCalendar(t, "BEGIN:VCALENDAR\r\n"+string(withoutDescription(objects[i]))+"\r\nEND:VCALENDAR"); again.IDs()[0] != ids[i] {
				t.Fatalf("%q is another event without its description", objects[i])
			}
		}
		if !bytes.Equal(d.with(objects), text) {
			t.Fatalf("%q: composed of its own events it is %q", text, d.with(objects))
		}
		slices.Reverse(objects)
		slices.Reverse(ids)
		if swapped := mustSplitCalendar(t, string(d.with(objects))); !slices.Equal(swapped.IDs(), ids) {
			t.Fatalf("%q: in another order it has the events %v", text, swapped.IDs())
		}
	})
}
