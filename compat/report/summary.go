package report

import (
	"fmt"
	"io"
	"strings"

	"calbridge/compat/diff"
	"calbridge/compat/replay"
)

// Bounds of the summary.
const (
	// mostUnexplained and mostOthers limit the groups of a category.
	mostUnexplained, mostOthers = 20, 8
	// shownValue limits a value, in bytes.
	shownValue = 100
)

// Summary writes the totals by file and by part, the differences by cause, skipped exchanges by
// reason, the rules, other failures, and the latencies.
func Summary(w io.Writer, r *replay.Report) {
	for _, f := range r.Files {
		fmt.Fprintf(w, "%s: %d same, %s%d different, %d skipped\n", f.File, f.Same, explained(&f.Counts), f.Different, f.Skipped)
	}
	at := ""
	if r.Level != "" && r.Level != diff.LevelBytes {
		at = fmt.Sprintf(" (level %s)", r.Level)
	}
	fmt.Fprintf(w, "target %s: %d compared, %d same, %s%d different%s\n", r.Target, r.Compared(), r.Same, explained(&r.Counts), r.Different, at)
	if r.Compared() > 0 && r.Compared() > r.Same {
		fmt.Fprintf(w, "  %d of %d with the same status and body\n", r.SameBody, r.Compared())
	}
	for _, part := range []diff.Part{diff.PartAnswer, diff.PartStatus, diff.PartHeaders, diff.PartBody, diff.PartKnown} {
		if n := r.Parts[part]; n > 0 {
			fmt.Fprintf(w, "  %d differ in %s\n", n, part)
		}
	}
	if r.Different > 0 {
		fmt.Fprint(w, "  first seen at level:")
		for _, level := range diff.Levels() {
			if n := r.Levels[level]; n > 0 {
				fmt.Fprintf(w, " %s %d", level, n)
			}
		}
		fmt.Fprintln(w)
	}
	summarizeGroups(w, r)
	for _, reason := range replay.Reasons() {
		if n := r.SkippedBy[reason]; n > 0 {
			fmt.Fprintf(w, "  %d skipped: %s\n", n, reason)
		}
	}
	for _, rule := range r.Rules {
		fmt.Fprintln(w, " ", rule)
	}
	for _, known := range r.KnownUses {
		fmt.Fprintln(w, " ", known)
	}
	if r.Stopped {
		fmt.Fprintln(w, "  stopped at the first difference")
	}
	for _, failure := range r.Failures {
		fmt.Fprintln(w, "failed:", failure)
	}
	fmt.Fprintf(w, "latency of the target: %s\n", r.Latency)
	if r.RecordedLatency.Count > 0 {
		fmt.Fprintf(w, "latency when recorded: %s\n", r.RecordedLatency)
	}
}

// summarizeGroups writes the differences by category and cause, those that need a decision
// first.
func summarizeGroups(w io.Writer, r *replay.Report) {
	for _, category := range diff.Categories() {
		title := map[diff.Category]string{
			diff.Unexplained: "unexplained", diff.Intended: "intended: calbridge differs on purpose", diff.Raced: "raced: times, and data that changed in between",
			diff.Headers: "headers of the web server, PHP, a CDN, or of caching",
		}[category]
		most, shown, left := mostOthers, 0, 0
		if category == diff.Unexplained {
			most = mostUnexplained
		}
		for i := range r.Groups {
			g := &r.Groups[i]
			switch {
			case g.Category != category:
				continue
			case shown == most:
				left++
				continue
			case shown == 0:
				fmt.Fprintln(w, title)
			}
			shown++
			writeGroup(w, g)
		}
		if left > 0 {
			fmt.Fprintf(w, "  and %d more\n", left)
		}
	}
}

// writeGroup writes a group in one line, and for one that needs a decision a second line with
// the rule or flag.
func writeGroup(w io.Writer, g *replay.Group) {
	place := strings.TrimSpace(string(g.Part) + " " + g.Where)
	values := fmt.Sprintf("recorded %s, got %s", diff.Head(g.First.Recorded, shownValue), diff.Head(g.First.Got, shownValue))
	switch {
	case g.Category == diff.Intended:
		fmt.Fprintf(w, "  %5d × %s %s, as in %s (%s: %s)\n", g.Count, g.Name, g.What, g.Example, place, values)
	case g.Category != diff.Unexplained:
		fmt.Fprintf(w, "  %5d × %s: %s\n", g.Count, place, g.What)
	case g.Name != "":
		fmt.Fprintf(w, "  %5d × %s: %s, as in %s (%s)\n", g.Count, g.Name, g.What, g.Example, values)
	default:
		fmt.Fprintf(w, "  %5d × %s: %s, as in %s\n", g.Count, place, values, g.Example)
	}
	if g.Remedy != "" && g.Category == diff.Unexplained {
		fmt.Fprintf(w, "          to allow it: %s\n", g.Remedy)
	}
}

// explained returns the counts of explained exchanges, those that are not zero, each followed
// by a comma.
func explained(c *replay.Counts) string {
	text := ""
	for _, one := range []struct {
		n    int
		what string
	}{{c.Known, "known"}, {c.Intended, "intended"}, {c.Raced, "raced"}, {c.Headers, "differ in the web server's or caching headers only"}} {
		if one.n > 0 {
			text += fmt.Sprintf("%d %s, ", one.n, one.what)
		}
	}
	return text
}
