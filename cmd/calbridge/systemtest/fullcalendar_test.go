package systemtest

import (
	"encoding/json"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// calendarEntry is an event as FullCalendar shows it. The end of an event of whole days is the
// midnight after its last day.
type calendarEntry struct {
	Title, Start, End string
	AllDay            bool
}

// TestFullCalendar checks that the README's programs for FullCalendar show every event of a month
// on a page of another origin, by REST and by the feed, and that the first has five lines.
func TestFullCalendar(t *testing.T) {
	needBrowser(t, "playwright-core", "fullcalendar/package.json", "@fullcalendar/icalendar/package.json", "ical-1/package.json")
	s := start(t, nil, "demo", "--clock", "2026-11-28T10:00:00Z")
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, `<!doctype html><link rel="icon" href="data:,"><div id="calendar"></div>`)
	}))
	defer page.Close()
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(readme), "\n### On a page with FullCalendar\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var programs []string
	for _, m := range regexp.MustCompile("(?ms)^```js\n(.*?)^```$").FindAllStringSubmatch(section, -1) {
		programs = append(programs, strings.ReplaceAll(m[1], "/wp-json/", s.api+"/en/wp-json/"))
	}
	if len(programs) != 3 || strings.Count(programs[0], "\n") > 5 {
		t.Fatalf("the README's programs: %q", programs)
	}
	all := allEntries(t, s.api+"/en/wp-json/calendar/events/v1/events?start_date=2000-01-01&end_date=2100-01-01&per_page=50")
	for name, program := range map[string]string{"REST": programs[0] + programs[1], "feed": programs[2]} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), "node", "testdata/browser/fullcalendar.js", page.URL, "2026-11-28")
			cmd.Stdin = strings.NewReader(program)
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v\n%s\n%s", err, out, stderrOf(err))
			}
			var saw struct {
				Messages []string
				Events   []calendarEntry
				From, To string
			}
			if err := json.Unmarshal(out, &saw); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if len(saw.Messages) > 0 {
				t.Errorf("messages: %q", saw.Messages)
			}
			want := slices.DeleteFunc(slices.Clone(all), func(e calendarEntry) bool {
				return e.Start > saw.To+" 23:59:59" || e.End <= saw.From+" 00:00:00"
			})
			if len(want) == 0 {
				t.Fatalf("the sample has no events from %s to %s", saw.From, saw.To)
			}
			for _, e := range want {
				if !slices.Contains(saw.Events, e) {
					t.Errorf("missing: %+v", e)
				}
			}
			for _, e := range saw.Events {
				if !slices.Contains(want, e) {
					t.Errorf("not in the list: %+v", e)
				}
			}
		})
	}
}

// allEntries returns all events of a list as FullCalendar should show them.
func allEntries(t *testing.T, list string) (all []calendarEntry) {
	t.Helper()
	events, status := readPages(t, list)
	if status != http.StatusOK {
		t.Fatalf("%s: %d", list, status)
	}
	for _, e := range events {
		if e.AllDay {
			last, err := time.Parse(time.DateTime, e.End)
			if err != nil {
				t.Fatal(err)
			}
			e.End = last.Add(time.Second).Format(time.DateTime)
		}
		all = append(all, calendarEntry{html.UnescapeString(e.Title), e.Start, e.End, e.AllDay})
	}
	return all
}
