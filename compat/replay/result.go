package replay

import (
	"fmt"
	"time"

	"calbridge/compat/diff"
	"calbridge/compat/excerpt"
	"calbridge/compat/recording"
	"calbridge/compat/verdict"
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

// Reasons lists the reasons in the order in which a summary shows them.
func Reasons() []string {
	return []string{ReasonOutOfScope, ReasonWrites, ReasonFilter, ReasonShard, ReasonNoAPI, ReasonRedacted}
}

// Result is the outcome of one exchange or write case.
type Result struct {
	ID, Method, Path string
	As               string
	File             string
	Line             int
	Outcome          verdict.Outcome
	Reason           string // of Skipped
	StatusOnly       bool   // only the status was compared
	Differences      []diff.Difference
	Took             time.Duration // zero when nothing was sent
	RecordedTook     time.Duration // zero when the recording does not say

	// Route and Language group the exchanges; with Options.Details only.
	Route, Language string
	// Request is what was sent, Recorded and Got the answers to it of an exchange
	// that differs; with Options.Details only.
	Request  *recording.Request
	Recorded *recording.Response
	Got      *recording.Response
	// Curl is a command line that sends the request again.
	Curl string
}

// String is the result as one line.
func (r Result) String() string {
	line := fmt.Sprintf("%-9s %s %s %s", r.Outcome, r.ID, r.Method, excerpt.Head(r.Path, 200))
	switch {
	case r.Outcome == verdict.Skipped:
		line += " (" + r.Reason + ")"
	case len(r.Differences) == 1:
		line += ": " + r.Differences[0].String()
	case len(r.Differences) > 1:
		line += fmt.Sprintf(": %s (and %d more)", r.Differences[0], len(r.Differences)-1)
	}
	return line
}

// Coarsest is the coarsest level at which the exchange differs; LevelStatus also
// when no answer came.
func (r Result) Coarsest() diff.Level {
	for _, level := range diff.Levels() {
		for _, d := range r.Differences {
			if d.Level == level {
				return level
			}
		}
	}
	return diff.LevelStatus
}
