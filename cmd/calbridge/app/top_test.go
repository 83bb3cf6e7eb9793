package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/console"
)

func topFigures() *console.Now {
	return &console.Now{
		At: time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC), Mode: "diff-native",
		Requests: console.Requests{PerSecond: 12345.6, InFlight: 1000, P50: 123.45, P99: 12345.67, Failed: 1, Rejected: 12345.6},
		Cache:    console.Cache{Enabled: true, Answers: 1234567, Bytes: 1 << 30, Transactions: 12345.6, DelayP99: 12345.6},
		Database: []console.Server{{Name: "replica-1.db.example", Statements: 12345.6, Busy: 100, Open: 100, Waited: 12345.6, Lag: -1}},
		Proof:    &console.Proof{Native: .999},
		Upstream: []console.Rate{{Name: "answered", PerSecond: 1, Total: 1}},
		Routes: []console.Route{
			{Route: "/organizers/by-slug/{slug}/events.ics", PerSecond: 1, P50: 5, P99: 9},
			{Route: "/events", PerSecond: 10, P50: 2, P99: 3, Failed: 1},
			{Route: "/venues", PerSecond: 5, P50: 7, P99: 8},
		},
	}
}

// TestTopLines checks that no line is wider than the terminal, that no figure is cut, and that all
// columns end at the same place.
func TestTopLines(t *testing.T) {
	all := func(lines []string) string { return strings.Join(strings.Fields(strings.Join(lines, " ")), " ") }
	wide := topView{paint: func(_ cmdline.Color, s string) string { return s }}
	for _, width := range []int{60, 80, 100, 200} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			view := wide
			view.width = width
			lines := view.lines(topFigures())
			ends := map[int]bool{}
			for i, line := range lines {
				if n := utf8.RuneCountInString(line); n > width {
					t.Errorf("%d columns: %q", n, line)
				} else if i >= slices.Index(lines, "")+1 {
					ends[n] = true
				}
			}
			if len(ends) != 1 {
				t.Errorf("the rows of the table end at %v", ends)
			}
			head := func(lines []string) []string { return lines[:slices.Index(lines, "")] }
			if got, want := all(head(lines)), all(head(wide.lines(topFigures()))); got != want {
				t.Errorf("figures %q, want %q", got, want)
			}
		})
	}
}

func TestTopSort(t *testing.T) {
	view := topView{paint: func(_ cmdline.Color, s string) string { return s }}
	for sort, want := range []string{"/events /venues /organizers", "/venues /organizers /events", "/organizers /venues /events", "/events /organizers /venues"} {
		t.Run(topColumns()[sort].name, func(t *testing.T) {
			view.sort = sort
			table := view.table(topFigures().Routes)
			var got []string
			for _, line := range table[1:] {
				name, _, _ := strings.Cut(strings.Fields(line)[0], "/by-")
				got = append(got, name)
			}
			if text := strings.Join(got, " "); text != want || !strings.Contains(table[0], "▼"+topColumns()[sort].name) {
				t.Errorf("%s, want %s; %s", text, want, table[0])
			}
		})
	}
}

func TestShortened(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string
	}{{"/events", 7, "/events"}, {"/events/{id}", 11, "/even…/{id}"}, {"/žluťoučký", 6, "/žl…ký"}} {
		if got := shortened(c.text, c.n); got != c.want || utf8.RuneCountInString(got) > c.n {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestTopScreen checks what keys do, and that old figures are dimmed.
func TestTopScreen(t *testing.T) {
	var out strings.Builder
	s := topScreen{process: &cmdline.Process{Stdout: &out}, ops: "127.0.0.1:9464", view: topView{paint: func(c cmdline.Color, s string) string { return "<" + string(c) + ">" + s }}}
	drawn := func() string {
		out.Reset()
		s.draw()
		return out.String()
	}
	if text := drawn(); strings.Contains(text, "route") || !strings.Contains(text, "q quits") {
		t.Errorf("before the first figures: %q", text)
	}
	s.receive(topFigures())
	if text := drawn(); !strings.Contains(text, "12345.6/s") || strings.Contains(text, "\x1b[2m") || strings.HasSuffix(text, "\n\x1b[J") {
		t.Errorf("figures: %q", text)
	}
	s.receive(nil)
	if text := drawn(); !strings.Contains(text, "no connection to 127.0.0.1:9464") || !strings.Contains(text, "\x1b[2mrequests") || strings.Contains(text, "<"+string(cmdline.Green)+">") {
		t.Errorf("without a connection: %q", text)
	}
	s.receive(topFigures())
	for _, c := range []struct {
		key  rune
		want string
	}{{'s', "▼p50 ms"}, {'s', "▼p99 ms"}, {'x', "▼p99 ms"}, {'?', "turned away  requests"}, {'?', "▼p99 ms"}} {
		if s.press(c.key) || !strings.Contains(drawn(), c.want) {
			t.Errorf("%q: lacks %q: %q", c.key, c.want, drawn())
		}
	}
	for _, key := range []rune{'q', 'Q', 3} {
		if !s.press(key) {
			t.Errorf("%q does not quit", key)
		}
	}
}
