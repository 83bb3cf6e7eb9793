package report

import (
	"fmt"
	"io"

	"calbridge/compat/diff"
	"calbridge/compat/replay"
)

// Summary writes the totals by file and by part, skipped exchanges by reason, the rules,
// other failures, and the latencies.
func Summary(w io.Writer, r *replay.Report) {
	for _, f := range r.Files {
		fmt.Fprintf(w, "%s: %d same, %s%d different, %d skipped\n", f.File, f.Same, explained(&f.Counts), f.Different, f.Skipped)
	}
	at := ""
	if r.Level != "" && r.Level != diff.LevelBytes {
		at = fmt.Sprintf(" (level %s)", r.Level)
	}
	fmt.Fprintf(w, "target %s: %d compared, %d same, %s%d different%s\n", r.Target, r.Compared(), r.Same, explained(&r.Counts), r.Different, at)
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
