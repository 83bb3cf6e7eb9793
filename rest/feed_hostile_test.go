package rest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"calbridge/rest/api"
)

// hostileTexts returns texts that a database may hold, and how a line of a feed shows them.
func hostileTexts() [][2]string {
	long := strings.Repeat("slovo, ", 150_000) + "end"
	return [][2]string{
		{"A\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:1", "A END:VEVENT BEGIN:VEVENT UID:1"},
		{"A\rEND:VCALENDAR\nB", "A END:VCALENDAR B"},
		{"A\u2028B\u2029C\u0085D\vE\fF\x1eG", "A B C D E F G"},
		{"nul\x00 bell\x07 escape\x1b[0m delete\x7f", "nul bell escape[0m delete"},
		{"\u202eright\u202c \u2066isolated\u2069 \u200fmark\u200e", "\u202eright\u202c \u2066isolated\u2069 \u200fmark\u200e"},
		// Not \n in letters: python3-icalendar takes the second backslash of \\n for that of \n.
		{`a, b; c \ d \e f: "g" ^n`, `a, b; c \ d \e f: “g” ^n`},
		{strings.Repeat("🐎", 60), strings.Repeat("🐎", 60)},
		{long, long},
		{"caf\xc3", "caf\ufffd"},
		{"\xf0\x9f\x90 horse", "\ufffd\ufffd\ufffd horse"},
	}
}

// TestHostileFeedReaders: three readers find the events of a feed whatever their texts and dates
// are, and read the titles as they are meant. What has no dates is left out and counted.
func TestHostileFeedReaders(t *testing.T) {
	readers := feedReaders(t)
	s := newTestSite(t, extended)
	s.exec("DELETE FROM wp_posts")
	s.exec("DELETE FROM wp_tec_occurrences")
	s.setOption("timezone_string", "Mars/Olympus")
	s.setOption("blogname", hostileTexts()[0][0])
	titles, id := map[string]string{}, int64(1000)
	add := func(title, shown, start, end string) {
		id++
		s.addPost(api.Object("id", id, "title", title, "name", fmt.Sprint("event-", id), "content", title, "start", "2026-12-01 10:00:00", "end", "2026-12-01 11:00:00", "zone", "Europe/Prague"))
		for key, at := range map[string]string{"_EventStartDate": start, "_EventEndDate": end} {
			if at != "" {
				s.exec("UPDATE wp_postmeta SET meta_value = ? WHERE post_id = ? AND meta_key IN (?, ?)", at, id, key, key+"UTC")
			}
		}
		if shown != "" {
			titles[fmt.Sprintf("village.example?id=%d", id)] = shown
		}
	}
	for _, text := range hostileTexts() {
		add(text[0], text[1], "", "")
	}
	add("first", "first", "0001-01-01 00:00:00", "0001-01-01 01:00:00")
	add("last", "last", "9999-12-31 22:00:00", "9999-12-31 23:59:59")
	add("a long life", "a long life", "0001-01-01 00:00:00", "9999-12-31 23:59:59")
	add("backwards", "backwards", "2026-12-01 10:00:00", "2020-12-01 10:00:00")
	for _, dates := range [][2]string{{"0000-00-00 00:00:00", "0000-00-00 00:00:00"}, {"-0044-03-15 12:00:00", "2026-12-01 10:00:00"}} {
		add("left out", "", dates[0], dates[1])
	}
	for i, zone := range []string{"Mars/Olympus", "Europe/Prague\r\nX-A:1", "../../etc/passwd", "UTC+99", "\x00", strings.Repeat("A", 10_000)} {
		add("zone", fmt.Sprint("zone ", i), "", "")
		s.exec("UPDATE wp_posts SET post_title = ? WHERE ID = ?", fmt.Sprint("zone ", i), id)
		s.exec("UPDATE wp_postmeta SET meta_value = ? WHERE post_id = ? AND meta_key = '_EventTimezone'", zone, id)
	}
	body := s.get("events.ics").body
	unfolded(t, body)
	if s.seen.LeftOut != 2 {
		t.Errorf("%d events left out, want 2", s.seen.LeftOut)
	}
	file := filepath.Join(t.TempDir(), "feed.ics")
	if err := os.WriteFile(file, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, command := range readers {
		t.Run(name, func(t *testing.T) {
			got := map[string]string{}
			for uid, e := range readFeed(t, command, file) {
				got[uid] = e.Summary
			}
			if diff := cmp.Diff(titles, got); diff != "" {
				t.Errorf("%.3000s", diff)
			}
		})
	}
}
