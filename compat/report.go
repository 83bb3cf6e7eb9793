package compat

import (
	"fmt"
	"io"
	"math"
	"slices"
	"time"
)

// Exit codes of a comparison.
const (
	ExitSame        = 0
	ExitDifferent   = 1
	ExitUsage       = 2
	ExitUnreachable = 3
)

// Outcome is what became of one exchange.
type Outcome string

// The outcomes.
const (
	Same      Outcome = "same"
	Different Outcome = "different"
	// Skipped exchanges were not sent; Result.Reason says why.
	Skipped Outcome = "skipped"
)

// Reasons of skipped exchanges.
const (
	ReasonOutOfScope = "out of scope"
	ReasonWrites     = "writes"
	ReasonFilter     = "not selected"
	ReasonShard      = "another shard"
	ReasonNoAPI      = "not a request to the API"
	ReasonRedacted   = "its credentials were taken out of the recording"
)

// Result is the outcome of one exchange or write case.
type Result struct {
	ID, Method, Path string
	File             string
	Line             int
	Outcome          Outcome
	Reason           string // of Skipped
	StatusOnly       bool   // only the status was compared
	Differences      []Difference
	Took             time.Duration // zero when nothing was sent
}

// String is the result as one line.
func (r Result) String() string {
	line := fmt.Sprintf("%-9s %s %s %s", r.Outcome, r.ID, r.Method, cut(r.Path, 200))
	switch {
	case r.Outcome == Skipped:
		line += " (" + r.Reason + ")"
	case len(r.Differences) == 1:
		line += ": " + r.Differences[0].String()
	case len(r.Differences) > 1:
		line += fmt.Sprintf(": %s (and %d more)", r.Differences[0], len(r.Differences)-1)
	}
	return line
}

// Latency sums up how long the target took, from the first byte sent to the last
// byte read.
type Latency struct {
	Count              int
	Min, P50, P99, Max time.Duration
}

func latencyOf(took []time.Duration) Latency {
	if len(took) == 0 {
		return Latency{}
	}
	slices.Sort(took)
	rank := func(share float64) time.Duration {
		return took[max(0, int(math.Ceil(share*float64(len(took))))-1)]
	}
	return Latency{Count: len(took), Min: took[0], P50: rank(0.50), P99: rank(0.99), Max: took[len(took)-1]}
}

func (l Latency) String() string {
	if l.Count == 0 {
		return "nothing was sent"
	}
	ms := func(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond)) }
	return fmt.Sprintf("min %s, p50 %s, p99 %s, max %s", ms(l.Min), ms(l.P50), ms(l.P99), ms(l.Max))
}

// FileCount is how the exchanges of one recording came out.
type FileCount struct {
	File                     string
	Same, Different, Skipped int
}

// Report is the outcome of a comparison.
type Report struct {
	Target string
	// Same, Different and Skipped count exchanges; write cases are among Skipped.
	Same, Different, Skipped int
	// SkippedBy counts the skipped ones by reason.
	SkippedBy map[string]int
	// Parts counts the differing exchanges by the parts that differ; one exchange
	// may count in several.
	Parts map[Part]int
	// Differing are the exchanges that differ, in the order of the recordings.
	Differing []Result
	Files     []FileCount
	Latency   Latency
	// Stopped says that the run ended at the first difference, as asked for.
	Stopped bool
	// Err is why the comparison could not be made or finished.
	Err error

	took []time.Duration
}

// Compared is the number of exchanges that were sent and compared.
func (r *Report) Compared() int { return r.Same + r.Different }

// ExitCode is the process exit code that the report stands for: 0 all the same,
// 1 differences, 2 wrong settings or files, 3 target unreachable. A run that
// compared nothing is not a success.
func (r *Report) ExitCode() int {
	switch {
	case r.unreachable():
		return ExitUnreachable
	case r.Err != nil:
		return ExitUsage
	case r.Different > 0:
		return ExitDifferent
	}
	return ExitSame
}

func (r *Report) add(result Result) {
	if n := len(r.Files); n == 0 || r.Files[n-1].File != result.File {
		r.Files = append(r.Files, FileCount{File: result.File})
	}
	file := &r.Files[len(r.Files)-1]
	switch result.Outcome {
	case Same:
		r.Same++
		file.Same++
	case Different:
		r.Different++
		file.Different++
		r.Differing = append(r.Differing, result)
		parts := map[Part]bool{}
		for _, d := range result.Differences {
			parts[d.Part] = true
		}
		for part := range parts {
			r.Parts[part]++
		}
	case Skipped:
		r.Skipped++
		file.Skipped++
		r.SkippedBy[result.Reason]++
	}
	if result.Took > 0 {
		r.took = append(r.took, result.Took)
	}
}

// WriteSummary writes the totals: by file, by part, skipped ones by reason, and
// the target's latency.
func (r *Report) WriteSummary(w io.Writer) {
	for _, f := range r.Files {
		fmt.Fprintf(w, "%s: %d same, %d different, %d skipped\n", f.File, f.Same, f.Different, f.Skipped)
	}
	fmt.Fprintf(w, "target %s: %d compared, %d same, %d different\n", r.Target, r.Compared(), r.Same, r.Different)
	for _, part := range []Part{PartAnswer, PartStatus, PartHeaders, PartBody} {
		if n := r.Parts[part]; n > 0 {
			fmt.Fprintf(w, "  %d differ in %s\n", n, part)
		}
	}
	for _, reason := range []string{ReasonOutOfScope, ReasonWrites, ReasonFilter, ReasonShard, ReasonNoAPI, ReasonRedacted} {
		if n := r.SkippedBy[reason]; n > 0 {
			fmt.Fprintf(w, "  %d skipped: %s\n", n, reason)
		}
	}
	if r.Stopped {
		fmt.Fprintln(w, "  stopped at the first difference")
	}
	fmt.Fprintf(w, "latency of the target: %s\n", r.Latency)
}
