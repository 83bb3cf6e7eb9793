package replay

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"calbridge/compat/diff"
	"calbridge/compat/explain"
	"calbridge/compat/recording"
	"calbridge/compat/rules"
)

// sameValidator reports whether a header is an entity tag on both sides. Tags differ
// between servers and between encodings of a body; the bodies themselves are compared.
func sameValidator(name string, recorded, got recording.HeaderValues) bool {
	return name == "etag" && len(recorded) == 1 && len(got) == 1
}

// Differ compares answers at a level, under rules; rules may be nil.
type Differ struct {
	Level diff.Level
	Rules *rules.Set
}

// mostExamined limits the number of differences of one body that are explained. Reports show
// diff.MaxDifferences of them.
const mostExamined = 5000

// explained returns the differences of a case with their causes, the most telling first, as
// many as reports show. If statusOnly is set, only the status counts.
func (d Differ) explained(ctx context.Context, x *recording.Exchange, c explain.Case, statusOnly bool) ([]diff.Difference, error) {
	c.As, c.Compare = x.As, func(recorded, got recording.Response) ([]diff.Difference, error) {
		return d.Diff(x, recorded, got, statusOnly)
	}
	found, err := c.Compare(c.Recorded, c.Got)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	found = explain.Explain(ctx, c, found)
	return found[:min(len(found), diff.MaxDifferences)], nil
}

// Diff compares an answer with the recorded one. Both must already be under the same
// namespace. If statusOnly is set, only the status counts; for an HTML page, status and
// content type.
func (d Differ) Diff(x *recording.Exchange, recorded recording.Response, got recording.Response, statusOnly bool) ([]diff.Difference, error) {
	noise, err := diff.CompileNoise(x.Noise)
	if err != nil {
		return nil, err
	}
	rules := d.Rules.For(x)
	var diffs []diff.Difference
	if recorded.Status != got.Status && !rules.IgnoresStatus() {
		diffs = append(diffs, diff.Difference{Part: diff.PartStatus, Level: diff.LevelStatus, Recorded: statusText(recorded.Status), Got: statusText(got.Status)})
	}
	if statusOnly || d.Level == diff.LevelStatus {
		return diffs, nil
	}
	recorded, got = rules.Replace(recorded, got)
	page := strings.HasPrefix(recorded.Header("content-type"), "text/html")
	diffs = append(diffs, diffHeaders(recorded.Headers, got.Headers, noise, rules, page)...)
	if d.Level == diff.LevelHeaders || page || noise.IgnoresBody() || strings.EqualFold(x.Request.Method, http.MethodHead) || recorded.Body == got.Body {
		return diffs, nil
	}
	return append(diffs, diff.Bodies(recorded.Body, got.Body, noise, d.Level, mostExamined, rules.Reconcile)...), nil
}

// NoAnswer returns the difference for a missing or unreadable answer.
func NoAnswer(recorded recording.Response, err error) []diff.Difference {
	return []diff.Difference{{Part: diff.PartAnswer, Level: diff.LevelStatus, Recorded: statusText(recorded.Status), Got: err.Error()}}
}

func statusText(status int) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(status)))
}

func diffHeaders(recorded, got map[string]recording.HeaderValues, noise *diff.Noise, rules *rules.Active, page bool) []diff.Difference {
	names := slices.AppendSeq(slices.Collect(maps.Keys(recorded)), maps.Keys(got))
	slices.Sort(names)
	var diffs []diff.Difference
	for _, name := range slices.Compact(names) {
		if recording.ConnectionHeader(name) || noise.IgnoresHeader(name) || (page && name != "content-type") {
			continue
		}
		if want, have := recorded[name], got[name]; !slices.Equal(want, have) && !sameValidator(name, want, have) && !rules.IgnoresHeader(name) && !rules.SameHeader(want, have) {
			diffs = append(diffs, diff.Difference{Part: diff.PartHeaders, Level: diff.LevelHeaders, Where: name, Recorded: headerText(want), Got: headerText(have)})
		}
	}
	return diffs
}

func headerText(values recording.HeaderValues) string {
	if len(values) == 0 {
		return diff.Absent
	}
	quoted := make([]string, len(values))
	for i, value := range values {
		quoted[i] = fmt.Sprintf("%q", diff.Head(value, 200))
	}
	return strings.Join(quoted, " and ")
}

// Outcome is the outcome of one exchange.
type Outcome string

// The outcomes.
const (
	Same      Outcome = "same"
	Different Outcome = "different"
	// Intended exchanges differ only as calbridge does on purpose; Difference.Cause names the
	// known difference.
	Intended Outcome = "intended"
	// Raced exchanges differ only in times, or in rows that changed between the answers.
	Raced Outcome = "raced"
	// Headers exchanges differ only in headers that do not belong to the API.
	Headers Outcome = "headers"
	// Known exchanges differ only in what the rules file names as known.
	Known Outcome = "known"
	// Skipped exchanges were not sent; Result.Reason has the reason.
	Skipped Outcome = "skipped"
)

// OutcomeOf returns the outcome of an exchange with these differences. One that nothing
// explains makes it Different. An exchange with several explanations counts as the first of
// Known, Intended, Raced and Headers.
func OutcomeOf(differences []diff.Difference) Outcome {
	has := map[Outcome]bool{}
	for _, d := range differences {
		has[outcomeOf(d)] = true
	}
	for _, outcome := range []Outcome{Different, Known, Intended, Raced, Headers} {
		if has[outcome] {
			return outcome
		}
	}
	return Same
}

func outcomeOf(d diff.Difference) Outcome {
	switch {
	case d.Known > 0:
		return Known
	case d.Cause.Category == diff.Intended:
		return Intended
	case d.Cause.Category == diff.Raced:
		return Raced
	case d.Cause.Category == diff.Headers:
		return Headers
	}
	return Different
}

// sameBody reports whether status and body are the same, as far as the differences of an
// exchange show.
func sameBody(differences []diff.Difference) bool {
	return !slices.ContainsFunc(differences, func(d diff.Difference) bool { return d.Part != diff.PartHeaders && d.Known == 0 })
}
