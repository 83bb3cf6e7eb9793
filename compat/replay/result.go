package replay

import (
	"fmt"
	"slices"

	"calbridge/compat/diff"
	"calbridge/compat/recording"
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

// Reasons lists the reasons in the order of the summary.
func Reasons() []string {
	return []string{ReasonOutOfScope, ReasonWrites, ReasonFilter, ReasonShard, ReasonNoAPI, ReasonRedacted}
}

// Result is the outcome of one exchange or write case. Its JSON form is part of the JSON
// report.
type Result struct {
	ID     string `json:"id"`
	Method string `json:"method"`
	Path   string `json:"path"`
	As     string `json:"as"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	// Route and Language group the exchanges; only with Options.Details.
	Route       string            `json:"route"`
	Language    string            `json:"language"`
	Outcome     Outcome           `json:"outcome"`
	Reason      string            `json:"reason,omitempty"`      // of Skipped
	StatusOnly  bool              `json:"status_only,omitempty"` // only the status was compared
	Level       diff.Level        `json:"level,omitempty"`       // the coarsest at which it differs
	Differences []diff.Difference `json:"differences,omitempty"`
	TookMS      float64           `json:"took_ms"` // zero when nothing was sent
	// RecordedTookMS is zero when the recording has no time.
	RecordedTookMS float64 `json:"recorded_took_ms,omitempty"`
	// Curl is a command line that repeats the request.
	Curl string `json:"curl,omitempty"`

	// Request is the request that was sent, Recorded and Got its two answers, if the
	// exchange differs; only with Options.Details.
	Request  *recording.Request  `json:"-"`
	Recorded *recording.Response `json:"-"`
	Got      *recording.Response `json:"-"`
}

// String returns the result as one line.
func (r Result) String() string {
	line := fmt.Sprintf("%-9s %s %s %s", r.Outcome, r.ID, r.Method, diff.Head(r.Path, 200))
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

// coarsest returns the coarsest level at which there is a difference, or "" without any. If
// some are unexplained, only those count.
func coarsest(differences []diff.Difference) diff.Level {
	if open := unexplained(differences); len(open) > 0 {
		differences = open
	}
	for _, level := range diff.Levels() {
		if slices.ContainsFunc(differences, func(d diff.Difference) bool { return d.Level == level }) {
			return level
		}
	}
	return ""
}

// unexplained returns the differences that fail a comparison.
func unexplained(differences []diff.Difference) []diff.Difference {
	return slices.DeleteFunc(slices.Clone(differences), func(d diff.Difference) bool { return outcomeOf(d) != Different })
}
