package report

import (
	"cmp"
	"io"
	"slices"
	"time"

	"calbridge/compat/coverage"
	"calbridge/compat/diff"
	"calbridge/compat/recording"
	"calbridge/compat/replay"
	"calbridge/compat/rules"
	"calbridge/compat/verdict"
)

// Format is the "format" member of the JSON report.
const Format = "calbridge-report/1"

// document is the JSON report; schema.json describes it.
type document struct {
	runDocument
	Totals    totalsDocument     `json:"totals"`
	SkippedBy map[string]int     `json:"skipped_by"`
	Parts     map[diff.Part]int  `json:"parts"`
	Levels    map[diff.Level]int `json:"levels"`
	Latency   latencyPair        `json:"latency"`
	Failures  []string           `json:"failures"`
	Rules     []rules.Use        `json:"rules"`
	Known     []rules.KnownUse   `json:"known"`
	groupsDocument
	Coverage *coverageDocument `json:"coverage,omitempty"`
	Cases    []caseDocument    `json:"cases"`
}

// runDocument is what was compared, and how it ended.
type runDocument struct {
	Format    string     `json:"format"`
	Target    string     `json:"target"`
	Level     diff.Level `json:"level"`
	Started   time.Time  `json:"started"`
	ElapsedMS float64    `json:"elapsed_ms"`
	ExitCode  int        `json:"exit_code"`
	Error     string     `json:"error,omitempty"`
	Stopped   bool       `json:"stopped"`
}

type totalsDocument struct {
	Compared int `json:"compared"`
	replay.Counts
}

type latencyPair struct {
	Target   latencyDocument `json:"target"`
	Recorded latencyDocument `json:"recorded"`
}

type latencyDocument struct {
	Count int     `json:"count"`
	MinMS float64 `json:"min_ms"`
	P50MS float64 `json:"p50_ms"`
	P99MS float64 `json:"p99_ms"`
	MaxMS float64 `json:"max_ms"`
}

// groupsDocument counts the exchanges by what they have in common.
type groupsDocument struct {
	Files     []groupDocument `json:"files"`
	Routes    []groupDocument `json:"routes"`
	Languages []groupDocument `json:"languages"`
	Roles     []groupDocument `json:"roles"`
}

// groupDocument counts the exchanges of a file, a route, a language or a role.
type groupDocument struct {
	Name string `json:"name"`
	replay.Counts
	// P50MS is the median time of the target; 0 when nothing was sent.
	P50MS float64 `json:"p50_ms"`

	took []time.Duration
}

type coverageDocument struct {
	Languages []string        `json:"languages"`
	Roles     []string        `json:"roles"`
	Routes    []routeDocument `json:"routes"`
}

type routeDocument struct {
	coverage.Route
	NeverParameters []string `json:"never_parameters"`
	NeverLanguages  []string `json:"never_languages"`
	NeverRoles      []string `json:"never_roles"`
}

type caseDocument struct {
	ID             string            `json:"id"`
	Method         string            `json:"method"`
	Path           string            `json:"path"`
	As             string            `json:"as"`
	File           string            `json:"file"`
	Line           int               `json:"line"`
	Route          string            `json:"route"`
	Language       string            `json:"language"`
	Outcome        verdict.Outcome   `json:"outcome"`
	Reason         string            `json:"reason,omitempty"`
	StatusOnly     bool              `json:"status_only,omitempty"`
	Level          diff.Level        `json:"level,omitempty"`
	Differences    []diff.Difference `json:"differences,omitempty"`
	TookMS         float64           `json:"took_ms"`
	RecordedTookMS float64           `json:"recorded_took_ms,omitempty"`
	Curl           string            `json:"curl,omitempty"`
}

// JSON writes the report as JSON; see schema.json. The comparison has to be made with
// replay.Options.Details.
func JSON(w io.Writer, r *replay.Report) error { return recording.WriteLine(w, documentOf(r)) }

func documentOf(r *replay.Report) *document {
	d := &document{
		runDocument: runDocument{Format: Format, Target: r.Target, Level: cmp.Or(r.Level, diff.LevelBytes), Started: r.Started.UTC(),
			ElapsedMS: milliseconds(r.Elapsed), ExitCode: r.ExitCode(), Stopped: r.Stopped},
		Totals:    totalsDocument{Compared: r.Compared(), Counts: r.Counts},
		SkippedBy: r.SkippedBy, Parts: r.Parts, Levels: r.Levels,
		Latency:  latencyPair{Target: latencyOf(r.Latency), Recorded: latencyOf(r.RecordedLatency)},
		Failures: append([]string{}, r.Failures...), Rules: append([]rules.Use{}, r.Rules...), Known: append([]rules.KnownUse{}, r.KnownUses...),
		groupsDocument: groupsDocument{
			Files:     groups(r.Cases, func(c *replay.Result) string { return c.File }),
			Routes:    groups(r.Cases, func(c *replay.Result) string { return c.Route }),
			Languages: groups(r.Cases, func(c *replay.Result) string { return c.Language }),
			Roles:     groups(r.Cases, func(c *replay.Result) string { return c.As }),
		},
		Cases: []caseDocument{},
	}
	if r.Err != nil {
		d.Error = r.Err.Error()
	}
	for i := range r.Cases {
		d.Cases = append(d.Cases, caseOf(&r.Cases[i]))
	}
	if r.Coverage != nil {
		d.Coverage = coverageOf(r.Coverage)
	}
	return d
}

func milliseconds(d time.Duration) float64 {
	return float64(d.Round(time.Microsecond)) / float64(time.Millisecond)
}

func latencyOf(l replay.Latency) latencyDocument {
	return latencyDocument{Count: l.Count, MinMS: milliseconds(l.Min), P50MS: milliseconds(l.P50), P99MS: milliseconds(l.P99), MaxMS: milliseconds(l.Max)}
}

func caseOf(r *replay.Result) caseDocument {
	d := caseDocument{ID: r.ID, Method: r.Method, Path: r.Path, As: cmp.Or(r.As, recording.Anonymous), File: r.File, Line: r.Line, Route: r.Route, Language: r.Language,
		Outcome: r.Outcome, Reason: r.Reason, StatusOnly: r.StatusOnly, TookMS: milliseconds(r.Took), RecordedTookMS: milliseconds(r.RecordedTook), Curl: r.Curl, Differences: r.Differences}
	if len(r.Differences) > 0 {
		d.Level = r.Coarsest()
	}
	return d
}

// groups counts the exchanges by what name gives, those with differences first.
func groups(cases []replay.Result, name func(*replay.Result) string) []groupDocument {
	groups, at := []groupDocument{}, map[string]int{}
	for i := range cases {
		c := &cases[i]
		key := cmp.Or(name(c), "–")
		if _, found := at[key]; !found {
			at[key] = len(groups)
			groups = append(groups, groupDocument{Name: key})
		}
		g := &groups[at[key]]
		g.Count(c.Outcome)
		if c.Took > 0 {
			g.took = append(g.took, c.Took)
		}
	}
	for i := range groups {
		groups[i].P50MS = milliseconds(replay.LatencyOf(groups[i].took).P50)
	}
	slices.SortStableFunc(groups, func(a, b groupDocument) int {
		return cmp.Or(b.Different-a.Different, cmp.Compare(a.Name, b.Name))
	})
	return groups
}

func coverageOf(c *coverage.Coverage) *coverageDocument {
	d := &coverageDocument{Languages: c.Languages, Roles: c.Roles, Routes: []routeDocument{}}
	for _, route := range c.Routes {
		parameters, languages, roles := route.Never(c)
		d.Routes = append(d.Routes, routeDocument{Route: route,
			NeverParameters: append([]string{}, parameters...), NeverLanguages: append([]string{}, languages...), NeverRoles: append([]string{}, roles...)})
	}
	return d
}
