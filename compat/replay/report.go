package replay

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"calbridge/compat/diff"
	"calbridge/compat/rules"
)

// Exit codes. Those of package cmdline have the same meanings.
const (
	ExitSame        = 0
	ExitFailed      = 1
	ExitUsage       = 2
	ExitUnreachable = 3
)

// Counts are numbers of exchanges by outcome. Write cases count as Skipped.
type Counts struct {
	Same      int `json:"same"`
	Intended  int `json:"intended"`
	Headers   int `json:"headers"`
	Raced     int `json:"raced"`
	Known     int `json:"known"`
	Different int `json:"different"`
	Skipped   int `json:"skipped"`
}

// Count adds one exchange.
func (c *Counts) Count(outcome Outcome) {
	switch outcome {
	case Same:
		c.Same++
	case Intended:
		c.Intended++
	case Headers:
		c.Headers++
	case Raced:
		c.Raced++
	case Known:
		c.Known++
	case Different:
		c.Different++
	case Skipped:
		c.Skipped++
	}
}

// Compared returns the number of exchanges that were sent and compared.
func (c *Counts) Compared() int {
	return c.Same + c.Intended + c.Headers + c.Raced + c.Known + c.Different
}

// FileCount counts the outcomes of one recording.
type FileCount struct {
	File string
	Counts
}

// Report is the outcome of a comparison.
type Report struct {
	Target string
	Counts
	// SameBody counts the exchanges whose status and body are the same.
	SameBody int
	// Compat is the level of the target, "" where it is unknown.
	Compat string
	// Groups are the differences of all exchanges by cause, those that need a decision first.
	Groups []Group
	// SkippedBy counts the skipped ones by reason.
	SkippedBy map[string]int
	// Parts counts the differing exchanges by the parts that differ. One exchange may
	// count in several.
	Parts map[diff.Part]int
	// Levels counts the differing exchanges by the coarsest level at which they
	// differ.
	Levels map[diff.Level]int
	// Differing lists the exchanges that differ, in the order of the recordings.
	Differing []Result
	// Cases lists all exchanges, in the order of the recordings; only with
	// Options.Details.
	Cases []Result
	Files []FileCount
	// Latency is the target's latency. RecordedLatency is that of the recorded side, for
	// the exchanges whose recording contains it.
	Latency, RecordedLatency Latency
	// Conclusion describes how the rules file was used; its Failures fail the
	// comparison.
	rules.Conclusion
	// Coverage is what the exchanges ask of the API; with Options.Details only.
	Coverage *Coverage
	// Level is how closely was compared; Started and Elapsed when and how long.
	Level   diff.Level
	Started time.Time
	Elapsed time.Duration
	// Stopped reports that the run ended at the first difference, as requested.
	Stopped bool
	// Err is the error that prevented or ended the comparison.
	Err error
}

func newReport(target string, started time.Time) *Report {
	return &Report{Target: target, Started: started, SkippedBy: map[string]int{}, Parts: map[diff.Part]int{}, Levels: map[diff.Level]int{}}
}

// ExitCode returns the process exit code for the report: 0 all the same, 1 differences,
// failures or interrupted, 2 wrong settings or files, 3 target unreachable. A run that compared
// nothing is not a success.
func (r *Report) ExitCode() int {
	var unreachable *UnreachableError
	switch {
	case errors.As(r.Err, &unreachable):
		return ExitUnreachable
	case errors.Is(r.Err, context.Canceled):
		return ExitFailed
	case r.Err != nil:
		return ExitUsage
	case r.Different > 0 || len(r.Failures) > 0:
		return ExitFailed
	}
	return ExitSame
}

func (r *Report) add(result Result) {
	if n := len(r.Files); n == 0 || r.Files[n-1].File != result.File {
		r.Files = append(r.Files, FileCount{File: result.File})
	}
	r.Count(result.Outcome)
	r.Files[len(r.Files)-1].Count(result.Outcome)
	if result.Outcome != Skipped && sameBody(result.Differences) {
		r.SameBody++
	}
	switch result.Outcome {
	case Skipped:
		r.SkippedBy[result.Reason]++
	case Different:
		r.Differing = append(r.Differing, result)
		r.Levels[result.Level]++
		open := unexplained(result.Differences)
		for i, d := range open {
			if !slices.ContainsFunc(open[:i], func(earlier diff.Difference) bool { return earlier.Part == d.Part }) {
				r.Parts[d.Part]++
			}
		}
	}
}

// Latency summarizes how long exchanges took, in milliseconds, from the first byte sent
// to the last byte read.
type Latency struct {
	Count int     `json:"count"`
	MinMS float64 `json:"min_ms"`
	P50MS float64 `json:"p50_ms"`
	P99MS float64 `json:"p99_ms"`
	MaxMS float64 `json:"max_ms"`
}

// LatencyOf summarizes times in milliseconds. It sorts them.
func LatencyOf(took []float64) Latency {
	if len(took) == 0 {
		return Latency{}
	}
	slices.Sort(took)
	rank := func(share float64) float64 {
		return took[max(0, int(math.Ceil(share*float64(len(took))))-1)]
	}
	return Latency{Count: len(took), MinMS: took[0], P50MS: rank(0.50), P99MS: rank(0.99), MaxMS: took[len(took)-1]}
}

func (l Latency) String() string {
	if l.Count == 0 {
		return "nothing was sent"
	}
	return fmt.Sprintf("min %.1f ms, p50 %.1f ms, p99 %.1f ms, max %.1f ms", l.MinMS, l.P50MS, l.P99MS, l.MaxMS)
}
