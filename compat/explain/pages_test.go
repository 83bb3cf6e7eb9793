package explain

import (
	"context"
	"strings"
	"testing"

	"calbridge/compat/recording"
)

// TestOtherPages checks that an export that the target leaves to WordPress is intended only where
// the address is not one of the calendar's.
func TestOtherPages(t *testing.T) {
	const site = `https:\/\/a.example\/`
	calendar := []string{
		`{"events":[{"id":1,"slug":"fair","start_date":"2026-12-01 10:00:00","url":"` + site + `event\/fair\/","organizer":[{"id":2,"organizer":"About","slug":"about","url":"` + site + `about\/"}]}]}`,
		`{"events":[{"id":3,"slug":"fair-2","start_date":"2026-12-01 10:00:00","url":"` + site + `en\/event\/fair-2\/"}]}`,
		`{"venues":[{"id":4,"venue":"Hall","slug":"hall","url":"` + site + `venue\/hall\/"}]}`,
		`{"tags":[{"id":6,"slug":"jazz","taxonomy":"post_tag","url":"` + site + `tag\/jazz\/"}]}`,
	}
	const category = `{"categories":[{"id":5,"slug":"music","taxonomy":"tribe_events_cat","parent":0,"url":"` + site + `events\/category\/music\/"}]}`
	unknown := func(_ context.Context, r recording.Request) (recording.Response, error) {
		if strings.HasSuffix(r.Path, "/venues/by-slug/nowhere") {
			return recording.Response{Status: 400, Body: `{"code":"rest_invalid_param"}`}, nil
		}
		return answer(`{"id":4}`), nil
	}
	recorded := asExport(export("", exportEvent("1")))
	declined := recording.Response{Status: 404, Body: "404 page not found\n", Headers: map[string]recording.HeaderValues{"content-type": {"text/plain; charset=utf-8"}}}
	for _, c := range []struct {
		name, path string
		recorded   recording.Response
		got        recording.Response
		without    bool // the recordings show no category
		want       string
	}{
		{"a page", "/about/", recorded, declined, false, "D14"},
		{"no page", "/nothing", recorded, declined, false, "D14"},
		{"the archive in capitals", "/EVENTS/", recorded, declined, false, "D14"},
		{"a root that the site lacks", "/cs/events/", recorded, declined, false, "D14"},
		{"a news feed of an event", "/event/fair/feed/", recorded, declined, false, "D14"},
		{"an unknown venue", "/venue/nowhere/", recorded, declined, false, "D14"},
		{"an unknown venue that the target knows", "/venue/hall-2/", recorded, declined, false, "?"},
		{"a venue", "/venue/hall/", recorded, declined, false, "?"},
		{"an event", "/event/fair/", recorded, declined, false, "?"},
		{"an unknown event", "/event/nowhere/", recorded, declined, false, "?"},
		{"an event of a language", "/en/event/fair-2/", recorded, declined, false, "?"},
		{"the archive", "/events/", recorded, declined, false, "?"},
		{"a month of the archive", "/events/2026-12/", recorded, declined, false, "?"},
		{"a tag", "/tag/jazz/", recorded, declined, false, "?"},
		{"the front page", "/", recorded, declined, false, "?"},
		{"the front page of a language", "/en/", recorded, declined, false, "?"},
		{"the second front page", "/page/2/", recorded, declined, false, "?"},
		{"an archive that the recordings don't show", "/calendar/", recorded, declined, true, "?"},
		{"a page instead of an export", "/about/", answer(`<html>`, "content-type", "text/html"), declined, false, "?"},
		{"a refusal of the API", "/about/", recorded, recording.Response{Status: 404, Body: `{"code":"rest_no_route"}`, Headers: map[string]recording.HeaderValues{"content-type": {"application/json"}}}, false, "?"},
		{"another failure", "/about/", recorded, recording.Response{Status: 500, Body: "x", Headers: declined.Headers}, false, "?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			lists := append([]string{}, calendar...)
			if !c.without {
				lists = append(lists, category)
			}
			found, err := compareJSON(c.recorded, c.got)
			if err != nil || len(found) == 0 {
				t.Fatalf("%d differences, %v", len(found), err)
			}
			found = Explain(t.Context(), Case{As: recording.Anonymous, Sent: recording.Request{Method: "GET", Path: c.path + "?ical=1", Headers: map[string]string{}}, Recorded: c.recorded, Got: c.got, Level: Exact, Namespace: namespace,
				Compare: compareJSON, Ask: unknown, Listed: listed(lists)}, found)
			if names := causeNames(found); names != c.want {
				t.Errorf("%s, want %s: %v", names, c.want, found)
			}
		})
	}
}
