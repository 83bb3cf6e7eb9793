package systemtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"calbridge/wpstore/sample"
)

// demoMonth holds what the page shows of a month.
type demoMonth struct {
	Lang, Town, Heading, Path    string
	Names, Days, Current, Legend []string
	Rows                         []int
	Others                       int
	Events                       []struct {
		ID, Days    int
		Day, Colour string
	}
}

// demoUse is the output of testdata/browser/demo.js.
type demoUse struct {
	Messages, Links, Examples, Day, Left, WentBack            []string
	Months                                                    map[string]demoMonth
	Source, Note, Opened, SavedAgain, Told, Posted, Withdrawn string
	Noscript                                                  string
	Code, Keys                                                map[string]string
	Week                                                      struct {
		demoMonth
		Blocks []string
		Keys   map[string]string
	}
	List struct {
		Entries, Days []string
		Current       int
	}
	Found struct {
		Heading string
		Entries []string
	}
	Event struct {
		Facts    map[string]string
		Add      string
		Pictures int
	}
	Stops struct{ Tabbable, InDay int }
	Saved struct{ News, Focus, Answer string }
	Phone struct {
		Narrowest          float64
		Today, Empty, Back string
	}
}

// TestDemoPage uses the demo's page by mouse and by keyboard, with the sample made for days of
// different kinds.
func TestDemoPage(t *testing.T) {
	needBrowser(t, "playwright-core")
	t.Parallel()
	zone, err := time.LoadLocation(sample.Zone)
	if err != nil {
		t.Fatal(err)
	}
	for name, clock := range map[string]string{
		"now":                              "",
		"end of a month, its next in town": "2026-11-30T23:30:00Z",
		"month of exactly four weeks":      "2027-02-14T10:00:00Z",
		"last of a long month, in summer":  "2027-08-31T08:00:00Z",
	} {
		t.Run(name, func(t *testing.T) {
			args, now := []string{"demo"}, time.Now()
			if clock != "" {
				args = append(args, "--clock", clock)
				if now, err = time.Parse(time.RFC3339, clock); err != nil {
					t.Fatal(err)
				}
			}
			s := start(t, nil, args...)
			today := now.In(zone)
			out, err := exec.CommandContext(t.Context(), "node", "testdata/browser/demo.js", s.api+"/", today.Format(time.DateOnly)).Output()
			if err != nil {
				t.Fatalf("%v\n%s\n%s", err, out, stderrOf(err))
			}
			var saw demoUse
			if err := json.Unmarshal(out, &saw); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if len(saw.Messages) > 0 {
				t.Errorf("messages: %q", saw.Messages)
			}
			checkDemoMonths(t, s, &saw, today)
			checkDemoViews(t, s, &saw, today)
			checkDemoKeys(t, &saw, today)
			checkDemoChange(t, &saw)
			checkDemoFrame(t, s, &saw)
		})
	}
}

// checkDemoMonths checks that months have whole weeks, and each event on each of its days.
func checkDemoMonths(t *testing.T, s *started, saw *demoUse, today time.Time) {
	t.Helper()
	for language, want := range map[string]struct{ town, monday string }{"cs": {"Městečko", "pondělí"}, "en": {"little town", "Monday"}, "de": {"Städtchen", "Montag"}} {
		m := saw.Months[language]
		first := time.Date(today.Year(), today.Month(), 1, 0, 0, 0, 0, time.UTC)
		length := first.AddDate(0, 1, -1).Day()
		if m.Lang != language || !strings.Contains(m.Town, want.town) || !strings.Contains(m.Heading, today.Format("2006")) || len(m.Names) != 7 || m.Names[0] != want.monday {
			t.Errorf("%s: %s %q %q %q", language, m.Lang, m.Town, m.Heading, m.Names)
		}
		if len(m.Days)%7 != 0 || len(m.Days)-m.Others != length || slices.ContainsFunc(m.Rows, func(n int) bool { return n != 7 }) {
			t.Errorf("%s: %d days, %d of other months, in rows of %v", language, len(m.Days), m.Others, m.Rows)
		}
		if day := today.Format(time.DateOnly); len(m.Current) != 1 || m.Current[0] != day || !slices.Contains(m.Days, day) {
			t.Errorf("%s: marked as today: %q", language, m.Current)
		}
		shown := map[string]int{}
		for _, e := range m.Events {
			day, err := time.Parse(time.DateOnly, e.Day)
			if err != nil {
				t.Fatal(err)
			}
			for n := range e.Days {
				shown[fmt.Sprint(e.ID, " ", day.AddDate(0, 0, n).Format(time.DateOnly))]++
			}
			if e.Colour == "" || e.Colour != "none" && !slices.Contains(m.Legend, e.Colour) {
				t.Errorf("%s: event %d has the colour %q, the legend %q", language, e.ID, e.Colour, m.Legend)
			}
		}
		held := eventDays(t, s.api+m.Path, m.Days)
		if len(held) == 0 {
			t.Errorf("%s: the list %s is empty", language, m.Path)
		}
		for at := range held {
			if shown[at] != 1 {
				t.Errorf("%s: event and day %s is shown %d times", language, at, shown[at])
			}
			delete(shown, at)
		}
		for at := range shown {
			t.Errorf("%s: event and day %s is shown, but not in the list", language, at)
		}
		// The list is all that the site has on these days: the same as without dates in the request.
		all := s.api + strings.Split(m.Path, "?")[0] + "?start_date=2000-01-01&end_date=2100-01-01&per_page=50"
		for at := range eventDays(t, all, m.Days) {
			if _, ok := held[at]; !ok {
				t.Errorf("%s: event and day %s is missing from the page's list", language, at)
			}
		}
	}
}

// eventDays returns the events of a list and the days among days on which they take place.
// Events of less than a day belong to the day on which they begin.
func eventDays(t *testing.T, list string, days []string) map[string]bool {
	t.Helper()
	held := map[string]bool{}
	all, status := readPages(t, list)
	if status != http.StatusOK {
		t.Fatalf("%s: %d", list, status)
	}
	for _, e := range all {
		start, err := time.Parse(time.DateTime, e.Start)
		if err != nil {
			t.Fatal(err)
		}
		end, err := time.Parse(time.DateTime, e.End)
		if err != nil {
			t.Fatal(err)
		}
		if !e.AllDay && end.Sub(start) < 24*time.Hour {
			end = start
		}
		for day := start; day.Format(time.DateOnly) <= end.Format(time.DateOnly); day = day.AddDate(0, 0, 1) {
			if at := day.Format(time.DateOnly); slices.Contains(days, at) {
				held[fmt.Sprint(e.ID, " ", at)] = true
			}
		}
	}
	return held
}

// checkDemoViews checks the week, the lists, the search and the page of an event.
func checkDemoViews(t *testing.T, s *started, saw *demoUse, today time.Time) {
	t.Helper()
	day := today.Format(time.DateOnly)
	if w := saw.Week; len(w.Days) != 2*7 || !slices.Contains(w.Days, day) || len(w.Events) == 0 || len(w.Blocks) == 0 || len(w.Current) != 1 {
		t.Errorf("week: %+v", w)
	}
	if saw.List.Current != 1 || len(saw.List.Entries) == 0 || !slices.Contains(saw.List.Days, today.Format("Monday 2 January")) {
		t.Errorf("list: %+v", saw.List)
	}
	onToday := eventDays(t, s.api+"/en/wp-json/calendar/events/v1/events?start_date=2000-01-01&end_date=2100-01-01&per_page=50", []string{day})
	if len(saw.Day) < len(onToday)-1 || !slices.ContainsFunc(saw.Day, func(text string) bool { return strings.Contains(text, "Glass & Light") }) {
		t.Errorf("a day in the middle of an exhibition shows %q", saw.Day)
	}
	if !strings.Contains(saw.Found.Heading, fmt.Sprint(len(saw.Found.Entries))) || len(saw.Found.Entries) < 2 || !strings.Contains(saw.Found.Entries[0], "Jazz") {
		t.Errorf("search: %+v", saw.Found)
	}
	for name, want := range map[string]string{
		"When": "Saturday, ", "Where": "Riverside Park", "Organizer": "Ploučnice Runners", "Admission": "450 Kč", "Categories": "Running", "Tags": "Outdoors", "Website": "run.lipa.example/half",
	} {
		if !strings.Contains(strings.ReplaceAll(saw.Event.Facts[name], "\u00a0", " "), want) {
			t.Errorf("%s: %q, want %q", name, saw.Event.Facts[name], want)
		}
	}
	if resp, body := fetch(t, saw.Event.Add); resp.StatusCode != http.StatusOK || strings.Count(body, "BEGIN:VEVENT") != 1 || saw.Event.Pictures != 1 {
		t.Errorf("add to calendar: %d %s", resp.StatusCode, body)
	}
	if p := saw.Phone; p.Narrowest < 24 || p.Today != today.Format("Monday, 2 January 2006") && p.Today != today.Format("Monday 2 January 2006") || p.Empty != "Nothing happens on this day." || p.Back != p.Today {
		t.Errorf("phone: %+v", p)
	}
}

// checkDemoKeys checks the keys of a grid, and where the focus goes.
func checkDemoKeys(t *testing.T, saw *demoUse, today time.Time) {
	t.Helper()
	weekday := (int(today.Weekday()) + 6) % 7 // weeks begin on Monday
	for key, days := range map[string]int{"ArrowLeft": -1, "ArrowRight": 1, "ArrowUp": -7, "ArrowDown": 7, "Home": -weekday, "End": 6 - weekday} {
		if want := today.AddDate(0, 0, days).Format(time.DateOnly); saw.Keys[key] != want {
			t.Errorf("%s leads to %s, want %s", key, saw.Keys[key], want)
		}
	}
	next := sameDayOf(today, 1)
	back := sameDayOf(next, -1)
	if saw.Keys["PageDown"] != next.Format(time.DateOnly) || saw.Keys["PageUp"] != back.Format(time.DateOnly) {
		t.Errorf("PageDown leads to %s, and PageUp to %s", saw.Keys["PageDown"], saw.Keys["PageUp"])
	}
	week := back.AddDate(0, 0, 7)
	monday := week.AddDate(0, 0, -(int(week.Weekday())+6)%7)
	for key, want := range map[string]time.Time{"PageDown": week, "Home": monday, "ArrowLeft": monday.AddDate(0, 0, -1)} {
		if got := saw.Week.Keys[key]; got != want.Format(time.DateOnly) {
			t.Errorf("%s in a week leads to %s, want %s", key, got, want.Format(time.DateOnly))
		}
	}
	if saw.Stops.Tabbable != saw.Stops.InDay || saw.Stops.Tabbable == 0 {
		t.Errorf("Tab stops %d times in a grid whose active day has %d", saw.Stops.Tabbable, saw.Stops.InDay)
	}
	if saw.Opened != "heading" || len(saw.Left) != 2 || saw.Left[0] != saw.Left[1] || len(saw.WentBack) != 2 || saw.WentBack[0] != saw.WentBack[1] {
		t.Errorf("the focus went to %s, with Escape %q, with Back %q", saw.Opened, saw.Left, saw.WentBack)
	}
}

// sameDayOf returns the same day of another month, or its last if it is shorter.
func sameDayOf(day time.Time, months int) time.Time {
	first := time.Date(day.Year(), day.Month()+time.Month(months), 1, 0, 0, 0, 0, time.UTC)
	return first.AddDate(0, 0, min(day.Day(), first.AddDate(0, 1, -1).Day())-1)
}

// checkDemoChange checks that a change is saved, announced in another window, and forgotten.
func checkDemoChange(t *testing.T, saw *demoUse) {
	t.Helper()
	if saw.Saved.News != "Saved." || saw.Saved.Focus != "edit-title" || !strings.Contains(saw.Saved.Answer, "PUT 200") || saw.SavedAgain != "save" {
		t.Errorf("saved: %+v, then the focus is on %s", saw.Saved, saw.SavedAgain)
	}
	if !strings.HasPrefix(saw.Told, "Changed: Changed ") || !strings.Contains(saw.Posted, "POST 201") || !strings.Contains(saw.Withdrawn, "PUT 200") {
		t.Errorf("told %q; posted %q; withdrawn %q", saw.Told, saw.Posted, saw.Withdrawn)
	}
}

// checkDemoFrame checks what stands around the calendar: links, the request, the note, and the
// page without scripts.
func checkDemoFrame(t *testing.T, s *started, saw *demoUse) {
	t.Helper()
	if len(saw.Links) != 6 {
		t.Errorf("links: %q", saw.Links)
	}
	for _, link := range saw.Links {
		feed := strings.HasPrefix(link, "webcal:")
		resp, body := fetch(t, strings.Replace(link, "webcal:", "http:", 1))
		if resp.StatusCode != http.StatusOK || feed != (feed && strings.HasPrefix(body, "BEGIN:VCALENDAR")) {
			t.Errorf("%s: %d", link, resp.StatusCode)
		}
	}
	for _, path := range saw.Examples {
		if resp, body := fetch(t, s.api+path); resp.StatusCode != http.StatusOK {
			t.Errorf("%s: %d %s", path, resp.StatusCode, body)
		}
	}
	for program, want := range map[string]string{"curl": "curl -s 'http", "fetch": "await fetch(", "Python": "import requests", "PHP": "wp_remote_request("} {
		if !strings.Contains(saw.Code[program], want) || !strings.Contains(saw.Code[program], "/events?starts_before=") {
			t.Errorf("%s: %s", program, saw.Code[program])
		}
	}
	if queries := !strings.HasSuffix(saw.Source, "queries0"); strings.Contains(saw.Source, "the database") != queries || !strings.Contains(saw.Source, "From") {
		t.Errorf("the answer's source and its queries don't fit: %s", saw.Source)
	}
	if !strings.Contains(saw.Note, "events/stream") || !strings.Contains(saw.Note, "501") {
		t.Errorf("note: %s", saw.Note)
	}
	if resp, _ := fetch(t, s.api+"/wp-json/calendar/events/v1/events/changes"); resp.StatusCode != http.StatusNotImplemented {
		t.Errorf("events/changes answers %d, which is not what the note names", resp.StatusCode)
	}
	for _, want := range []string{"calbridge", "This page needs JavaScript", "potřebuje JavaScript", "braucht JavaScript", "README"} {
		if !strings.Contains(saw.Noscript, want) {
			t.Errorf("without scripts the page lacks %q: %s", want, saw.Noscript)
		}
	}
}

// TestDemoLooks checks that no view of the demo's page has a fault that axe-core finds, or is
// wider than its window. CALBRIDGE_SCREENSHOTS names a folder for pictures.
func TestDemoLooks(t *testing.T) {
	needBrowser(t, "playwright-core", "axe-core")
	t.Parallel()
	s := start(t, nil, "demo", "--clock", "2026-11-28T10:00:00Z")
	out, err := exec.CommandContext(t.Context(), "node", "testdata/browser/demo_looks.js", s.api+"/", "2026-11-28", os.Getenv("CALBRIDGE_SCREENSHOTS")).Output()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, stderrOf(err))
	}
	var found struct {
		Violations, Messages, Elsewhere, Overflow []string
		Looked                                    int
	}
	if err := json.Unmarshal(out, &found); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if wanted := 3 * (2*6 + 2*2); found.Looked != wanted {
		t.Errorf("looked at %d pages, want %d", found.Looked, wanted)
	}
	if len(found.Violations)+len(found.Messages)+len(found.Elsewhere)+len(found.Overflow) > 0 {
		t.Errorf("axe-core: %q\nmessages: %q\nrequests to elsewhere: %q\nwider than the window: %q", found.Violations, found.Messages, found.Elsewhere, found.Overflow)
	}
}

// TestREADMEPicture takes README's picture of the demo.
func TestREADMEPicture(t *testing.T) {
	file := os.Getenv("CALBRIDGE_PICTURE")
	if file == "" {
		t.Skip("set CALBRIDGE_PICTURE=../../../testdata/demo.png to take README's picture again")
	}
	needBrowser(t, "playwright-core")
	s := start(t, nil, "demo", "--clock", "2026-11-28T10:00:00Z")
	if out, err := exec.CommandContext(t.Context(), "node", "testdata/browser/picture.js", s.api+"/", "2026-11-28", file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
