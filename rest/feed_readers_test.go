package rest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"calbridge/rest/api"
	"calbridge/wpstore/php"
)

// feedTool skips a test that needs a program that is missing, or fails it where
// CALBRIDGE_REQUIRE_OPS is set.
func feedTool(t *testing.T, what string, command ...string) {
	t.Helper()
	if out, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
		if os.Getenv("CALBRIDGE_REQUIRE_OPS") == "1" {
			t.Fatalf("%s: %v: %s", what, err, out)
		}
		t.Skipf("%s: %v", what, err)
	}
}

// readEvent is an event as a reader of feeds sees it. Times are in UTC.
type readEvent struct{ UID, Start, End, Summary, Description, Location, Status string }

// readers are programs of other authors, and the command with which one prints a feed's
// events.
func feedReaders(t *testing.T) map[string][]string {
	t.Helper()
	libical := filepath.Join(t.TempDir(), "libical")
	feedTool(t, "libical (Debian's libical-dev)", "gcc", "-o", libical, "testdata/readers/libical.c", "-lical")
	feedTool(t, "Debian's python3-icalendar", "/usr/bin/python3", "-c", "import icalendar")
	feedTool(t, "npm's ical.js, in NODE_PATH", "node", "-e", "require('ical.js')")
	return map[string][]string{
		"libical": {libical}, "icalendar": {"/usr/bin/python3", "testdata/readers/debian.py"}, "ical.js": {"node", "testdata/readers/icaljs.cjs"},
	}
}

// TestFeedReaders: for events in all zones and of all kinds, three readers find the instants,
// the texts and the UIDs of the list: 1,000 events, or 10,000 with CALBRIDGE_LONG=1. They do so
// by their own knowledge of the zones, and by the feed's descriptions of them.
func TestFeedReaders(t *testing.T) {
	readers := feedReaders(t)
	n := 1000
	if testing.Short() { // for the race detector
		n = 60
	}
	if os.Getenv("CALBRIDGE_LONG") != "" {
		n = 10_000
	}
	s := newTestSite(t, extended)
	s.eventsInAllZones(n)
	want := s.listedEvents()
	if len(want) < n {
		t.Fatalf("%d events in the list", len(want))
	}
	feed := s.get("events.ics?start_date=2000-01-01&end_date=2040-01-01").body
	for name, text := range map[string]string{"feed": feed, "zones by VTIMEZONE": regexp.MustCompile(`TZID([=:])`).ReplaceAllString(feed, "TZID${1}X-")} {
		file := filepath.Join(t.TempDir(), "feed.ics")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for reader, command := range readers {
			t.Run(reader+"/"+name, func(t *testing.T) {
				t.Parallel()
				got := readFeed(t, command, file)
				for uid, e := range got {
					if e.Status == "CANCELLED" { // of which the list doesn't tell
						delete(got, uid)
					}
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%.4000s", diff)
				}
			})
		}
	}
}

// readFeed returns the events that a reader finds in a file, by UID. Where it fails, or says
// that something is wrong, the test does.
func readFeed(t *testing.T, reader []string, file string) map[string]readEvent {
	t.Helper()
	var stderr bytes.Buffer
	run := exec.CommandContext(t.Context(), reader[0], append(slices.Clone(reader[1:]), file)...)
	run.Stderr = &stderr
	out, err := run.Output()
	if err != nil {
		t.Fatalf("%s: %v: %s", reader, err, stderr.String())
	}
	got := map[string]readEvent{}
	for line := range bytes.Lines(out) {
		var e readEvent
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("%s: %v: %.200q", reader, err, line)
		}
		e.Description = strings.Join(strings.Fields(e.Description), " ")
		got[e.UID] = e
	}
	return got
}

// eventsInAllZones adds events in every zone of the tz database, offsets and unknown names, at
// any time of the years in which all readers know the rules, and in the hour of changes.
func (s *testSite) eventsInAllZones(n int) {
	s.t.Helper()
	data, err := os.ReadFile("/usr/share/zoneinfo/zone.tab")
	if err != nil {
		s.t.Fatal(err)
	}
	var zones []string
	for _, found := range regexp.MustCompile(`(?m)^[A-Z]{2}\t\S+\t(\S+)`).FindAllSubmatch(data, -1) {
		zones = append(zones, string(found[1]))
	}
	zones = append(zones, "UTC", "UTC+2", "UTC-5.5", "+05:30", "CET", "EST", "europe/prague")
	random := rand.New(rand.NewPCG(1, 2))
	texts := []string{
		`Plain words`, `a, b; c \ d "quoted" ^n & more`, `Žluťoučký kůň 🐎 `, "עברית \u202eabc\u202c العربية", strings.Repeat("dlouhý ", 60), `50 < 60 & 70 > 60`, "R&amp;B &lt;3",
	}
	for i := range n {
		zone := zones[i%len(zones)]
		start := time.Date(2015+random.IntN(22), time.Month(1+random.IntN(12)), 1+random.IntN(28), random.IntN(24), random.IntN(60), 0, 0, time.UTC)
		if i%5 == 0 { // the last Sundays of March and October, and those of America
			days := []time.Time{time.Date(2026, 3, 29, 2, 30, 0, 0, time.UTC), time.Date(2026, 10, 25, 2, 30, 0, 0, time.UTC), time.Date(2026, 11, 1, 1, 30, 0, 0, time.UTC), time.Date(2026, 3, 8, 2, 30, 0, 0, time.UTC)}
			start = days[i/5%len(days)]
		}
		end := start.Add(time.Duration(random.IntN(5*24*60)) * time.Minute)
		id, text := int64(10_000+i), texts[i%len(texts)]
		meta := php.List(php.List("_EventVenueID", fmt.Sprint(201+i%2)))
		if i%7 == 0 {
			start, end = start.Truncate(24*time.Hour), end.Truncate(24*time.Hour).Add(24*time.Hour-time.Second)
			meta.Append(php.List("_EventAllDay", "yes"))
		}
		s.addPost(api.Object("id", id, "title", text+fmt.Sprint(" ", i), "name", fmt.Sprintf("event-%d", i), "content", "<p>First "+html.EscapeString(text)+"</p>\n<ul><li>one</li><li>two</li></ul>\n<p>Last<br>line</p>",
			"start", start.Format(api.MySQLTime), "end", end.Format(api.MySQLTime), "zone", zone, "meta", meta))
	}
}

// listedEvents returns the events of the list as readers should see them.
func (s *testSite) listedEvents() map[string]readEvent {
	s.t.Helper()
	out := map[string]readEvent{}
	tags := regexp.MustCompile(`</?[a-z][^<>]*>`)
	plain := func(markup string) string {
		return strings.Join(strings.Fields(html.UnescapeString(tags.ReplaceAllString(markup, " "))), " ")
	}
	// Page by page in windows of half a year: a page is as dear as all those before it. A window
	// has the events that lie in it whole, and begins early for those that would lie in none.
	page, from, last := 0, time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2040, 1, 1, 0, 0, 0, 0, time.UTC)
	for from.Before(last) {
		page++
		until := from.AddDate(0, 6, 0)
		res := s.get(fmt.Sprintf("events?start_date=%s&end_date=%s&per_page=50&page=%d", from.AddDate(0, 0, -10).Format(time.DateOnly), until.Format(time.DateOnly), page))
		if res.status == http.StatusNotFound {
			page, from = 0, until
			continue
		}
		var list struct {
			Events []struct {
				Global      string `json:"global_id"`
				Start       string `json:"start_date"`
				End         string `json:"end_date"`
				StartUTC    string `json:"utc_start_date"`
				EndUTC      string `json:"utc_end_date"`
				Title       string
				Description string
				AllDay      bool `json:"all_day"`
				Venue       any
			}
		}
		if err := json.Unmarshal([]byte(res.body), &list); err != nil {
			s.t.Fatal(err)
		}
		for _, e := range list.Events {
			stamp := func(text, layout string) string {
				at, err := time.Parse(api.MySQLTime, text)
				if err != nil {
					s.t.Fatal(err)
				}
				return at.Format(layout)
			}
			read := readEvent{UID: e.Global, Start: stamp(e.StartUTC, "20060102T150405Z"), End: stamp(e.EndUTC, "20060102T150405Z"), Summary: plain(e.Title), Description: plain(e.Description), Status: "CONFIRMED"}
			if e.AllDay {
				read.Start, read.End = stamp(e.Start, "20060102"), stamp(shift(s.t, e.End, 24*time.Hour), "20060102")
			} else if read.End < read.Start { // has no length then
				read.End = read.Start
			}
			if several, ok := e.Venue.([]any); ok && len(several) > 0 { // a feed has one place
				e.Venue = several[0]
			}
			if venue, ok := e.Venue.(map[string]any); ok {
				var parts []string
				// The list shows what is stored; the feed, the name in it.
				if stored, _ := venue["country"].(string); strings.HasPrefix(stored, "a:2:") {
					_, name, _ := strings.Cut(stored, `i:1;s:13:"`)
					venue["country"] = strings.TrimSuffix(name, `";}`)
				}
				for _, name := range []string{"venue", "address", "city", "stateprovince", "zip", "country"} {
					part, _ := venue[name].(string)
					if name == "stateprovince" && part == "" {
						part, _ = venue["province"].(string)
						if venue["country"] == "United States" {
							part, _ = venue["state"].(string)
						}
					}
					if part = plain(part); part != "" {
						parts = append(parts, part)
					}
				}
				read.Location = strings.Join(parts, ", ")
			}
			out[read.UID] = read
		}
	}
	return out
}

// TestSubscriberLife: vdirsyncer follows a feed over changes (100, or 1,000 with
// CALBRIDGE_LONG=1) and ends with the calendar of a new subscriber.
func TestSubscriberLife(t *testing.T) {
	feedTool(t, "Debian's vdirsyncer", "vdirsyncer", "--version")
	changes, every := 100, 25
	if testing.Short() { // for the race detector
		changes = 25
	}
	zones := regexp.MustCompile(`(?s)BEGIN:VTIMEZONE.*END:VTIMEZONE\r?\n`)
	if os.Getenv("CALBRIDGE_LONG") != "" {
		changes, every = 1000, 40
	}
	s := newTestSite(t, extended)
	server := httptest.NewServer(s.srv)
	defer server.Close()
	subscribe := func(name string) (sync func(), calendar func() map[string]string) {
		dir := filepath.Join(t.TempDir(), name)
		path := filepath.Join(dir, "calendar")
		if err := os.MkdirAll(path, 0o700); err != nil {
			t.Fatal(err)
		}
		config := fmt.Sprintf("[general]\nstatus_path = %q\n[pair feed]\na = \"remote\"\nb = \"local\"\ncollections = null\nconflict_resolution = \"a wins\"\n"+
			"[storage remote]\ntype = \"http\"\nurl = %q\n[storage local]\ntype = \"filesystem\"\npath = %q\nfileext = \".ics\"\n",
			filepath.Join(dir, "status"), server.URL+testBase+"/events.ics", path)
		file := filepath.Join(dir, "config")
		if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
		run := func(args ...string) {
			t.Helper()
			c := exec.Command("vdirsyncer", append([]string{"-c", file}, args...)...)
			c.Stdin = strings.NewReader(strings.Repeat("y\n", 10))
			if out, err := c.CombinedOutput(); err != nil {
				t.Fatalf("vdirsyncer %s: %v: %s", args, err, out)
			}
		}
		run("discover")
		return func() { t.Helper(); run("sync") }, func() map[string]string {
			all := map[string]string{}
			files, _ := filepath.Glob(filepath.Join(path, "*.ics"))
			for _, file := range files {
				text, _ := os.ReadFile(file)
				_, uid, _ := strings.Cut(string(text), "\nUID:")
				uid, _, _ = strings.Cut(uid, "\n")
				// vdirsyncer does not rewrite an event if only its zones have changed. Their
				// years are those of the whole feed.
				all[strings.TrimSpace(uid)] = zones.ReplaceAllString(string(text), "")
			}
			return all
		}
	}
	sync, calendar := subscribe("old")
	sync()
	random := rand.New(rand.NewPCG(3, 4))
	modified, live, trashed := testNow, []int64{}, []int64{}
	touch := func(id int64) {
		modified = modified.Add(time.Second)
		s.exec("UPDATE wp_posts SET post_modified_gmt = ? WHERE ID = ?", modified.Format(api.MySQLTime), id)
	}
	take := func(ids *[]int64) int64 {
		i := random.IntN(len(*ids))
		id := (*ids)[i]
		*ids = append((*ids)[:i], (*ids)[i+1:]...)
		return id
	}
	for i := range changes {
		switch what := random.IntN(6); {
		case what < 2 || len(live) == 0:
			id := int64(20_000 + i)
			start := testNow.AddDate(0, 0, random.IntN(500)).Format(api.MySQLTime)
			s.addPost(api.Object("id", id, "title", fmt.Sprint("New ", i), "name", fmt.Sprint("new-", i), "start", start, "end", start, "zone", "Europe/Prague"))
			live = append(live, id)
		case what == 2:
			id := live[random.IntN(len(live))]
			s.exec("DELETE FROM wp_postmeta WHERE post_id = ? AND meta_key LIKE '_Event%'", id)
			s.exec("DELETE FROM wp_tec_occurrences WHERE post_id = ?", id)
			start := testNow.AddDate(0, random.IntN(30), 0).Format(api.MySQLTime)
			s.addDates(id, start, start, "America/New_York")
			touch(id)
		case what == 3:
			id := live[random.IntN(len(live))]
			s.exec("UPDATE wp_posts SET post_title = ? WHERE ID = ?", fmt.Sprint("Renamed ", i), id)
			touch(id)
		case what == 4:
			id := take(&live)
			s.exec("UPDATE wp_posts SET post_status = 'trash' WHERE ID = ?", id)
			s.addMeta(id, "_wp_trash_meta_status", "publish")
			touch(id)
			trashed = append(trashed, id)
		case len(trashed) > 0 && random.IntN(3) > 0:
			id := take(&trashed)
			s.exec("UPDATE wp_posts SET post_status = 'publish' WHERE ID = ?", id)
			s.exec("DELETE FROM wp_postmeta WHERE post_id = ? AND meta_key = '_wp_trash_meta_status'", id)
			touch(id)
			live = append(live, id)
		case len(trashed) > 0: // for good
			id := take(&trashed)
			s.exec("DELETE FROM wp_posts WHERE ID = ?", id)
			s.exec("DELETE FROM wp_tec_occurrences WHERE post_id = ?", id)
		}
		if i%every == every-1 {
			sync()
		}
	}
	sync()
	syncFresh, fresh := subscribe("new")
	syncFresh()
	if diff := cmp.Diff(fresh(), calendar()); diff != "" || len(fresh()) < 10 {
		t.Errorf("%d events: %s", len(fresh()), diff)
	}
}
