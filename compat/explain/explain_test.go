package explain

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"calbridge/compat/diff"
	"calbridge/compat/recording"
)

const (
	namespace = "/tribe/events/v1"
	events    = "/wp-json" + namespace + "/events"
	venues    = "/wp-json" + namespace + "/venues"
)

// compareJSON compares as package replay does, without rules.
func compareJSON(recorded, got recording.Response) ([]diff.Difference, error) {
	var found []diff.Difference
	if recorded.Status != got.Status {
		found = append(found, diff.Difference{Part: diff.PartStatus, Level: diff.LevelStatus, Recorded: fmt.Sprint(recorded.Status), Got: fmt.Sprint(got.Status)})
	}
	for _, name := range []string{"access-control-expose-headers", "allow", "cache-control", "etag", "last-modified", "link", "server-timing", "set-cookie", "vary", "x-plugin", "x-powered-by", "x-tec-total"} {
		if !slices.Equal(recorded.Headers[name], got.Headers[name]) {
			found = append(found, diff.Difference{Part: diff.PartHeaders, Level: diff.LevelHeaders, Where: name, Recorded: recorded.Header(name), Got: got.Header(name)})
		}
	}
	if recorded.Body != got.Body {
		noise, err := diff.CompileNoise(nil)
		if err != nil {
			return nil, err
		}
		found = append(found, diff.Bodies(recorded.Body, got.Body, noise, diff.LevelBytes, 1000, nil)...)
	}
	return found, nil
}

// answer returns an answer with headers given as name and value.
func answer(body string, headers ...string) recording.Response {
	r := recording.Response{Status: 200, Body: body, Headers: map[string]recording.HeaderValues{}}
	for i := 0; i < len(headers); i += 2 {
		r.Headers[headers[i]] = recording.HeaderValues{headers[i+1]}
	}
	return r
}

// list returns a list of events with a total.
func list(total int, ids ...int) string {
	var items []string
	for _, id := range ids {
		items = append(items, fmt.Sprintf(`{"id":%d,"title":"Event %d"}`, id, id))
	}
	return fmt.Sprintf(`{"events":[%s],"total":%d}`, strings.Join(items, ","), total)
}

// described returns a list of events with a description.
func described(total int, text string, ids ...int) string {
	var items []string
	for _, id := range ids {
		items = append(items, fmt.Sprintf(`{"id":%d,"description":%q}`, id, text))
	}
	return fmt.Sprintf(`{"events":[%s],"total":%d}`, strings.Join(items, ","), total)
}

// pretty returns a JSON text as PHP prints it for _pretty.
func pretty(text string) string {
	var out bytes.Buffer
	if err := json.Indent(&out, []byte(text), "", "    "); err != nil {
		panic(err)
	}
	return out.String()
}

// target answers single reads: with 403 the refused entries, with 200 all others.
func target(refused ...string) func(context.Context, recording.Request) (recording.Response, error) {
	return func(_ context.Context, r recording.Request) (recording.Response, error) {
		for _, path := range refused {
			if strings.HasSuffix(r.Path, path) {
				return recording.Response{Status: 403, Body: `{"code":"event-password-protected","message":"No."}`}, nil
			}
		}
		return answer(`{"id":1}`), nil
	}
}

// writers lets the login make entries of a list, and answers all else as target does.
func writers(list string) func(context.Context, recording.Request) (recording.Response, error) {
	return func(_ context.Context, r recording.Request) (recording.Response, error) {
		if strings.HasSuffix(r.Path, list) {
			return answer(`{"events":[]}`, "allow", "GET, POST"), nil
		}
		return answer(`{"id":1}`, "allow", "GET"), nil
	}
}

// lockedVenue answers single reads of venues as those of one behind a password.
func lockedVenue(_ context.Context, r recording.Request) (recording.Response, error) {
	return answer(`{"id":7,"venue":[]}`), nil
}

// venueList returns a list of venues with a total.
func venueList(ids ...int) string {
	var items []string
	for _, id := range ids {
		items = append(items, fmt.Sprintf(`{"id":%d,"venue":"V","city":"Brno"}`, id))
	}
	return fmt.Sprintf(`{"venues":[%s],"total":%d}`, strings.Join(items, ","), len(items))
}

// ofTotal returns a page of a list of venues.
func ofTotal(total int, ids ...int) string {
	return strings.Replace(venueList(ids...), fmt.Sprintf(`"total":%d`, len(ids)), fmt.Sprintf(`"total":%d`, total), 1)
}

// dated returns a list of venues given as id and day, and their total.
func dated(city string, entries ...string) string {
	var items []string
	for _, entry := range entries {
		id, day, _ := strings.Cut(entry, ":")
		items = append(items, fmt.Sprintf(`{"id":%s,"date":"2026-01-0%s","city":%q}`, id, day, city))
	}
	return fmt.Sprintf(`{"venues":[%s],"total":%d}`, strings.Join(items, ","), len(items))
}

// usedVenues lists an event for each of these venues, and none for others.
func usedVenues(used ...string) func(context.Context, recording.Request) (recording.Response, error) {
	return func(_ context.Context, r recording.Request) (recording.Response, error) {
		if _, id, found := strings.Cut(r.Path, "/events?venue="); found {
			id, _, _ = strings.Cut(id, "&")
			if slices.Contains(used, id) {
				return answer(list(1, 5)), nil
			}
			return answer(list(0)), nil
		}
		return answer(`{"id":5}`), nil
	}
}

// hidingEvents returns the answers of a target that refuses some events, and shows one at any venue.
func hidingEvents(ids ...string) func(context.Context, recording.Request) (recording.Response, error) {
	for i, id := range ids {
		ids[i] = "/events/" + id
	}
	single := target(ids...)
	return func(ctx context.Context, r recording.Request) (recording.Response, error) {
		if strings.Contains(r.Path, "/events?venue=") {
			return answer(list(1, 5)), nil
		}
		return single(ctx, r)
	}
}

// organizer returns an event with an organizer, and one in its structured data.
func organizer(linked, data string) string {
	return fmt.Sprintf(`{"id":5,"title":"A","status":"publish","organizer":[%s],"json_ld":{"organizer":%s}}`, linked, data)
}

// translated returns an event with a venue and the URLs of a language's root.
func translated(root string, venue int, title string) string {
	id := "a.example"
	if root != "" {
		id += "/" + root
	}
	return fmt.Sprintf(`{"id":5,"global_id":"%s?id=5","title":%q,"rest_url":"https://a.example/%swp-json/x/5","venue":{"id":%d,"venue":"V%d"},"json_ld":{"location":{"name":"V%d"}}}`,
		id, title, root, venue, venue, venue)
}

// englishRoot answers at the root of English with a body, and all else as target does.
func englishRoot(body string) func(context.Context, recording.Request) (recording.Response, error) {
	return func(_ context.Context, r recording.Request) (recording.Response, error) {
		if strings.HasPrefix(r.Path, "/en/wp-json") && !strings.Contains(r.Path, "language") {
			return answer(body), nil
		}
		return recording.Response{Status: 404, Body: "<html>"}, nil
	}
}

// ticket returns an event with a ticket that is sold until a day, "" for none.
func ticket(ticketed, until string) string {
	offers := ""
	if until != "" {
		offers = `,"offers":[{"validThrough":"` + until + `T00:00:00+00:00"}]`
	}
	return fmt.Sprintf(`{"id":5,"title":"A","ticketed":%s,"json_ld":{"name":"A"%s}}`, ticketed, offers)
}

// linkedTo returns what a recording shows that has an event with a venue.
func linkedTo(event, venue int) func() *Listed {
	l := NewListed()
	l.Read(&recording.Exchange{As: "admin", Request: recording.Request{Method: "GET", Path: fmt.Sprint(events, "/", event)}, Response: answer(fmt.Sprintf(`{"id":%d,"venue":{"id":%d}}`, event, venue))}, namespace)
	return func() *Listed { return l }
}

// listed returns what a recording of these lists, and of single reads, shows.
func listed(lists []string, singles ...string) func() *Listed {
	l := NewListed()
	for _, body := range lists {
		l.Read(&recording.Exchange{As: recording.Anonymous, Request: recording.Request{Method: "GET", Path: events}, Response: answer(body)}, namespace)
	}
	for _, path := range singles {
		id, _, _ := strings.Cut(path, "?")
		l.Read(&recording.Exchange{As: recording.Anonymous, Request: recording.Request{Method: "GET", Path: events + "/" + path}, Response: answer(`{"id":` + id + `}`)}, namespace)
	}
	return func() *Listed { return l }
}

// listedOptions returns what a recording of OPTIONS for a single event shows.
func listedOptions(id string) func() *Listed {
	return listedExchange("OPTIONS", events+"/"+id, `{"namespace":"tribe/events/v1","methods":["GET"]}`)
}

// listedEnvelope returns what a recording of an event that was refused in an envelope shows.
func listedEnvelope(id string) func() *Listed {
	return listedExchange("GET", events+"/"+id+"?_envelope=1", `{"body":{"code":"event-password-protected"},"status":403,"headers":{"Allow":"GET"}}`)
}

func listedExchange(method, path, body string) func() *Listed {
	l := NewListed()
	l.Read(&recording.Exchange{As: recording.Anonymous, Request: recording.Request{Method: method, Path: path}, Response: answer(body)}, namespace)
	return func() *Listed { return l }
}

// TestExplain checks for each cause a case that it explains, and one that looks alike and that it
// must not explain.
func TestExplain(t *testing.T) {
	venue := func(venue string) string { return `{"id":5,"title":"A","venue":` + venue + `}` }
	for _, c := range []struct {
		name          string
		path          string // "" is the list of events
		recorded, got recording.Response
		level         Level
		ask           func(context.Context, recording.Request) (recording.Response, error)
		listed        func() *Listed
		earlier       string
		want          string // names of the causes, "?" for unexplained
	}{
		{name: "headers of the web server", recorded: answer(`{}`, "x-powered-by", "PHP/8.2", "server-timing", "a"), got: answer(`{}`, "server-timing", "b"), want: "web-server"},
		{name: "a header of a plugin", recorded: answer(`{}`, "x-plugin", "1"), got: answer(`{}`), want: "?"},
		{name: "another Allow", recorded: answer(`{}`, "allow", "GET"), got: answer(`{}`, "allow", "GET, POST"), level: Safe, want: "?"},
		{name: "compression", recorded: answer(`{}`, "vary", "Origin,Accept-Encoding"), got: answer(`{}`, "vary", "Origin"), want: "compression"},
		{name: "caching", recorded: answer(`{}`, "vary", "Origin"), got: answer(`{}`, "vary", "Origin, Accept-Encoding, Authorization, X-WP-Nonce", "etag", `"a"`, "cache-control", "no-cache"), level: Safe, want: "caching"},
		{name: "caching at exact", recorded: answer(`{}`), got: answer(`{}`, "etag", `"a"`), level: Exact, want: "?"},
		{name: "another Cache-Control", recorded: answer(`{}`, "cache-control", "no-store"), got: answer(`{}`, "cache-control", "public"), level: Safe, want: "?"},
		{name: "a Vary that lacks a word", recorded: answer(`{}`, "vary", "Origin, Cookie"), got: answer(`{}`, "vary", "Origin"), level: Safe, want: "?"},
		{name: "exposed headers", recorded: answer(`{}`, "access-control-expose-headers", "Link"), got: answer(`{}`, "access-control-expose-headers", "Link, X-TEC-Total, X-TEC-TotalPages, ETag"), level: Safe, want: "S17"},

		{name: "a protected event", recorded: answer(list(3, 1, 2, 3)), got: answer(list(2, 1, 3)), level: Safe, ask: target("/events/2"), want: "S2"},
		{name: "a protected event, pretty", recorded: answer(pretty(list(3, 1, 2, 3))), got: answer(pretty(list(2, 1, 3))), level: Safe, ask: target("/events/2"), want: "S2"},
		{name: "totals without a body", recorded: answer("", "x-tec-total", "3"), got: answer("", "x-tec-total", "2"), level: Safe, ask: target("/events/2"), listed: listed([]string{list(3, 1, 2, 3)}), want: "S2"},
		{name: "totals without a body, nothing hidden", recorded: answer("", "x-tec-total", "3"), got: answer("", "x-tec-total", "2"), level: Safe, ask: target(), listed: listed([]string{list(3, 1, 2, 3)}), want: "?"},
		{name: "a protected event at exact", recorded: answer(list(3, 1, 2, 3)), got: answer(list(2, 1, 3)), level: Exact, ask: target("/events/2"), want: "?"},
		{name: "an event that can be read", recorded: answer(list(3, 1, 2, 3)), got: answer(list(2, 1, 3)), level: Safe, ask: target(), want: "?"},
		{name: "an event that the reference showed by itself", recorded: answer(list(3, 1, 2, 3)), got: answer(list(2, 1, 3)), level: Safe, ask: target("/events/2"), listed: listed(nil, "2"), want: "?"},
		{name: "an event whose methods the reference showed", recorded: answer(list(3, 1, 2, 3)), got: answer(list(2, 1, 3)), level: Safe, ask: target("/events/2"), listed: listedOptions("2"), want: "S2"},
		{name: "an event that the reference refused in an envelope", recorded: answer(list(3, 1, 2, 3)), got: answer(list(2, 1, 3)), level: Safe, ask: target("/events/2"), listed: listedEnvelope("2"), want: "S2"},
		{name: "nobody to ask", recorded: answer(list(3, 1, 2, 3)), got: answer(list(2, 1, 3)), level: Safe, want: "?"},
		{name: "the next page moves up", recorded: answer(list(9, 1, 2, 3)), got: answer(list(8, 1, 3, 4)), level: Safe, ask: target("/events/2"), want: "S2"},
		{name: "an earlier page took one", recorded: answer(list(9, 4, 5, 6)), got: answer(list(8, 5, 6, 7)), level: Safe, ask: target("/events/2"), listed: listed([]string{list(9, 1, 2, 3)}), want: "S2"},
		{name: "an earlier page took more than are hidden", recorded: answer(list(9, 4, 5, 6)), got: answer(list(8, 6, 7, 8)), level: Safe, ask: target("/events/2"), listed: listed([]string{list(9, 1, 2, 3)}), want: "?"},
		{name: "a total of too few", recorded: answer(list(9, 1)), got: answer(list(6, 1)), level: Safe, ask: target("/events/2"), listed: listed([]string{list(9, 1, 2, 3)}), want: "?"},
		{name: "a total", recorded: answer(list(9, 1), "x-tec-total", "9"), got: answer(list(8, 1), "x-tec-total", "8"), level: Safe, ask: target("/events/2"), listed: listed([]string{list(9, 1, 2, 3)}), want: "S2"},
		{name: "a larger total", recorded: answer(list(8, 1)), got: answer(list(9, 1)), level: Safe, ask: target("/events/2"), listed: listed([]string{list(9, 1, 2, 3)}), want: "?"},
		{name: "a protected event, and another title", recorded: answer(list(3, 1, 2, 3)), got: answer(strings.Replace(list(2, 1, 3), "Event 3", "Event three", 1)), level: Safe, ask: target("/events/2"), want: "? S2"},
		{name: "another order", recorded: answer(list(3, 1, 2, 3)), got: answer(list(3, 2, 1, 3)), level: Safe, ask: target(), want: "?"},
		{name: "an event that the context edit opened", recorded: answer(list(3, 1, 2, 3)), got: answer(list(2, 1, 3)), level: Safe, ask: target("/events/2"), listed: listed(nil, "2?context=edit"), want: "S2"},
		{name: "paragraphs after a protected event", recorded: answer(described(2, "<p><figure>x</figure></p>", 1, 2)), got: answer(described(1, "<figure>x</figure>", 1)), level: Safe, ask: target("/events/2"), want: "S2"},
		{name: "paragraphs of a list without hidden events", recorded: answer(described(1, "<p><figure>x</figure></p>", 1)), got: answer(described(1, "<figure>x</figure>", 1)), level: Safe, ask: target("/events/2"), want: "?"},
		{name: "another text after a protected event", recorded: answer(described(2, "<p><figure>x</figure></p>", 1, 2)), got: answer(described(1, "<figure>y</figure>", 1)), level: Safe, ask: target("/events/2"), want: "? S2"},
		{name: "a filter by a hidden venue", path: events + "?venue=7", recorded: answer(list(2, 1, 2)), got: answer(list(0)), level: Safe, ask: target("/venues/7"), want: "S9"},
		{name: "a filter by a venue", path: events + "?venue=7", recorded: answer(list(2, 1, 2)), got: answer(list(0)), level: Safe, ask: target(), want: "?"},

		{name: "a category of a hidden event, of another total", path: "/wp-json" + namespace + "/categories?event=5", recorded: answer(`{"categories":[{"id":16}],"total":0}`), got: answer(`{"categories":[],"total":0}`), level: Safe, ask: target("/events/5"), want: "S9"},
		{name: "a category of an event, of another total", path: "/wp-json" + namespace + "/categories?event=5", recorded: answer(`{"categories":[{"id":16}],"total":0}`), got: answer(`{"categories":[],"total":0}`), level: Safe, ask: target(), want: "?"},
		{name: "a category of a hidden event, with its total", path: "/wp-json" + namespace + "/categories?event=5", recorded: answer(`{"categories":[{"id":16}],"total":1}`), got: answer(`{"categories":[],"total":1}`), level: Safe, ask: target("/events/5"), want: "?"},

		{name: "a hidden venue", path: events + "/5", recorded: answer(venue(`{"id":7,"venue":"V"}`)), got: answer(venue(`[]`)), level: Safe, ask: target("/venues/7"), want: "S9"},
		{name: "a hidden venue without its id", path: events + "/5?_fields=venue.venue", recorded: answer(`{"venue":{"venue":"V"}}`), got: answer(`{"venue":[]}`), level: Safe, ask: target("/venues/7"), listed: linkedTo(5, 7), want: "S9"},
		{name: "a venue without its id", path: events + "/5?_fields=venue.venue", recorded: answer(`{"venue":{"venue":"V"}}`), got: answer(`{"venue":[]}`), level: Safe, ask: target(), listed: linkedTo(5, 7), want: "?"},
		{name: "a venue without its id, of another event", path: events + "/5?_fields=venue.venue", recorded: answer(`{"venue":{"venue":"V"}}`), got: answer(`{"venue":[]}`), level: Safe, ask: target("/venues/7"), listed: linkedTo(6, 7), want: "?"},
		{name: "structured data of what is no organizer", path: events + "/5", recorded: answer(organizer(`{"id":7,"organizer":"O","json_ld":{"name":"O"}}`, `{"name":"A post"}`)), got: answer(organizer(`{"id":7,"organizer":"O","json_ld":{"name":"O"}}`, `false`)), level: Safe, ask: target(), want: "S9"},
		{name: "structured data of the organizer", path: events + "/5", recorded: answer(organizer(`{"id":7,"organizer":"O","json_ld":{"name":"O"}}`, `{"name":"O"}`)), got: answer(organizer(`{"id":7,"organizer":"O","json_ld":{"name":"O"}}`, `false`)), level: Safe, ask: target(), want: "?"},
		{name: "a protected organizer found by its name", path: "/wp-json" + namespace + "/venues?search=V", recorded: answer(`{"venues":[{"id":7,"venue":"V"}],"total":1}`), got: answer(`{"venues":[],"total":0}`), level: Safe, ask: lockedVenue, want: "S9"},
		{name: "an organizer found by its name", path: "/wp-json" + namespace + "/venues?search=V", recorded: answer(`{"venues":[{"id":7,"venue":"V"}],"total":1}`), got: answer(`{"venues":[],"total":0}`), level: Safe, ask: target(), want: "?"},
		{name: "a venue whose only events are hidden", path: venues + "?has_events=1", recorded: answer(venueList(1, 2)), got: answer(venueList(1)), level: Safe, ask: usedVenues("1"), want: "S9"},
		{name: "a venue without events that a visitor may read", path: venues + "?has_events=0", recorded: answer(venueList(1)), got: answer(venueList(1, 2)), level: Safe, ask: usedVenues("1"), want: "S9"},
		{name: "a venue whose upcoming events are hidden", path: venues + "?only_with_upcoming=1", recorded: answer(venueList(1, 2)), got: answer(venueList(1)), level: Safe, ask: usedVenues("1"), want: "S9"},
		{name: "a venue with events", path: venues + "?has_events=1", recorded: answer(venueList(1, 2)), got: answer(venueList(1)), level: Safe, ask: usedVenues("1", "2"), want: "?"},
		{name: "a venue with an event that the reference shows", path: venues + "?has_events=1", recorded: answer(venueList(1, 2)), got: answer(venueList(1)), level: Safe, ask: usedVenues("1"), listed: linkedTo(5, 2), want: "?"},
		{name: "a venue less without events", path: venues + "?has_events=0", recorded: answer(venueList(1, 2)), got: answer(venueList(1)), level: Safe, ask: usedVenues("1"), want: "?"},
		{name: "a venue less of all", path: venues + "?only_with_upcoming=0", recorded: answer(venueList(1, 2)), got: answer(venueList(1)), level: Safe, ask: usedVenues("1"), want: "?"},
		{name: "a venue whose only events are hidden, and one of the next page", path: venues + "?has_events=1", recorded: answer(ofTotal(5, 1, 2)), got: answer(ofTotal(4, 1, 3)), level: Safe, ask: usedVenues("1", "3"), want: "S9"},
		{name: "a venue of the next page in the place of one with events", path: venues + "?has_events=1", recorded: answer(ofTotal(5, 1, 2)), got: answer(ofTotal(4, 1, 3)), level: Safe, ask: usedVenues("1", "2", "3"), want: "?"},
		{name: "a venue whose only events are hidden, and more of the next page than fit", path: venues + "?has_events=1", recorded: answer(ofTotal(5, 1, 2)), got: answer(ofTotal(4, 1, 3, 4)), level: Safe, ask: usedVenues("1", "3", "4"), want: "?"},
		{name: "venues that moved to an earlier page", path: venues + "?has_events=1&page=2", recorded: answer(ofTotal(5, 1, 2)), got: answer(ofTotal(4, 2, 3)), level: Safe, ask: usedVenues("1", "2", "3"), listed: listed([]string{list(2, 6, 7)}), want: "?"},
		{name: "venues that moved to an earlier page because of a hidden event", path: venues + "?has_events=1&page=2", recorded: answer(ofTotal(5, 1, 2)), got: answer(ofTotal(4, 2, 3)), level: Safe, ask: hidingEvents("6"), listed: listed([]string{list(2, 6, 7)}), want: "S9"},
		{name: "venues that moved further than one hidden event moves them", path: venues + "?has_events=1&page=2", recorded: answer(ofTotal(5, 1, 2, 3)), got: answer(ofTotal(4, 3, 4, 5)), level: Safe, ask: hidingEvents("6"), listed: listed([]string{list(2, 6, 7)}), want: "?"},
		{name: "two venues less for one hidden event", path: venues + "?has_events=1&page=2", recorded: answer(ofTotal(6, 1, 2)), got: answer(ofTotal(4, 2, 3)), level: Safe, ask: hidingEvents("6"), listed: listed([]string{list(2, 6, 7)}), want: "?"},
		{name: "a smaller total for a hidden event", path: venues + "?has_events=1", recorded: answer(ofTotal(5, 1, 2)), got: answer(ofTotal(4, 1, 2)), level: Safe, ask: hidingEvents("6"), listed: listed([]string{list(2, 6, 7)}), want: "S9"},
		{name: "a larger total without events for a hidden event", path: venues + "?has_events=0", recorded: answer(ofTotal(4, 1, 2)), got: answer(ofTotal(5, 1, 2)), level: Safe, ask: hidingEvents("6"), listed: listed([]string{list(2, 6, 7)}), want: "S9"},
		{name: "a larger total for a hidden event", path: venues + "?has_events=1", recorded: answer(ofTotal(4, 1, 2)), got: answer(ofTotal(5, 1, 2)), level: Safe, ask: hidingEvents("6"), listed: listed([]string{list(2, 6, 7)}), want: "?"},
		{name: "a city beside hidden events", path: venues + "?has_events=1", recorded: answer(ofTotal(5, 1, 2)), got: answer(strings.Replace(ofTotal(5, 1, 2), "Brno", "Prague", 1)), level: Safe, ask: hidingEvents("6"), listed: listed([]string{list(2, 6, 7)}), want: "?"},
		{name: "a venue whose only events are hidden, and another order", path: venues + "?has_events=1", recorded: answer(venueList(1, 2, 3)), got: answer(venueList(3, 1)), level: Safe, ask: usedVenues("1", "3"), want: "?"},
		{name: "a venue whose only events are hidden, and another city", path: venues + "?has_events=1", recorded: answer(venueList(1, 2)), got: answer(strings.Replace(venueList(1), "Brno", "Prague", 1)), level: Safe, ask: usedVenues("1"), want: "? S9"},
		{name: "a venue whose only events are hidden, at exact", path: venues + "?has_events=1", recorded: answer(venueList(1, 2)), got: answer(venueList(1)), level: Exact, ask: usedVenues("1"), want: "?"},
		{name: "a venue is missing", path: events + "/5", recorded: answer(venue(`{"id":7,"venue":"V"}`)), got: answer(venue(`[]`)), level: Safe, ask: target(), want: "?"},
		{name: "a hidden venue and another title", path: events + "/5", recorded: answer(venue(`{"id":7,"venue":"V"}`)), got: answer(strings.Replace(venue(`[]`), `"A"`, `"B"`, 1)), level: Safe, ask: target("/venues/7"), want: "? S9"},

		{name: "a venue behind a password", path: "/wp-json" + namespace + "/venues/7", recorded: answer(`{"id":7,"venue":"V","city":"P"}`), got: answer(`{"id":7,"venue":[],"city":""}`), level: Safe, want: "S15"},
		{name: "an event's venue behind a password", path: events + "/5", recorded: answer(`{"id":5,"venue":{"id":7,"venue":"V"},"json_ld":{"location":{"name":"V"}}}`), got: answer(`{"id":5,"venue":{"id":7,"venue":[]},"json_ld":{"location":false}}`), level: Safe, want: "S15"},
		{name: "a venue behind a password, and another title", path: events + "/5", recorded: answer(`{"id":5,"title":"A","venue":{"id":7,"venue":"V"}}`), got: answer(`{"id":5,"title":"B","venue":{"id":7,"venue":[]}}`), level: Safe, want: "? S15"},
		{name: "at exact", path: "/wp-json" + namespace + "/venues/7", recorded: answer(`{"id":7,"venue":"V"}`), got: answer(`{"id":7,"venue":[]}`), level: Exact, want: "?"},
		{name: "an event behind a password", path: events + "/5", recorded: answer(`{"id":5}`), got: recording.Response{Status: 403, Body: `{"code":"event-password-protected"}`}, level: Safe, want: "S15"},
		{name: "a password that is not valid", path: events + "/5?password=", recorded: answer(`{"id":5}`), got: recording.Response{Status: 400, Body: `{"code":"rest_invalid_param","data":{"params":{"password":"No."}}}`}, level: Safe, want: "S15"},
		{name: "another parameter that is not valid", path: events + "/5?password=&page=x", recorded: answer(`{"id":5}`), got: recording.Response{Status: 400, Body: `{"code":"rest_invalid_param","data":{"params":{"page":"No."}}}`}, level: Safe, want: "?"},
		{name: "an argument for the password", path: "/wp-json" + namespace, recorded: answer(`{"routes":{"/e":{"args":{"id":{}}}}}`), got: answer(`{"routes":{"/e":{"args":{"id":{},"password":{"type":"string"}}}}}`), level: Safe, want: "S15"},
		{name: "a parameter for the password in the document", path: "/wp-json" + namespace + "/doc", recorded: answer(`{"paths":{"/e":{"parameters":[{"name":"id"}]}}}`), got: answer(`{"paths":{"/e":{"parameters":[{"name":"id"},{"name":"password"}]}}}`), level: Safe, want: "S15"},
		{name: "an argument that the reference describes elsewhere", path: "/wp-json" + namespace, recorded: answer(`{"routes":{"/e":{"args":{"password":{}}},"/f":{"args":{"id":{}}}}}`), got: answer(`{"routes":{"/e":{"args":{"password":{}}},"/f":{"args":{"id":{},"password":{}}}}}`), level: Safe, want: "?"},
		{name: "another argument", path: "/wp-json" + namespace, recorded: answer(`{"routes":{"/e":{"args":{"id":{}}}}}`), got: answer(`{"routes":{"/e":{"args":{"id":{},"passphrase":{}}}}}`), level: Safe, want: "?"},
		{name: "rights to change anybody's events", path: events + "/5", recorded: answer(`{"id":5}`, "allow", "GET, DELETE, POST, PUT, PATCH"), got: answer(`{"id":5}`, "allow", "GET"), level: Safe, ask: writers("/events"), want: "S15"},
		{name: "rights of a nonce in the query", path: events + "/5?_wpnonce=abc", recorded: answer(`{"id":5}`, "allow", "GET, POST"), got: answer(`{"id":5}`, "allow", "GET"), level: Safe, ask: writers("/events?_wpnonce=abc"), want: "S15"},
		{name: "rights to change categories", path: "/wp-json" + namespace + "/categories/5", recorded: answer(`{"id":5}`, "allow", "GET, POST, PUT, PATCH, DELETE"), got: answer(`{"id":5}`, "allow", "GET"), level: Safe, ask: writers("/events"), want: "S15"},
		{name: "rights that the login lacks in general", path: events + "/5", recorded: answer(`{"id":5}`, "allow", "GET, DELETE, POST, PUT, PATCH"), got: answer(`{"id":5}`, "allow", "GET"), level: Safe, ask: writers("/venues"), want: "?"},
		{name: "one right less", path: events + "/5", recorded: answer(`{"id":5}`, "allow", "GET, DELETE, POST"), got: answer(`{"id":5}`, "allow", "GET, POST"), level: Safe, ask: writers("/events"), want: "?"},
		{name: "no right to read", path: events + "/5", recorded: answer(`{"id":5}`, "allow", "GET, POST"), got: answer(`{"id":5}`, "allow", ""), level: Safe, ask: writers("/events"), want: "?"},
		{name: "rights at exact", path: events + "/5", recorded: answer(`{"id":5}`, "allow", "GET, POST"), got: answer(`{"id":5}`, "allow", "GET"), level: Exact, ask: writers("/events"), want: "?"},
		{name: "structured data of a private event", path: events + "/5", recorded: answer(`{"id":5,"title":"A","status":"private","json_ld":{"name":"A"}}`), got: answer(`{"id":5,"title":"A","status":"private"}`), level: Safe, ask: target(), want: "S15"},
		{name: "structured data of a public event", path: events + "/5", recorded: answer(`{"id":5,"title":"A","status":"publish","json_ld":{"name":"A"}}`), got: answer(`{"id":5,"title":"A","status":"publish"}`), level: Safe, ask: target(), want: "?"},
		{name: "structured data of a protected event", path: events + "/5?context=edit", recorded: answer(`{"id":5,"title":"A","status":"publish","json_ld":{"name":"A"}}`), got: answer(`{"id":5,"title":"A","status":"publish"}`), level: Safe, ask: target("/events/5"), want: "S15"},
		{name: "structured data of a private organizer", path: events + "/5", recorded: answer(organizer(`{"id":7,"status":"private","organizer":"O","json_ld":{"name":"O"}}`, `{"name":"O"}`)), got: answer(organizer(`{"id":7,"status":"private","organizer":"O"}`, `false`)), level: Safe, ask: target(), want: "S15"},
		{name: "structured data of a public organizer", path: events + "/5", recorded: answer(organizer(`{"id":7,"status":"publish","organizer":"O"}`, `{"name":"O"}`)), got: answer(organizer(`{"id":7,"status":"publish","organizer":"O"}`, `false`)), level: Safe, ask: target(), want: "?"},
		{name: "structured data of an unlocked venue", path: "/wp-json" + namespace + "/venues/7?password=x", recorded: answer(`{"id":7,"venue":"V"}`), got: answer(`{"id":7,"venue":"V","json_ld":{"name":"V"}}`), level: Safe, ask: lockedVenue, want: "S15"},
		{name: "structured data of a venue without a password", path: "/wp-json" + namespace + "/venues/7?password=x", recorded: answer(`{"id":7,"venue":"V"}`), got: answer(`{"id":7,"venue":"V","json_ld":{"name":"V"}}`), level: Safe, ask: target(), want: "?"},
		{name: "an event that is refused otherwise", path: events + "/5", recorded: answer(`{"id":5}`), got: recording.Response{Status: 403, Body: `{"code":"event-not-accessible"}`}, level: Safe, want: "?"},

		{name: "terms with equal counts", path: "/wp-json" + namespace + "/tags?orderby=count", recorded: answer(`{"tags":[{"id":1,"count":2},{"id":2,"count":2}]}`), got: answer(`{"tags":[{"id":2,"count":2},{"id":1,"count":2}]}`), want: "D1"},
		{name: "terms with equal counts, laid out", path: "/wp-json" + namespace + "/tags?orderby=count&_pretty", recorded: answer(pretty(`{"tags":[{"id":1,"count":2},{"id":2,"count":2}]}`)), got: answer(pretty(`{"tags":[{"id":2,"count":2},{"id":1,"count":2}]}`)), want: "D1"},
		{name: "terms with other counts", path: "/wp-json" + namespace + "/tags?orderby=count", recorded: answer(`{"tags":[{"id":1,"count":3},{"id":2,"count":2}]}`), got: answer(`{"tags":[{"id":2,"count":2},{"id":1,"count":3}]}`), want: "?"},

		{name: "venues of one date", path: "/wp-json" + namespace + "/venues", recorded: answer(`{"venues":[{"id":1,"date":"2026-01-01"},{"id":2,"date":"2026-01-01"}]}`), got: answer(`{"venues":[{"id":2,"date":"2026-01-01"},{"id":1,"date":"2026-01-01"}]}`), want: "D1"},
		{name: "another venue of one date", path: venues, recorded: answer(dated("A", "1:8", "2:8")), got: answer(dated("A", "1:8", "3:8")), want: "?"},
		{name: "another venue of one date, on a page of more", path: venues + "?per_page=2", recorded: answer(strings.Replace(dated("A", "1:8", "2:8"), `"total":2`, `"total":4`, 1)), got: answer(strings.Replace(dated("A", "1:8", "3:8"), `"total":2`, `"total":4`, 1)), want: "D1"},
		{name: "another venue of one date, of fewer", path: venues + "?per_page=2", recorded: answer(strings.Replace(dated("A", "1:8", "2:8"), `"total":2`, `"total":4`, 1)), got: answer(strings.Replace(dated("A", "1:8", "3:8"), `"total":2`, `"total":3`, 1)), want: "?"},
		{name: "venues of one date, and a hidden one", path: venues, recorded: answer(dated("A", "3:9", "1:8", "2:8")), got: answer(dated("A", "2:8", "1:8")), level: Safe, ask: target("/venues/3"), want: "D1 S1"},
		{name: "a venue of the same date from the next page", path: venues + "?per_page=2", recorded: answer(strings.Replace(dated("A", "3:9", "1:8"), `"total":2`, `"total":4`, 1)), got: answer(strings.Replace(dated("A", "2:8", "4:7"), `"total":2`, `"total":3`, 1)), level: Safe, ask: target("/venues/3"), want: "D1 S1"},
		{name: "venues of other dates, and a hidden one", path: venues, recorded: answer(dated("A", "3:9", "1:8", "2:7")), got: answer(dated("A", "2:7", "1:8")), level: Safe, ask: target("/venues/3"), want: "?"},
		{name: "venues of one date, a hidden one, and another city", path: venues, recorded: answer(dated("A", "3:9", "1:8", "2:8")), got: answer(dated("B", "2:8", "1:8")), level: Safe, ask: target("/venues/3"), want: "? D1 S1"},
		{name: "venues of other dates", path: "/wp-json" + namespace + "/venues", recorded: answer(`{"venues":[{"id":1,"date":"2026-01-02"},{"id":2,"date":"2026-01-01"}]}`), got: answer(`{"venues":[{"id":2,"date":"2026-01-01"},{"id":1,"date":"2026-01-02"}]}`), want: "?"},
		{name: "a ticket whose sale is over", path: events + "/5", recorded: answer(ticket(`false`, ``)), got: answer(ticket(`["tc"]`, "2026-06-01"), "date", "Sat, 28 Nov 2026 04:00:00 GMT"), want: "D12"},
		{name: "a ticket that is sold", path: events + "/5", recorded: answer(ticket(`false`, ``)), got: answer(ticket(`["tc"]`, "2026-12-01"), "date", "Sat, 28 Nov 2026 04:00:00 GMT"), want: "?"},
		{name: "a ticket whose sale is over, and another title", path: events + "/5", recorded: answer(strings.Replace(ticket(`false`, ``), `"A"`, `"B"`, 1)), got: answer(ticket(`["tc"]`, "2026-06-01"), "date", "Sat, 28 Nov 2026 04:00:00 GMT"), want: "? D12"},

		{name: "the seconds of rest_url", recorded: answer(`{"rest_url":"/?start_date=2026-11-27 20:00:06"}`), got: answer(`{"rest_url":"/?start_date=2026-11-27 20:00:07"}`), earlier: `{"rest_url":"/?start_date=2026-11-27 20:00:05"}`, want: "clock"},
		{name: "seconds outside", recorded: answer(`{"rest_url":"/?start_date=2026-11-27 20:00:16"}`), got: answer(`{"rest_url":"/?start_date=2026-11-27 20:00:07"}`), earlier: `{"rest_url":"/?start_date=2026-11-27 20:00:05"}`, want: "?"},
		{name: "a date that does not move", recorded: answer(`{"start_date":"2026-11-27 20:00:06"}`), got: answer(`{"start_date":"2026-11-27 20:00:05"}`), earlier: `{"start_date":"2026-11-27 20:00:05"}`, want: "?"},
		{name: "seconds and another value", recorded: answer(`{"a":1,"rest_url":"/?start_date=2026-11-27 20:00:06"}`), got: answer(`{"a":2,"rest_url":"/?start_date=2026-11-27 20:00:07"}`), earlier: `{"a":2,"rest_url":"/?start_date=2026-11-27 20:00:05"}`, want: "? clock"},

		{name: "another port", recorded: answer(`{"url":"http:\/\/a.example:8080\/x","rest_url":"http:\/\/a.example:8080\/y"}`), got: answer(`{"url":"http:\/\/a.example\/x","rest_url":"http:\/\/a.example\/y"}`), want: "address?"},
		{name: "another port and another title", recorded: answer(`{"title":"A","url":"http:\/\/a.example:8080\/x"}`), got: answer(`{"title":"B","url":"http:\/\/a.example\/x"}`), want: "?"},
		{name: "wording", recorded: answer(`{"code":"x","message":"Nic"}`), got: answer(`{"code":"x","message":"Nothing"}`), want: "wording?"},
		{name: "wording and another code", recorded: answer(`{"code":"x","message":"Nic"}`), got: answer(`{"code":"y","message":"Nothing"}`), want: "?"},
		{name: "a title is no wording", recorded: answer(`{"title":"Nic"}`), got: answer(`{"title":"Nothing"}`), want: "?"},

		{name: "URLs of the root", path: events + "/5?wpml_language=en", recorded: answer(translated("", 1, "A")), got: answer(translated("en/", 2, "A")), level: Fixed, ask: englishRoot(translated("en/", 2, "A")), want: "F5"},
		{name: "URLs of the root, and another title", path: events + "/5?wpml_language=en", recorded: answer(translated("", 1, "B")), got: answer(translated("en/", 2, "A")), level: Fixed, ask: englishRoot(translated("en/", 2, "A")), want: "? F5"},
		{name: "another answer than at the root of the language", path: events + "/5?wpml_language=en", recorded: answer(translated("", 1, "A")), got: answer(translated("en/", 2, "A")), level: Fixed, ask: englishRoot(translated("en/", 3, "A")), want: "?"},
		{name: "URLs of the root without a language", path: events + "/5", recorded: answer(translated("", 1, "A")), got: answer(translated("en/", 2, "A")), level: Fixed, ask: englishRoot(translated("en/", 2, "A")), want: "?"},
		{name: "URLs of the root at safe", path: events + "/5?wpml_language=en", recorded: answer(translated("", 1, "A")), got: answer(translated("en/", 2, "A")), level: Safe, ask: englishRoot(translated("en/", 2, "A")), want: "?"},
		{name: "a total of the root's language", path: events + "?wpml_language=en", recorded: answer(list(5, 1), "x-tec-total", "5"), got: answer(list(3, 1), "x-tec-total", "3"), level: Fixed, ask: englishRoot(list(3, 1)), want: "F5"},
		{name: "a total of the root's language, in a search", path: events + "?wpml_language=en&search=x", recorded: answer(list(5, 1), "x-tec-total", "5"), got: answer(list(3, 1), "x-tec-total", "3"), level: Fixed, ask: englishRoot(list(3, 1)), listed: listed([]string{list(2, 8, 9)}), want: "F5"},
		{name: "other events than at the root", path: events + "?wpml_language=en", recorded: answer(list(3, 1, 2)), got: answer(list(3, 1, 3)), level: Fixed, ask: englishRoot(list(3, 1, 3)), want: "?"},
		{name: "a link to the next page", path: "/wp-json" + namespace + "/venues?page=2", recorded: answer(`{"venues":[],"total_pages":3}`), got: answer(`{"venues":[],"next_rest_url":"/v?page=3","total_pages":3}`), level: Fixed, want: "F5"},
		{name: "a link behind the last page", path: "/wp-json" + namespace + "/venues?page=3", recorded: answer(`{"venues":[],"total_pages":3}`), got: answer(`{"venues":[],"next_rest_url":"/v?page=4","total_pages":3}`), level: Fixed, want: "?"},
		{name: "a cookie of the dashboard", recorded: answer(`{}`, "set-cookie", "wp-wpml_current_admin_language_d41d=cs; Path=/"), got: answer(`{}`), level: Fixed, want: "F5"},
		{name: "a cookie of the dashboard at safe", recorded: answer(`{}`, "set-cookie", "wp-wpml_current_admin_language_d41d=cs; Path=/"), got: answer(`{}`), level: Safe, want: "?"},
		{name: "another cookie", recorded: answer(`{}`, "set-cookie", "session=1"), got: answer(`{}`), level: Fixed, want: "?"},

		{name: "a language parameter that the reference ignores", path: events + "/5?lang=en", recorded: answer(`{"id":1}`), got: answer(`{"id":2}`), level: Safe, ask: target(), want: "S8"},
		{name: "a language parameter that is a list", path: events + "/5?lang[]=en", recorded: answer(`{"id":1}`), got: recording.Response{Status: 400, Body: `{"code":"rest_invalid_param"}`}, level: Safe, ask: target(), want: "S8"},
		{name: "a language parameter, and another answer without it", path: events + "/5?lang=en", recorded: answer(`{"id":9}`), got: answer(`{"id":2}`), level: Safe, ask: target(), want: "?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, err := compareJSON(c.recorded, c.got)
			if err != nil || len(found) == 0 {
				t.Fatalf("%d differences, %v", len(found), err)
			}
			path := c.path
			if path == "" {
				path = events
			}
			one := Case{As: recording.Anonymous, Sent: recording.Request{Method: "GET", Path: path, Headers: map[string]string{}}, Recorded: c.recorded, Got: c.got, Level: c.level, Namespace: namespace,
				Compare: compareJSON, Ask: c.ask, Listed: c.listed}
			if c.earlier != "" {
				earlier := answer(c.earlier)
				one.Earlier = &earlier
			}
			found = Explain(t.Context(), one, found)
			if names := causeNames(found); names != c.want {
				t.Errorf("%s, want %s: %v", names, c.want, found)
			}
		})
	}
}

// TestREADME checks that the documentation names every known difference that is recognized, and no
// other.
func TestREADME(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(text), "It recognizes ")
	list, _, _ = strings.Cut(list, "; others stay different")
	have := regexp.MustCompile(`[DSF]\d+`).FindAllString(list, -1)
	var want []string
	for _, d := range Causes() {
		if d.Category == diff.Intended {
			want = append(want, d.Name)
		}
	}
	slices.Sort(have)
	slices.Sort(want)
	if !slices.Equal(have, want) {
		t.Errorf("README names %q, the table %q", have, want)
	}
}

// TestSort checks that what visitors see comes before what only programs use, and headers last.
func TestSort(t *testing.T) {
	differences := []diff.Difference{
		{Part: diff.PartHeaders, Where: "last-modified"}, {Part: diff.PartHeaders, Where: "link"}, {Part: diff.PartBody, Where: "$.events[3].global_id_lineage[0]"},
		{Part: diff.PartBody, Where: "$.events[3].title", Cause: diff.Cause{Category: diff.Intended, Name: "S9"}}, {Part: diff.PartBody, Where: "$.events[3].cost"}, {Part: diff.PartStatus},
	}
	sortByRank(differences)
	var places []string
	for _, d := range differences {
		places = append(places, strings.TrimPrefix(d.Where, "$.events[3]."))
	}
	if got := strings.Join(places, " "); got != " cost global_id_lineage[0] link last-modified title" {
		t.Error(got)
	}
}

// TestRemedies checks that each unexplained difference comes with a rule or flag.
func TestRemedies(t *testing.T) {
	for _, c := range []struct {
		d    diff.Difference
		want string
	}{
		{diff.Difference{Part: diff.PartHeaders, Where: "x-plugin"}, `"header": "x-plugin"`},
		{diff.Difference{Part: diff.PartBody, Where: "$.events[4].views"}, `"path": "$.events[*].views"`},
		{diff.Difference{Part: diff.PartStatus}, `"status": true`},
		{diff.Difference{Part: diff.PartBody, Where: "address", Recorded: "http://a.example", Got: "http://b.example", Cause: causeOf(Address)}, `"from": "http://a.example", "to": "http://b.example"`},
		{diff.Difference{Part: diff.PartBody, Where: "$.message", Cause: causeOf(Wording)}, "--profile"},
		{diff.Difference{Part: diff.PartBody, Where: "$.venue", Cause: causeOf("S9")}, "--compat exact"},
	} {
		if got := Remedy(c.d); !strings.Contains(got, c.want) {
			t.Errorf("%v: %q lacks %q", c.d, got, c.want)
		}
	}
}

// FuzzBetween checks that a text is always between itself and itself only if it moved.
func FuzzBetween(f *testing.F) {
	f.Add("2026-11-27 20:00:05", "2026-11-27 20:00:06", "2026-11-27 20:00:07")
	f.Add("?start_date=2026-11-27+20%3A00%3A05", "?start_date=2026-11-27+20%3A00%3A05", "x")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		if between(a, b, a) {
			t.Errorf("%q moved without moving", a)
		}
		if between(a, b, c) && clockText.ReplaceAllString(a, "") != clockText.ReplaceAllString(b, "") {
			t.Errorf("%q and %q differ in more than times", a, b)
		}
	})
}

// TestLastPage checks that a page that only the reference has differs on purpose only if the
// target's list ends one page earlier, by as many entries as are hidden.
func TestLastPage(t *testing.T) {
	// The target has two pages, of three entries in all, and hides events 6 and 7.
	ask := func(ctx context.Context, r recording.Request) (recording.Response, error) {
		if strings.HasSuffix(r.Path, "per_page=3&page=2") {
			return answer(ofTotal(6, 1, 2, 3), "x-tec-total", "6", "x-tec-totalpages", "2"), nil
		}
		return hidingEvents("6", "7")(ctx, r)
	}
	for _, c := range []struct {
		name, query, total string
		want               string
	}{
		{"one venue more, for one hidden event", "has_events=1&per_page=3&page=3", "7", "S9"},
		{"two venues more, for two hidden events", "has_events=1&per_page=3&page=3", "8", "S9"},
		{"three venues more, for two hidden events", "has_events=1&per_page=3&page=3", "9", "?"},
		{"all venues", "per_page=3&page=3", "7", "?"},
		{"venues without events", "has_events=0&per_page=3&page=3", "7", "?"},
		{"another page", "has_events=1&per_page=3&page=4", "7", "?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := Explain(t.Context(), Case{As: recording.Anonymous, Sent: recording.Request{Method: "GET", Path: venues + "?" + c.query, Headers: map[string]string{}},
				Recorded: answer(venueList(9), "x-tec-total", c.total), Got: recording.Response{Status: 404, Body: `{"code":"venue-archive-page-not-found"}`},
				Level: Safe, Namespace: namespace, Compare: compareJSON, Ask: ask, Listed: listed([]string{list(2, 6, 7)})}, []diff.Difference{{Part: diff.PartStatus, Recorded: "200", Got: "404"}})
			if names := causeNames(found); names != c.want {
				t.Errorf("%s, want %s: %v", names, c.want, found)
			}
		})
	}
}
