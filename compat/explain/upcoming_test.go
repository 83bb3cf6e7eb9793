package explain

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"calbridge/compat/diff"
	"calbridge/compat/recording"
)

// TestUpcoming checks that venues of upcoming events differ on purpose only where later events take
// the places of hidden ones.
func TestUpcoming(t *testing.T) {
	const before, after = "2026-12-01 10:00:00", "2026-12-04 10:00:00"
	for _, c := range []struct {
		name          string
		query         string
		recorded, got string
		level         Level
		refused       []string
		starts        string // of event 9, which the recordings show without a venue
		want          string
	}{
		{name: "a later event in the place of a hidden one", recorded: venueList(1), got: venueList(2, 1), level: Safe, refused: []string{"/events/9"}, starts: before, want: "S9"},
		{name: "another page", query: "&page=2", recorded: venueList(1), got: venueList(2, 1), level: Safe, refused: []string{"/events/9"}, starts: before, want: "?"},
		{name: "a full page", query: "&per_page=1", recorded: ofTotal(1, 1), got: ofTotal(2, 2), level: Safe, refused: []string{"/events/9"}, starts: before, want: "S9"},
		{name: "a venue less on a page that isn't full", recorded: ofTotal(1, 1), got: ofTotal(1, 2), level: Safe, refused: []string{"/events/9"}, starts: before, want: "?"},
		{name: "totals alone", query: "&search=x", recorded: ofTotal(1), got: ofTotal(2), level: Safe, refused: []string{"/events/9"}, starts: before, want: "S9"},
		{name: "too much of a total", query: "&search=x", recorded: ofTotal(1), got: ofTotal(3), level: Safe, refused: []string{"/events/9"}, starts: before, want: "?"},
		{name: "a hidden event that starts later", recorded: venueList(1), got: venueList(2, 1), level: Safe, refused: []string{"/events/9"}, starts: after, want: "?"},
		{name: "a hidden event that starts at the same time, and has a higher number", recorded: venueList(1), got: venueList(2, 1), level: Safe, refused: []string{"/events/9"}, starts: "2026-12-03 10:00:00", want: "?"},
		{name: "a hidden event that starts with the first, and has a higher number", recorded: venueList(1), got: venueList(2, 1), level: Safe, refused: []string{"/events/9"}, starts: "2026-12-02 10:00:00", want: "S9"},
		{name: "a hidden event that has started", recorded: venueList(1), got: venueList(2, 1), level: Safe, refused: []string{"/events/9"}, starts: "2026-11-28 03:00:00", want: "?"},
		{name: "an event that a visitor may read", recorded: venueList(1), got: venueList(2, 1), level: Safe, starts: before, want: "?"},
		{name: "an event that started in between", recorded: venueList(8, 1), got: venueList(2, 1), level: Safe, starts: before, want: "changed"},
		{name: "an event that started in between, and another city", recorded: venueList(8, 1), got: strings.Replace(venueList(2, 1), `1,"venue":"V","city":"Brno"`, `1,"venue":"V","city":"Prague"`, 1), level: Safe, starts: before, want: "? changed"},
		{name: "an event that started in between, and two venues", recorded: venueList(8, 7, 1), got: venueList(2, 1), level: Safe, starts: before, want: "?"},
		{name: "a venue less than the events have", recorded: venueList(3), got: venueList(2), level: Safe, refused: []string{"/events/9"}, starts: before, want: "?"},
		{name: "a venue of no upcoming event", recorded: venueList(1), got: venueList(3, 2, 1), level: Safe, refused: []string{"/events/9"}, starts: before, want: "?"},
		{name: "the venue of a hidden event", recorded: venueList(3, 1), got: venueList(2, 1), level: Safe, refused: []string{"/events/9"}, starts: before, want: "S9"},
		{name: "a later event at the venue of a hidden one", recorded: venueList(2), got: venueList(1), level: Safe, refused: []string{"/events/9"}, starts: before, want: "S9"},
		{name: "two venues, and one hidden event", recorded: venueList(4, 3, 1), got: venueList(2, 1), level: Safe, refused: []string{"/events/9"}, starts: before, want: "?"},
		{name: "another order", recorded: venueList(1, 2), got: venueList(2, 1), level: Safe, refused: []string{"/events/9"}, starts: before, want: "?"},
		{name: "another city", recorded: venueList(1), got: strings.Replace(venueList(2, 1), `1,"venue":"V","city":"Brno"`, `1,"venue":"V","city":"Prague"`, 1), level: Safe, refused: []string{"/events/9"}, starts: before, want: "? S9"},
		{name: "at exact", recorded: venueList(1), got: venueList(2, 1), level: Exact, refused: []string{"/events/9"}, starts: before, want: "?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			recorded, got := answer(c.recorded, "date", "Sat, 28 Nov 2026 03:58:00 GMT"), answer(c.got, "date", "Sat, 28 Nov 2026 04:00:00 GMT")
			found, err := compareJSON(recorded, got)
			if err != nil || len(found) == 0 {
				t.Fatalf("%d differences, %v", len(found), err)
			}
			found = Explain(t.Context(), Case{As: recording.Anonymous, Sent: recording.Request{Method: "GET", Path: "/wp-json" + string(namespace) + "/venues?only_with_upcoming=1" + c.query, Headers: map[string]string{}},
				Recorded: recorded, Got: got, Level: c.level, Namespace: namespace, Compare: compareJSON, Ask: upcomingTarget(t, c.refused...), Listed: listed([]string{`{"events":[{"id":9,"start_date":"` + c.starts + `","venue":[]}]}`})}, found)
			if names := causeNames(found); names != c.want {
				t.Errorf("%s, want %s: %v", names, c.want, found)
			}
		})
	}
}

// TestUpcomingPage checks that a later page differs on purpose only if hidden events change the list
// that much.
func TestUpcomingPage(t *testing.T) {
	const before, after = "2026-12-01 10:00:00", "2026-12-04 10:00:00"
	const noPage = `{"code":"venue-archive-page-not-found"}`
	second := func(total, id int) string {
		return strings.Replace(ofTotal(total, id), fmt.Sprintf(`"total":%d`, total), fmt.Sprintf(`"total":%d,"total_pages":%d`, total, total), 1)
	}
	for _, c := range []struct {
		name          string
		query         string
		recorded, got string
		level         Level
		starts, venue string // of event 9, which is hidden
		want          string
	}{
		{name: "a later event in the place of a hidden one", recorded: noPage, got: second(2, 1), level: Safe, starts: before, want: "S9"},
		{name: "a hidden event that starts later", recorded: noPage, got: second(2, 1), level: Safe, starts: after, want: "?"},
		{name: "a hidden event that has started", recorded: noPage, got: second(2, 1), level: Safe, starts: "2026-11-28 03:59:00", want: "?"},
		{name: "more than the events have", recorded: noPage, got: second(3, 1), level: Safe, starts: before, want: "?"},
		{name: "a venue of no event", recorded: noPage, got: second(2, 5), level: Safe, starts: before, want: "?"},
		{name: "a page of a list that ends with the page before", recorded: noPage, got: ofTotal(2, 2, 1), level: Safe, starts: before, want: "?"},
		{name: "some of the venues", query: "&search=x", recorded: noPage, got: second(2, 1), level: Safe, starts: before, want: "?"},
		{name: "at exact", recorded: noPage, got: second(2, 1), level: Exact, starts: before, want: "?"},
		{name: "the venue of a hidden event", recorded: second(3, 2), got: second(2, 1), level: Safe, starts: before, venue: `{"id":3}`, want: "S9"},
		{name: "the venue of a hidden event, and another city", recorded: second(3, 2), got: strings.Replace(second(2, 2), "Brno", "Prague", 1), level: Safe, starts: before, venue: `{"id":3}`, want: "? S9"},
		{name: "a total that is too large", recorded: second(4, 2), got: second(2, 1), level: Safe, starts: before, venue: `{"id":3}`, want: "?"},
		{name: "a page of the venues of a hidden event", recorded: second(2, 3), got: noPage, level: Safe, starts: before, venue: `{"id":3},{"id":4}`, want: "S9"},
		{name: "a page of as many venues as the target has", recorded: second(2, 1), got: noPage, level: Safe, starts: before, venue: `{"id":3}`, want: "?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			recorded, got := answer(c.recorded, "date", "Sat, 28 Nov 2026 03:58:00 GMT"), answer(c.got, "date", "Sat, 28 Nov 2026 04:00:00 GMT")
			found, err := compareJSON(recorded, got)
			if err != nil || len(found) == 0 {
				t.Fatalf("%d differences, %v", len(found), err)
			}
			for _, r := range []*recording.Response{&recorded, &got} {
				if r.Body == noPage {
					r.Status, found = 404, []diff.Difference{{Part: diff.PartStatus}}
				}
			}
			found = Explain(t.Context(), Case{As: recording.Anonymous, Sent: recording.Request{Method: "GET", Path: "/wp-json" + string(namespace) + "/venues?only_with_upcoming=1&per_page=1&page=2" + c.query, Headers: map[string]string{}},
				Recorded: recorded, Got: got, Level: c.level, Namespace: namespace, Compare: compareJSON, Ask: upcomingTarget(t, "/events/9"), Listed: listed([]string{`{"events":[{"id":9,"start_date":"` + c.starts + `","venue":[` + c.venue + `]}]}`})}, found)
			if names := causeNames(found); names != c.want {
				t.Errorf("%s, want %s: %v", names, c.want, found)
			}
		})
	}
}

// upcomingTarget returns the answers of a target that shows event 8 at venue 8, which starts a minute
// before the present, event 1 at venue 1 and, a day later, event 2 at venue 2. Its clock is an hour
// ahead of UTC.
func upcomingTarget(t *testing.T, refused ...string) func(context.Context, recording.Request) (recording.Response, error) {
	events := []string{
		`{"id":8,"start_date":"2026-11-28 03:59:00","venue":{"id":8}}`,
		`{"id":1,"start_date":"2026-12-02 10:00:00","venue":{"id":1}}`,
		`{"id":2,"start_date":"2026-12-03 10:00:00","venue":{"id":2}}`,
	}
	startingAfter := func(t *testing.T, date string) string {
		at, err := time.Parse(time.DateTime, date)
		if err != nil {
			t.Fatal(err)
		}
		local := `"start_date":"` + at.Add(time.Hour).Format(time.DateTime)
		return `{"events":[` + strings.Join(slices.DeleteFunc(slices.Clone(events), func(event string) bool { return event[strings.Index(event, `"start`):] <= local }), ",") + `]}`
	}
	single := target(refused...)
	return func(ctx context.Context, r recording.Request) (recording.Response, error) {
		u, err := url.Parse(r.Path)
		if err != nil {
			return recording.Response{}, err
		}
		switch query := u.Query(); {
		case query.Has("starts_after"):
			if query.Get("per_page") != "50" || query.Get("strict_dates") != "1" {
				t.Errorf("asked for %s", r.Path)
			}
			return answer(startingAfter(t, query.Get("starts_after"))), nil
		case strings.Contains(r.Path, "/events?venue="):
			return answer(list(1, 5)), nil
		}
		return single(ctx, r)
	}
}
