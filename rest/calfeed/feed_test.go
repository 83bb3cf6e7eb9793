package calfeed

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"calbridge/rest/api"
	"calbridge/rest/phpjson"
	"calbridge/rest/tribev1/render"
	"calbridge/rest/tribev1/requesttest"
	"calbridge/wpstore"
)

// newSite returns a site with two events, a cancelled one, and all that they refer to.
func newSite() *requesttest.Site { return newDescribedSite(nil) }

// newDescribedSite returns the same site with WordPress's rendering of some texts.
func newDescribedSite(described Described) *requesttest.Site {
	s := requesttest.NewSite(Handlers(render.NewShared(requesttest.Namespace, 0, &phpjson.Buffers{}), described))
	s.Settings.Compat = api.Safe
	s.AddEvent(101, "Dance &amp; Music", "2026-12-01 18", "_EventVenueID", "201", "_EventOrganizerID", "301")
	s.Post[101].Name, s.Post[101].Content = "dance", "Bring <b>shoes</b>."
	s.AddEvent(102, "Reading", "2027-02-02 10")
	s.AddEvent(111, "Gone", "2027-01-15 10", "_wp_trash_meta_status", "publish").Status = "trash"
	s.AddLinked(wpstore.VenueType, 201, "Old Mill", "_VenueAddress", "Mill Lane 1", "_VenueCity", "Lhota", "_VenueLat", "50.5", "_VenueLng", "14.25")
	s.AddLinked(wpstore.OrganizerType, 301, "Friends", "_OrganizerEmail", "hi@friends.example")
	s.Term[31] = wpstore.Term{ID: 31, Name: "Music", Slug: "music", Taxonomy: api.Categories.Name}
	s.Term[41] = wpstore.Term{ID: 41, Name: "Outdoors", Slug: "outdoors", Taxonomy: api.Tags.Name}
	s.OfPost[101] = []int64{41, 31}
	s.Found = func(q wpstore.EventQuery) []int64 {
		if slices.Equal(q.Statuses, []string{"trash"}) {
			return []int64{111}
		}
		return []int64{101, 102}
	}
	return s
}

// body returns the body of a feed, which must be whole.
func body(t *testing.T, s *requesttest.Site, target string) string {
	t.Helper()
	res, err := s.Do(t, requesttest.Ask{Target: target})
	if err != nil {
		t.Fatalf("%s: %v", target, err)
	}
	if res.Stream != nil {
		t.Fatalf("%s is a stream", target)
	}
	return string(res.Body)
}

// uids returns the ids of the events of a feed, those of cancelled ones negative.
func uids(feed string) string {
	var out []string
	for _, event := range strings.Split(feed, "BEGIN:VEVENT\r\n")[1:] {
		_, id, _ := strings.Cut(strings.SplitN(event, "\r\n", 2)[0], "?id=")
		if strings.Contains(event, "STATUS:CANCELLED\r\n") {
			id = "-" + id
		}
		out = append(out, id)
	}
	return strings.Join(out, " ")
}

// event returns the lines of the event of an id, without folds.
func event(feed string, id int64) string {
	feed = strings.ReplaceAll(strings.ReplaceAll(feed, "\r\n ", ""), "\r\n", "\n")
	_, found, _ := strings.Cut(feed, fmt.Sprintf("BEGIN:VEVENT\nUID:village.example?id=%d\n", id))
	found, _, _ = strings.Cut(found, "END:VEVENT\n")
	return found
}

// TestLines pins what a feed says of an event, and of a cancelled one: its dates and nothing else.
func TestLines(t *testing.T) {
	s := newSite()
	feed := body(t, s, "events.ics")
	if got, want := uids(feed), "101 102 -111"; got != want {
		t.Errorf("events %s, want %s", got, want)
	}
	if got, want := event(feed, 111), "DTSTAMP:20260102T000000Z\nSEQUENCE:820627200\nDTSTART:20270115T100000Z\nDTEND:20270115T105959Z\nSTATUS:CANCELLED\n"; got != want {
		t.Errorf("cancelled:\n%s", got)
	}
	lines := strings.Split(event(feed, 101), "\n")
	for _, want := range []string{
		"DTSTAMP:20260102T000000Z", "CREATED:20260101T000000Z", "DTSTART:20261201T180000Z", "DTEND:20261201T185959Z", "SUMMARY:Dance & Music",
		"URL:https://village.example/event/dance/", `LOCATION:Old Mill\, Mill Lane 1\, Lhota`, "GEO:50.5;14.25", "CATEGORIES:Music,Outdoors",
		`DESCRIPTION:Bring shoes.`,
	} {
		if name, _, _ := strings.Cut(want, ":"); !slices.Contains(lines, want) {
			t.Errorf("no line %q; %s is %q", want, name, slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return !strings.HasPrefix(l, name) }))
		}
	}
	if !regexp.MustCompile(`(?m)^ORGANIZER.*Friends.*:mailto:hi@friends\.example$`).MatchString(event(feed, 101)) {
		t.Errorf("no organizer in %q", lines)
	}
}

// TestDescribed checks which events of a feed have WordPress's text, and that a feed with a text that only
// WordPress can render is made for each request.
func TestDescribed(t *testing.T) {
	for _, c := range []struct {
		name, content, want, route string
		noStore                    bool
	}{
		{"calbridge can render it", "Bring <b>shoes</b>.", "Bring shoes.", "", false},
		{"known", `[map zoom="3"]`, "Map of Lhota", "/events/{id}", true},
		{"not known", `<!-- wp:paragraph --><p>[map zoom="3"] on the way</p><!-- /wp:paragraph -->`, `[map zoom=”3″] on the way`, "/events/{id}", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked := ""
			s := newDescribedSite(func(_ *api.Request, route, _ string, id int64) (string, bool) {
				if asked = route; id != 101 {
					t.Errorf("asked for the text of %d", id)
				}
				return "<p>Map of <b>Lhota</b></p>", c.name == "known"
			})
			s.Post[101].Content = c.content
			res, err := s.Do(t, requesttest.Ask{Target: "events.ics"})
			if err != nil {
				t.Fatal(err)
			}
			if lines := event(string(res.Body), 101); !strings.Contains(lines, "\nDESCRIPTION:"+c.want) || asked != c.route || res.NoStore != c.noStore || (len(res.Rendering.NotRendered) > 0) != (c.name == "not known") {
				t.Errorf("asked %q, no-store %t, not rendered %v:\n%s", asked, res.NoStore, res.Rendering.NotRendered, lines)
			}
		})
	}
}

// TestCalls pins the calls of the store: a constant number for each batch.
func TestCalls(t *testing.T) {
	for _, c := range []struct {
		target, calls string
	}{
		{"events.ics", "Events Events PostMetaKeys PostMetaKeys PostSet PostSet PostsAndMetaKeys"},
		{"events.jsonfeed", "Events Events PostMetaKeys PostMetaKeys PostSet PostSet PostsAndMetaKeys"},
		{"events/101.ics", "LinkedHeads PostsAndMetaKeys PostMetaKeys PostSet PostSet"},
		{"events/111.ics", "LinkedHeads PostsAndMetaKeys PostMetaKeys PostsAndMetaKeys"},
		{"venues/201/events.ics", "LinkedHeads PostsWithLanguage Events Events PostMetaKeys PostMetaKeys PostSet PostSet PostsAndMetaKeys"},
		{"categories/31/events.ics", "LookupTerms Terms TermTree Events Events PostMetaKeys PostMetaKeys PostSet PostSet PostsAndMetaKeys"},
		{"tags/by-slug/outdoors/events.ics", "LookupTerms Events Events PostMetaKeys PostMetaKeys PostSet PostSet PostsAndMetaKeys"},
		{"events.ics?status=publish", "Events Events PostMetaKeys PostMetaKeys PostSet PostSet PostsAndMetaKeys"},
		{"events.ics?categories=[]", "LookupTerms"},
	} {
		t.Run(c.target, func(t *testing.T) {
			s := newSite()
			s.Post[101].Content = ""
			body(t, s, c.target)
			if got := s.Read(); got != c.calls {
				t.Errorf("read %s, want %s", got, c.calls)
			}
			for _, q := range s.EventQueries {
				if !q.UnprotectedOnly {
					t.Error("protected events are asked for")
				}
			}
		})
	}
}

// TestPaths pins the query, the name and the address of each feed.
func TestPaths(t *testing.T) {
	for _, c := range []struct{ target, query, name, source string }{
		{"events.ics", "[] [] [] []", "Village", "events.ics"},
		{"events.ics?venue=201&page=2&unknown=x", "[201] [] [] []", "Village", "events.ics?venue=201"},
		{"events.ics?search=two+words", "[] [] [] []", "Village", "events.ics?search=two%20words"},
		{"events.ics?search=a%26b", "[] [] [] []", "Village", "events.ics?search=a%26b"},
		{"events/101.ics", "", "Dance & Music – Village", "events/101.ics"},
		{"venues/201/events.ics", "[201] [] [] []", "Old Mill – Village", "venues/201/events.ics"},
		{"venues/by-slug/old mill/events.ics", "[201] [] [] []", "Old Mill – Village", "venues/201/events.ics"},
		{"organizers/301/events.ics", "[] [301] [] []", "Friends – Village", "organizers/301/events.ics"},
		{"categories/31/events.ics", "[] [] [31] []", "Music – Village", "categories/31/events.ics"},
		{"categories/by-slug/music/events.ics", "[] [] [31] []", "Music – Village", "categories/31/events.ics"},
		{"tags/41/events.ics?status=publish", "[] [] [] [41]", "Outdoors – Village", "tags/41/events.ics?status=publish"},
	} {
		t.Run(c.target, func(t *testing.T) {
			s := newSite()
			s.Post[201].Name = "old-mill"
			head, _, _ := strings.Cut(strings.ReplaceAll(body(t, s, c.target), "\r\n ", ""), "BEGIN:VEVENT")
			for _, want := range []string{"X-WR-CALNAME:" + c.name + "\r\n", "SOURCE;VALUE=URI:" + requesttest.Root + c.source + "\r\n"} {
				if !strings.Contains(head, want) {
					t.Errorf("no %q in\n%s", want, head)
				}
			}
			got := ""
			if len(s.EventQueries) > 0 {
				q := s.EventQueries[0]
				got = fmt.Sprint(q.Venues, q.Organizers, q.Categories, q.Tags)
			}
			if got != c.query {
				t.Errorf("query %s, want %s", got, c.query)
			}
		})
	}
}

// TestVisibility pins which posts feeds show. Those that changed since they were listed are read again.
func TestVisibility(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(s *requesttest.Site)
		// list are the events in the feed of all; single and venue are the errors of those of 101 and
		// of the venue, "" for none.
		list, single, venue string
	}{
		{"as it is", func(*requesttest.Site) {}, "101 102 -111", "", ""},
		{"a draft", func(s *requesttest.Site) { s.Post[101].Status = "draft" }, "102 -111", "event-not-accessible", ""},
		{"protected", func(s *requesttest.Site) { s.Post[101].Password = "x" }, "102 -111", "event-password-protected", ""},
		{"deleted", func(s *requesttest.Site) { delete(s.Post, 101) }, "102 -111", "rest_invalid_param", ""},
		{"now a page", func(s *requesttest.Site) { s.Post[101].Type = "page" }, "102 -111", "rest_invalid_param", ""},
		{"trashed since", func(s *requesttest.Site) { s.Post[101].Status = "trash" }, "102 -111", "event-not-accessible", ""},
		{"restored since", func(s *requesttest.Site) { s.Post[111].Status = "publish" }, "101 102", "", ""},
		{"never published", func(s *requesttest.Site) { s.Meta[111] = s.Meta[111].With("_wp_trash_meta_status", []string{"draft"}) }, "101 102", "", ""},
		{"cancelled behind a password", func(s *requesttest.Site) { s.Post[111].Password = "x" }, "101 102", "", ""},
		{"a hidden venue", func(s *requesttest.Site) { s.Post[201].Status = "draft" }, "101 102 -111", "", "venue-not-accessible"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite()
			c.change(s)
			if got := uids(body(t, s, "events.ics")); got != c.list {
				t.Errorf("events %s, want %s", got, c.list)
			}
			for target, want := range map[string]string{"events/101.ics": c.single, "venues/201/events.ics": c.venue} {
				_, err := s.Do(t, requesttest.Ask{Target: target})
				var refused *api.Error
				if errors.As(err, &refused); (err == nil) != (want == "") || err != nil && refused.Code != want {
					t.Errorf("%s: %v, want %q", target, err, want)
				}
			}
		})
	}
	s := newSite()
	s.Post[201].Password = "x"
	if feed := body(t, s, "venues/201/events.ics"); !strings.Contains(feed, "X-WR-CALNAME:Village\r\n") || strings.Contains(feed, "Old Mill") {
		t.Errorf("a protected venue is named in %s", feed)
	}
	s = newSite()
	r := s.Accepted(t, requesttest.Ask{Target: "tags/by-slug/outdoors/events.ics"})
	delete(s.Term, 41)
	fresh := s.Accepted(t, requesttest.Ask{Target: "events.ics"})
	r.Lookups = fresh.Lookups
	if _, err := r.Endpoint.Handle(t.Context(), r); err == nil || !strings.Contains(err.Error(), "rest_no_route") {
		t.Errorf("a tag that is gone: %v", err)
	}
}

// TestZones pins the zones that a feed describes: of the years of its first and last events that can be
// written, cancelled ones included.
func TestZones(t *testing.T) {
	inPrague := func(s *requesttest.Site, id int64, start string) {
		m := s.Meta[id].With("_EventTimezone", []string{"Europe/Prague"})
		for _, key := range []string{"_EventStartDate", "_EventEndDate"} {
			m = m.With(key, []string{start})
		}
		s.Meta[id] = m.With("_EventStartDateUTC", nil).With("_EventEndDateUTC", nil)
	}
	for _, c := range []struct {
		name   string
		dates  map[int64]string
		starts string // DTSTART of 101
		years  [2]string
	}{
		{"two years", map[int64]string{101: "2026-12-01 18:00:00", 102: "2027-02-02 10:00:00"}, "DTSTART;TZID=Europe/Prague:20261201T180000", [2]string{"2025", "2028"}},
		{"the last one later", map[int64]string{101: "2026-07-01 18:00:00", 102: "2032-01-15 10:00:00"}, "DTSTART;TZID=Europe/Prague:20260701T180000", [2]string{"2025", "2033"}},
		{"a cancelled one later", map[int64]string{101: "2026-07-01 18:00:00", 111: "2030-01-15 10:00:00"}, "DTSTART;TZID=Europe/Prague:20260701T180000", [2]string{"2025", "2031"}},
		{"one that can't be written", map[int64]string{101: "2026-12-01 18:00:00", 102: "0000-00-00 00:00:00"}, "DTSTART;TZID=Europe/Prague:20261201T180000", [2]string{"2025", "2028"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite()
			for id, start := range c.dates {
				inPrague(s, id, start)
			}
			feed := body(t, s, "events.ics")
			if !strings.Contains(event(feed, 101), c.starts+"\n") || strings.Count(feed, "BEGIN:VTIMEZONE") != 1 {
				t.Errorf("%s", feed)
			}
			starts := regexp.MustCompile(`RDATE:(\d{4})`).FindAllStringSubmatch(feed, -1)
			var years []string
			for _, m := range starts {
				years = append(years, m[1])
			}
			if slices.Min(years) != c.years[0] || slices.Max(years) != c.years[1] {
				t.Errorf("zones of %v, want %v", years, c.years)
			}
		})
	}
}

// TestJSON pins the members of a JSON Feed, from which cancelled events are missing.
func TestJSON(t *testing.T) {
	s := newSite()
	s.Facts.WPLang = "cs_CZ"
	s.Meta[102] = s.Meta[102].With("_EventAllDay", []string{"yes"})
	res, err := s.Do(t, requesttest.Ask{Target: "events.jsonfeed"})
	if err != nil || res.ContentType != "application/feed+json; charset=utf-8" {
		t.Fatal(err, res)
	}
	var feed struct {
		jsonHead
		Items []jsonItem
	}
	if err := json.Unmarshal(res.Body, &feed); err != nil {
		t.Fatal(err)
	}
	if want := (jsonHead{"https://jsonfeed.org/version/1.1", "Village", "https://village.example", requesttest.Root + "events.jsonfeed", "cs"}); feed.jsonHead != want {
		t.Errorf("%+v", feed.jsonHead)
	}
	if len(feed.Items) != 2 {
		t.Fatalf("%d items", len(feed.Items))
	}
	dance, reading := feed.Items[0], feed.Items[1]
	if got, want := fmt.Sprintf("%s %s %v %v %s", dance.ID, dance.Title, dance.Tags, dance.Authors, dance.DateModified), "village.example?id=101 Dance & Music [Music Outdoors] [{Friends https://village.example/organizer/friends/}] 2026-01-02T00:00:00Z"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if e := dance.Event; e.Start != "2026-12-01T18:00:00Z" || e.Location != "Old Mill, Mill Lane 1, Lhota" || e.Latitude == nil || *e.Latitude != 50.5 || e.About != requesttest.Root+"doc" {
		t.Errorf("%+v", e)
	}
	if e := reading.Event; !e.AllDay || e.Start != "2027-02-02" || e.End != "2027-02-02" || e.Latitude != nil {
		t.Errorf("%+v", e)
	}
}

// sink receives a stream. It fails after some writes, unless that is 0.
type sink struct {
	bytes.Buffer
	writes, most int
	left         int
}

var errGone = errors.New("the client is gone")

// Write implements [io.Writer].
func (s *sink) Write(b []byte) (int, error) {
	if s.writes++; s.writes == s.left {
		return 0, errGone
	}
	s.most = max(s.most, len(b))
	return s.Buffer.Write(b)
}

// Flush implements [api.Flusher].
func (s *sink) Flush() error { return nil }

// longSite returns a site whose feed is longer than what is buffered.
func longSite() (s *requesttest.Site, events int) {
	s = newSite()
	s.AddLinked(wpstore.VenueType, 202, "Hall", "_VenueAddress", strings.Repeat("Long Lane ", 10_000))
	var ids []int64
	for i := range int64(450) {
		var venue []string
		if i < batchSize { // which is long enough
			venue = []string{"_EventVenueID", "202"}
		}
		s.AddEvent(1000+i, fmt.Sprint("Event ", i), "2026-12-01 18", venue...)
		ids = append(ids, 1000+i)
	}
	s.Found = func(q wpstore.EventQuery) []int64 {
		if slices.Equal(q.Statuses, []string{"trash"}) {
			return []int64{111}
		}
		return ids
	}
	return s, len(ids)
}

// TestStream tests a feed that is too long to be sent as a whole: the stream has every event once, is
// read apart from the dependencies of the response, in batches, and counts what it leaves out.
func TestStream(t *testing.T) {
	s, n := longSite()
	s.Meta[1449] = s.Meta[1449].With("_EventEndDate", []string{"0000-00-00 00:00:00"}).With("_EventEndDateUTC", []string{"0000-00-00 00:00:00"})
	res, err := s.Do(t, requesttest.Ask{Target: "events.ics"})
	if err != nil || res.Stream == nil || res.Body != nil || res.Rendering.Modified != "" {
		t.Fatalf("%v, no stream", err)
	}
	if s.Apart != 0 {
		t.Error("the beginning is read apart")
	}
	before := len(s.Calls)
	var out sink
	if err := res.Stream(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	if s.Apart != 1 {
		t.Errorf("Apart is called %d times", s.Apart)
	}
	feed := out.String()
	ids := strings.Fields(uids(feed))
	if slices.Sort(ids); len(ids) != n || len(slices.Compact(ids)) != n || !strings.HasSuffix(feed, "END:VEVENT\r\nEND:VCALENDAR\r\n") || !strings.Contains(feed, "-111") && !slices.Contains(ids, "-111") {
		t.Errorf("%d events, want %d", len(ids), n)
	}
	if res.Rendering.LeftOut != 1 {
		t.Errorf("%d events left out", res.Rendering.LeftOut)
	}
	if got := strings.Join(s.Calls[before:], " "); got != strings.TrimSpace(strings.Repeat("PostSet ", out.writes-2))+" PostsAndMetaKeys" {
		t.Errorf("%d writes, read %s", out.writes, got)
	}
}

// TestBrokenStream tests that a stream ends with the error of its client or of the store.
func TestBrokenStream(t *testing.T) {
	for _, c := range []struct {
		name string
		left int
		want error
	}{{"the client leaves at once", 1, errGone}, {"the client leaves", 2, errGone}, {"the store fails", 0, errors.New("the database is gone")}} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := longSite()
			res, err := s.Do(t, requesttest.Ask{Target: "events.ics"})
			if err != nil {
				t.Fatal(err)
			}
			if c.left == 0 {
				s.Fails, s.Failing = "PostSet", c.want
			}
			out := sink{left: c.left}
			if err := res.Stream(t.Context(), &out); !errors.Is(err, c.want) {
				t.Errorf("%v", err)
			}
			if strings.Contains(out.String(), "END:VCALENDAR") {
				t.Error("the feed looks complete")
			}
		})
	}
}

// TestRendering pins what a feed reports about itself.
func TestRendering(t *testing.T) {
	s := newSite()
	s.Post[102].ModifiedGMT = "2026-03-01 00:00:00"
	s.Post[101].Content, s.Post[102].Content = "[theirs]<!-- wp:their/block --><p>x</p><!-- /wp:their/block -->", "<!-- wp:their/block --><p>x</p><!-- /wp:their/block -->"
	for modified, want := range map[string]string{"2026-02-01 00:00:00": "2026-03-01 00:00:00", "2026-04-01 00:00:00": "2026-04-01 00:00:00"} {
		s.Post[111].ModifiedGMT = modified
		res, err := s.Do(t, requesttest.Ask{Target: "events.ics"})
		if err != nil || res.Rendering.Modified != want || len(res.Rendering.NotRendered) != 1 {
			t.Errorf("%v, %+v", err, res.Rendering)
		}
	}
}

// TestErrors tests that errors of the store come through, from each method that a feed calls.
func TestErrors(t *testing.T) {
	failing := errors.New("the database is gone")
	for target, methods := range map[string]string{
		"events.ics":                          "Events PostMetaKeys PostSet PostsAndMetaKeys",
		"events.jsonfeed":                     "Events PostSet",
		"events/101.ics":                      "LinkedHeads PostsAndMetaKeys PostMetaKeys PostSet",
		"venues/201/events.ics":               "LinkedHeads PostsWithLanguage Events",
		"venues/by-slug/old-mill/events.ics":  "PostIDsByPath",
		"categories/31/events.ics":            "LookupTerms Terms TermTree Events",
		"categories/by-slug/music/events.ics": "LookupTerms TermTree",
	} {
		for _, method := range strings.Fields(methods) {
			t.Run(target+" "+method, func(t *testing.T) {
				s := newSite()
				s.Fails, s.Failing = method, failing
				if _, err := s.Do(t, requesttest.Ask{Target: target}); !errors.Is(err, failing) {
					t.Errorf("%v", err)
				}
			})
		}
	}
}
