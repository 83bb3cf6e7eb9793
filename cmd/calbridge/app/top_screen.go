package app

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/console"
)

// topScreen is the screen of `calbridge top` on a terminal.
type topScreen struct {
	process *cmdline.Process
	ops     string // the server's address
	view    topView
	help    bool
	// latest are the last figures, nil before the first ones. away reports that the server doesn't
	// send any at present.
	latest *console.Now
	away   bool
}

// receive takes figures; nil means that there is no connection.
func (s *topScreen) receive(n *console.Now) {
	if s.away = n == nil; !s.away {
		s.latest = n
	}
}

// press follows a key, and reports whether it ends the program.
func (s *topScreen) press(key rune) (quit bool) {
	const interrupt = 3 // Ctrl-C, which a terminal in raw mode passes on
	switch key {
	case 'q', 'Q', interrupt:
		return true
	case '?', 'h':
		s.help = !s.help
	case 's':
		s.view.sort = (s.view.sort + 1) % len(topColumns())
	}
	return false
}

// draw draws the screen in place: the cursor moves to the top left corner, each line clears its rest,
// and the end clears what is below.
func (s *topScreen) draw() {
	out := s.process.Stdout
	width, height := cmdline.Size(out)
	s.view.width = width
	var lines []string
	switch {
	case s.help:
		lines = topHelp()
	case s.latest != nil:
		view := s.view
		if s.away { // nothing that is old looks like news
			dim := func(text string) string {
				return cmdline.Control(out, "2m") + text + cmdline.Control(out, "0m")
			}
			view.paint = func(_ cmdline.Color, text string) string { return text }
			for _, line := range view.lines(s.latest) {
				lines = append(lines, dim(line))
			}
		} else {
			lines = view.lines(s.latest)
		}
	}
	if s.away {
		lines = append([]string{s.view.paint(cmdline.Red, "no connection to "+s.ops+"; trying again")}, lines...)
	}
	if height > 1 && len(lines) > height-1 {
		lines = lines[:height-1]
	}
	clear := cmdline.Control(out, "K")
	var b strings.Builder
	for _, line := range append(lines, "q quits, ? explains, s sorts by "+topColumns()[(s.view.sort+1)%len(topColumns())].name) {
		fmt.Fprintf(&b, "%s%s\n", line, clear)
	}
	text := strings.TrimSuffix(b.String(), "\n") // a line end at the bottom would scroll
	fmt.Fprint(out, cmdline.Control(out, "H"), cmdline.RawLines(out, text), cmdline.Control(out, "J"))
}

func topHelp() []string {
	return strings.Split(`calbridge top shows what a running server did in the last ten seconds.

  q, Ctrl-C  quit
  ?          show or hide this help
  s          sort the routes by the next column

  in flight    requests that have begun and not ended
  p50, p99     half, and 99 of 100, of the requests took no longer
  turned away  requests that limits refused, by 429 or 503
  busy         connections to the database in use
  waiting      time that statements waited for a connection
  change feed  whether the database's binary log is followed, and how late
`, "\n")
}

// topView prints figures.
type topView struct {
	// width is the number of columns, 0 for any.
	width int
	sort  int // index of the column by which routes are sorted
	paint cmdline.Paint
}

// topColumn is a column of the table of routes, by which it can be sorted.
type topColumn struct {
	name  string
	value func(console.Route) float64
}

// topColumns returns the columns after that of the route.
func topColumns() []topColumn {
	return []topColumn{
		{"a second", func(r console.Route) float64 { return r.PerSecond }},
		{"p50 ms", func(r console.Route) float64 { return r.P50 }},
		{"p99 ms", func(r console.Route) float64 { return r.P99 }},
		{"5xx/s", func(r console.Route) float64 { return r.Failed }},
	}
}

// topItem is one figure of a line.
type topItem struct {
	text  string
	color cmdline.Color // "" for none
}

func item(format string, args ...any) topItem { return topItem{text: fmt.Sprintf(format, args...)} }

// rated returns an item that is green if all is well and red otherwise.
func rated(ok bool, text string) topItem {
	if ok {
		return topItem{text, cmdline.Green}
	}
	return topItem{text, cmdline.Red}
}

// lines returns the lines of figures.
func (v topView) lines(n *console.Now) (lines []string) {
	hits, answers := 0.0, 0.0
	for _, s := range n.Sources {
		answers += s.PerSecond
		if s.Name == "hit" {
			hits = s.PerSecond
		}
	}
	feed := item("change feed: no cache")
	if n.Cache.Enabled {
		feed = rated(n.Cache.Followed, "change feed "+map[bool]string{true: "followed", false: "not followed"}[n.Cache.Followed])
	}
	lines = append(lines, v.line("calbridge", item("%s", n.At.Format(time.TimeOnly)), item("mode %s", n.Mode), item("cpu %.2f", n.Process.CPU), item("memory %.0f MiB", n.Process.Memory/(1<<20)), item("goroutines %.0f", n.Process.Goroutines))...)
	lines = append(lines, v.line("requests", item("%.1f/s", n.Requests.PerSecond), item("in flight %.0f", n.Requests.InFlight), item("p50 %.2f ms", n.Requests.P50), item("p99 %.2f ms", n.Requests.P99),
		rated(n.Requests.Failed == 0, fmt.Sprintf("5xx %.1f/s", n.Requests.Failed)), item("turned away %.1f/s", n.Requests.Rejected))...)
	lines = append(lines, v.line("cache", item("%.0f %% from memory", 100*hits/max(answers, 1e-9)), item("%.0f responses", n.Cache.Answers), item("%.1f MiB", n.Cache.Bytes/(1<<20)),
		feed, item("%.1f/s", n.Cache.Transactions), item("p99 %.1f ms", n.Cache.DelayP99))...)
	for _, s := range n.Database {
		lag := fmt.Sprintf("lag %.1f s", s.Lag)
		if s.Lag < 0 {
			lag = "lag unknown"
		}
		lines = append(lines, v.line("database", item("%s", s.Name), item("%.1f/s", s.Statements), item("busy %.0f of %.0f", s.Busy, s.Open), item("waiting %.1f ms/s", s.Waited), item("%s", lag))...)
	}
	if p := n.Proof; p != nil {
		items := []topItem{item("%.1f %% native", 100*p.Native)}
		for _, s := range p.States {
			items = append(items, item("%s %d", s.Name, s.Count))
		}
		lines = append(lines, v.line("proof", items...)...)
	}
	for _, u := range n.Upstream {
		if u.Total > 0 {
			lines = append(lines, v.line("WordPress", item("%s", u.Name), item("%.1f/s", u.PerSecond))...)
		}
	}
	return append(append(lines, ""), v.table(n.Routes)...)
}

// line returns the lines of one label: as many items as fit, and the rest below them.
func (v topView) line(label string, items ...topItem) (lines []string) {
	const indent = 11
	line, columns := fmt.Sprintf("%-*s", indent, label), indent
	for i, it := range items {
		text, gap := it.text, 0
		if it.color != "" {
			text = v.paint(it.color, text)
		}
		if i > 0 {
			gap = 2
		}
		size := utf8.RuneCountInString(it.text)
		if v.width > 0 && columns+gap+size > v.width && columns > indent {
			lines = append(lines, line)
			line, columns, gap = strings.Repeat(" ", indent), indent, 0
		}
		line += strings.Repeat(" ", gap) + text
		columns += gap + size
	}
	return append(lines, line)
}

// table returns the table of routes, sorted. Long routes are cut in the middle.
func (v topView) table(routes []console.Route) []string {
	const numbers, width = 4 * 11, 80
	columns := topColumns()
	name := max(10, min(cmp.Or(v.width, width), 120)-numbers)
	head := fmt.Sprintf("%-*s", name, "route")
	for i, c := range columns {
		title := c.name
		if i == v.sort {
			title = "▼" + title
		}
		head += fmt.Sprintf(" %10s", title)
	}
	lines := []string{head}
	sorted := slices.Clone(routes)
	by := columns[v.sort].value
	slices.SortStableFunc(sorted, func(a, b console.Route) int { return cmp.Compare(by(b), by(a)) })
	for _, r := range sorted {
		failed := fmt.Sprintf(" %10.1f", r.Failed)
		color := cmdline.Green
		if r.Failed > 0 {
			color = cmdline.Red
		}
		lines = append(lines, fmt.Sprintf("%-*s %10.1f %10.2f %10.2f", name, shortened(r.Route, name), r.PerSecond, r.P50, r.P99)+v.paint(color, failed))
	}
	return lines
}

// shortened returns a text of at most n characters, cut in the middle.
func shortened(text string, n int) string {
	runes := []rune(text)
	if len(runes) <= n {
		return text
	}
	end := (n - 1) / 2
	return string(runes[:n-1-end]) + "…" + string(runes[len(runes)-end:])
}
