package explain

import (
	"context"
	"slices"
	"strings"
	"testing"

	"calbridge/compat/diff"
	"calbridge/compat/recording"
)

// zone describes a time zone as the reference does.
const zone = "BEGIN:VTIMEZONE\r\nTZID:Europe/Prague\r\nBEGIN:STANDARD\r\nDTSTART:20261025T010000\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"

// export returns an iCalendar export of these events.
func export(zones string, events ...string) string {
	return "BEGIN:VCALENDAR\r\nPRODID:-//Town\r\n" + zones + strings.Join(events, "") + "END:VCALENDAR"
}

// exportEvent returns an event of an export with these lines behind its start.
func exportEvent(id string, lines ...string) string {
	return "BEGIN:VEVENT\r\nDTSTART;TZID=Europe/Prague:20260901T100000\r\nUID:" + id + "-1-2@a.example\r\n" + strings.Join(append(lines, "END:VEVENT"), "\r\n") + "\r\n"
}

// asExport makes an answer one with an iCalendar export.
func asExport(body string, headers ...string) recording.Response {
	return answer(body, append(headers, "content-type", "text/calendar; charset=UTF-8")...)
}

// visitors answers single reads of events with a venue and an organizer, "" for none, and refuses
// these paths.
func visitors(venue, organizer string, refused ...string) func(context.Context, recording.Request) (recording.Response, error) {
	return func(ctx context.Context, r recording.Request) (recording.Response, error) {
		if slices.ContainsFunc(refused, func(path string) bool { return strings.HasSuffix(r.Path, path) }) {
			return recording.Response{Status: 403, Body: `{"code":"event-password-protected"}`}, nil
		}
		item := func(member, name string) string {
			if name == "" {
				return `[]`
			}
			return `[{"id":8,"` + member + `":"` + name + `"}]`
		}
		return answer(`{"id":1,"venue":` + item("venue", venue) + `,"organizer":` + item("organizer", organizer) + `}`), nil
	}
}

// TestExports checks that differences of iCalendar exports have the causes that account for them,
// and none if anything else differs too.
func TestExports(t *testing.T) {
	plain := exportEvent("1", "SUMMARY:A")
	allDay := func(start, end string) string {
		return "BEGIN:VEVENT\r\n" + start + "\r\n" + end + "\r\nUID:1-1-2@a.example\r\nEND:VEVENT\r\n"
	}
	noVenue := func(ctx context.Context, r recording.Request) (recording.Response, error) {
		if strings.HasSuffix(r.Path, "/venues/7") {
			return recording.Response{Status: 404, Body: `{"code":"venue-not-found"}`}, nil
		}
		return visitors("", "")(ctx, r)
	}
	described := strings.Replace(zone, "20261025T010000", "20261025T030000", 1)
	for _, c := range []struct {
		name          string
		recorded, got string
		level         Level
		as            string
		query, cookie string
		ask           func(context.Context, recording.Request) (recording.Response, error)
		listed        func() *Listed
		want          string
	}{
		{name: "a line end inside a category", recorded: export("", exportEvent("1", "CATEGORIES:Music\nDrama")), got: export("", exportEvent("1", "CATEGORIES:Music Drama")), level: Safe, want: "S16"},
		{name: "a property inside a category", recorded: export("", exportEvent("1", "CATEGORIES:Music\r\nLOCATION:Evil", "ORGANIZER:x")), got: export("", exportEvent("1", "CATEGORIES:Music LOCATION:Evil", "ORGANIZER:x")), level: Safe, want: "S16"},
		{name: "a line end inside a category at exact", recorded: export("", exportEvent("1", "CATEGORIES:Music\nDrama")), got: export("", exportEvent("1", "CATEGORIES:Music Drama")), level: Exact, want: "?"},
		{name: "a line end inside a category, and another summary", recorded: export("", exportEvent("1", "SUMMARY:A", "CATEGORIES:Music\nDrama")), got: export("", exportEvent("1", "SUMMARY:B", "CATEGORIES:Music Drama")), level: Safe, want: "?"},
		{name: "two properties in one line", recorded: export("", exportEvent("1", "SUMMARY:A", "CATEGORIES:Music")), got: export("", exportEvent("1", "SUMMARY:A CATEGORIES:Music")), level: Safe, want: "?"},
		{name: "a line end that the target sends too", recorded: export("", exportEvent("1", "SUMMARY:A", "CATEGORIES:Music\nDrama")), got: export("", exportEvent("1", "SUMMARY:B", "CATEGORIES:Music\nDrama")), level: Safe, want: "?"},

		{name: "a protected event", recorded: export(zone, plain, exportEvent("2")), got: export("", plain), level: Safe, ask: visitors("", "", "/events/2"), want: "S2"},
		{name: "an event that a visitor may read", recorded: export("", plain, exportEvent("2")), got: export("", plain), level: Safe, ask: visitors("", ""), want: "?"},
		{name: "a protected event of a user", recorded: export("", plain, exportEvent("2")), got: export("", plain), level: Safe, as: "editor1", ask: visitors("", "", "/events/2"), want: "?"},
		{name: "a protected event of a login", recorded: export("", plain, exportEvent("2")), got: export("", plain), level: Safe, cookie: "wordpress_logged_in_0a=editor1", ask: visitors("", "", "/events/2"), want: "?"},
		{name: "a protected event that a login searches", recorded: export(zone, plain, exportEvent("2")), got: export("", plain), level: Safe, cookie: "wordpress_logged_in_0a=editor1", query: "&tribe-bar-search=a", ask: visitors("", "", "/events/2"), want: "S9"},
		{name: "an event that a login searches", recorded: export("", plain, exportEvent("2")), got: export("", plain), level: Safe, cookie: "wordpress_logged_in_0a=editor1", query: "&tribe-bar-search=a", ask: visitors("", ""), want: "?"},
		{name: "a protected event with a cookie of a language", recorded: export("", plain, exportEvent("2")), got: export("", plain), level: Safe, cookie: "pll_language=cs", ask: visitors("", "", "/events/2"), want: "S2"},
		{name: "a protected event with its password", recorded: export("", plain, exportEvent("2")), got: export("", plain), level: Safe, cookie: "a=b; wp-postpass_0a=x", ask: visitors("", "", "/events/2"), want: "?"},
		{name: "an event more", recorded: export("", plain), got: export("", plain, exportEvent("2")), level: Safe, ask: visitors("", "", "/events/2"), want: "?"},
		{name: "another zone", recorded: export(zone, plain), got: export(described, plain), level: Safe, want: "?"},

		{name: "a hidden venue", recorded: export("", exportEvent("5", `LOCATION:Draft\, Brno`)), got: export("", exportEvent("5")), level: Safe, ask: visitors("", "", "/venues/7"), listed: linkedTo(5, 7), want: "S9"},
		{name: "a hidden venue for a login", recorded: export("", exportEvent("5", `LOCATION:Draft\, Brno`)), got: export("", exportEvent("5")), level: Safe, cookie: "wordpress_logged_in_0a=editor1", ask: visitors("", "", "/venues/7"), listed: linkedTo(5, 7), want: "?"},
		{name: "a post in place of a venue for a login", recorded: export("", exportEvent("5", `LOCATION:Hello world!`)), got: export("", exportEvent("5")), level: Safe, cookie: "wordpress_logged_in_0a=editor1", ask: noVenue, listed: linkedTo(5, 7), want: "S9"},
		{name: "a venue that a visitor may read", recorded: export("", exportEvent("5", `LOCATION:Hall\, Brno`)), got: export("", exportEvent("5")), level: Safe, ask: visitors("", ""), listed: linkedTo(5, 7), want: "?"},
		{name: "a venue that the target shows elsewhere", recorded: export("", exportEvent("5", `LOCATION:Hall\, Brno`)), got: export("", exportEvent("5")), level: Safe, ask: visitors("Hall", "", "/venues/7"), listed: linkedTo(5, 7), want: "?"},
		{name: "a venue of which the recordings show nothing", recorded: export("", exportEvent("5", `LOCATION:Hall\, Brno`)), got: export("", exportEvent("5")), level: Safe, ask: visitors("", ""), want: "?"},

		{name: "entities, escapes and folds", recorded: export("", exportEvent("1", `SUMMARY:A &amp; b; c`)), got: export("", exportEvent("1", "SUMMARY:A & \r\n b\\; c")) + "\r\n", level: Fixed, want: "F9"},
		{name: "entities at safe", recorded: export("", exportEvent("1", `SUMMARY:A &amp; b`)), got: export("", exportEvent("1", "SUMMARY:A & b")), level: Safe, want: "?"},
		{name: "entities, and another word", recorded: export("", exportEvent("1", `SUMMARY:A &amp; b`)), got: export("", exportEvent("1", "SUMMARY:A & c")), level: Fixed, want: "?"},
		{name: "the name of an organizer", recorded: export("", exportEvent("1", `ORGANIZER;CN="M%C4%9Bsto":MAILTO:a@b.example`)), got: export("", exportEvent("1", `ORGANIZER;CN="Město":mailto:a@b.example`)), level: Fixed, want: "F9"},
		{name: "another address of an organizer", recorded: export("", exportEvent("1", `ORGANIZER;CN="M%C4%9Bsto":MAILTO:a@b.example`)), got: export("", exportEvent("1", `ORGANIZER;CN="Město":mailto:b@b.example`)), level: Fixed, ask: visitors("", ""), want: "?"},
		{name: "an address that is no URI", recorded: export("", exportEvent("1", `ORGANIZER;CN="A":MAILTO:a b`)), got: export("", exportEvent("1")), level: Fixed, want: "F9"},
		{name: "an address that is left out", recorded: export("", exportEvent("1", `ORGANIZER;CN="A":MAILTO:a@b.example`)), got: export("", exportEvent("1")), level: Fixed, ask: visitors("", "A"), want: "?"},
		{name: "an end before the start", recorded: export("", allDay("DTSTART;TZID=UTC:20260902T100000", "DTEND;TZID=UTC:20260901T100000")), got: export("", strings.Replace(allDay("DTSTART:20260902T100000Z", ""), "\r\n\r\n", "\r\n", 1)), level: Fixed, want: "F9"},
		{name: "no end", recorded: export("", allDay("DTSTART;TZID=UTC:20260901T100000", "DTEND;TZID=UTC:20260902T100000")), got: export("", strings.Replace(allDay("DTSTART:20260901T100000Z", ""), "\r\n\r\n", "\r\n", 1)), level: Fixed, want: "?"},

		{name: "a zone with local onsets", recorded: export(zone, plain), got: export(described, plain), level: Fixed, want: "F10"},
		{name: "a zone that is described twice", recorded: export(zone, plain), got: export(described+described, plain), level: Fixed, want: "?"},
		{name: "a zone that is not described", recorded: export(zone, plain), got: export("", plain), level: Fixed, want: "?"},

		{name: "dates without times", recorded: export("", allDay("DTSTART;TZID=UTC:20260901T000000", "DTEND;TZID=UTC:20260902T235959")), got: export("", allDay("DTSTART;VALUE=DATE:20260901", "DTEND;VALUE=DATE:20260903")), level: Fixed, want: "F11"},
		{name: "another date without a time", recorded: export("", allDay("DTSTART;TZID=UTC:20260901T000000", "DTEND;TZID=UTC:20260902T235959")), got: export("", allDay("DTSTART;VALUE=DATE:20260901", "DTEND;VALUE=DATE:20260902")), level: Fixed, want: "?"},
		{name: "a region of another event's venue", recorded: export("", exportEvent("5", "LOCATION:Moravia"), exportEvent("6", "LOCATION:Hall, Moravia")), got: export("", exportEvent("5"), exportEvent("6", "LOCATION:Hall, Moravia")), level: Fixed, ask: visitors("", ""), want: "F11"},
		{name: "a region of an event with a venue", recorded: export("", exportEvent("5", "LOCATION:Moravia"), exportEvent("6", "LOCATION:Hall, Moravia")), got: export("", exportEvent("5"), exportEvent("6", "LOCATION:Hall, Moravia")), level: Fixed, ask: visitors("Hall", ""), want: "?"},
		{name: "a location that no other event has", recorded: export("", exportEvent("5", "LOCATION:Moravia")), got: export("", exportEvent("5")), level: Fixed, ask: visitors("", ""), want: "?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			recorded, got := asExport(c.recorded), asExport(c.got)
			found, err := compareJSON(recorded, got)
			if err != nil || len(found) == 0 {
				t.Fatalf("%d differences, %v", len(found), err)
			}
			as := recording.Anonymous
			if c.as != "" {
				as = c.as
			}
			headers := map[string]string{}
			if c.cookie != "" {
				headers["Cookie"] = c.cookie
			}
			found = Explain(t.Context(), Case{As: as, Sent: recording.Request{Method: "GET", Path: "/events/?ical=1" + c.query, Headers: headers}, Recorded: recorded, Got: got, Level: c.level, Namespace: namespace,
				Compare: compareJSON, Ask: c.ask, Listed: c.listed}, found)
			if names := causeNames(found); names != c.want {
				t.Errorf("%s, want %s: %v", names, c.want, found)
			}
		})
	}
}

// causeNames returns the names of causes, with a question mark behind those that explain nothing.
func causeNames(found []diff.Difference) string {
	var names []string
	for _, d := range found {
		name := d.Cause.Name
		if !d.Cause.Explains() {
			name += "?"
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// FuzzReadExport checks that no text breaks the reader of exports, and that what it reads is in the
// text.
func FuzzReadExport(f *testing.F) {
	f.Add(export(zone, exportEvent("1", "CATEGORIES:a\nb"), exportEvent("2", `ORGANIZER;CN="a:b":MAILTO:c@d`)))
	f.Add("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nEND:VCALENDAR")
	f.Add("BEGIN:VTIMEZONE\nEND:VTIMEZONE")
	f.Fuzz(func(t *testing.T, body string) {
		e, ok := readExport(body)
		if !ok {
			return
		}
		for _, event := range e.events {
			if event.uid == "" || !strings.HasPrefix(event.uid, event.id) {
				t.Errorf("event %q with the id %q", event.uid, event.id)
			}
		}
	})
}
