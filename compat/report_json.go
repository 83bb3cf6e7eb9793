package compat

import (
	"calbridge/compat/diff"
	"calbridge/compat/recording"
	"calbridge/compat/rules"
	"calbridge/compat/verdict"
	"cmp"
	_ "embed" // the published schema
	"io"
	"slices"
	"time"
)

// ReportFormat is the "format" member of the JSON report.
const ReportFormat = "calbridge-report/1"

//go:embed report/schema.json
var reportSchema string

// ReportSchema is the JSON Schema of the JSON report.
func ReportSchema() string { return reportSchema }

// reportDocument is the JSON report; report/schema.json describes it.
type reportDocument struct {
	Format    string             `json:"format"`
	Target    string             `json:"target"`
	Level     diff.Level         `json:"level"`
	Started   time.Time          `json:"started"`
	ElapsedMS float64            `json:"elapsed_ms"`
	ExitCode  int                `json:"exit_code"`
	Error     string             `json:"error,omitempty"`
	Stopped   bool               `json:"stopped"`
	Totals    totalsDocument     `json:"totals"`
	SkippedBy map[string]int     `json:"skipped_by"`
	Parts     map[diff.Part]int  `json:"parts"`
	Levels    map[diff.Level]int `json:"levels"`
	Latency   latencyPair        `json:"latency"`
	Failures  []string           `json:"failures"`
	Rules     []ruleDocument     `json:"rules"`
	Known     []knownDocument    `json:"known"`
	Files     []groupDocument    `json:"files"`
	Routes    []groupDocument    `json:"routes"`
	Languages []groupDocument    `json:"languages"`
	Roles     []groupDocument    `json:"roles"`
	Coverage  *coverageDocument  `json:"coverage,omitempty"`
	Cases     []caseDocument     `json:"cases"`
}

type totalsDocument struct {
	Compared  int `json:"compared"`
	Same      int `json:"same"`
	Known     int `json:"known"`
	Different int `json:"different"`
	Skipped   int `json:"skipped"`
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

type ruleDocument struct {
	Number  int        `json:"number"`
	Kind    rules.Kind `json:"kind"`
	What    string     `json:"what"`
	Reason  string     `json:"reason"`
	Hits    int64      `json:"hits"`
	Expired bool       `json:"expired"`
}

type knownDocument struct {
	Number  int    `json:"number"`
	Reason  string `json:"reason"`
	Seen    int    `json:"seen"`
	Passed  int    `json:"passed"`
	Expired bool   `json:"expired"`
}

// groupDocument counts the exchanges of a file, a route, a language or a role.
type groupDocument struct {
	Name      string `json:"name"`
	Same      int    `json:"same"`
	Known     int    `json:"known"`
	Different int    `json:"different"`
	Skipped   int    `json:"skipped"`
	// P50MS is the median time of the target; 0 when nothing was sent.
	P50MS float64 `json:"p50_ms"`

	took []time.Duration
}

type coverageDocument struct {
	Languages []string                `json:"languages"`
	Roles     []string                `json:"roles"`
	Routes    []routeCoverageDocument `json:"routes"`
}

type routeCoverageDocument struct {
	Route           string         `json:"route"`
	Advertised      bool           `json:"advertised"`
	Asked           int            `json:"asked"`
	Parameters      map[string]int `json:"parameters"`
	Languages       map[string]int `json:"languages"`
	Roles           map[string]int `json:"roles"`
	NeverParameters []string       `json:"never_parameters"`
	NeverLanguages  []string       `json:"never_languages"`
	NeverRoles      []string       `json:"never_roles"`
}

type caseDocument struct {
	ID             string               `json:"id"`
	Method         string               `json:"method"`
	Path           string               `json:"path"`
	As             string               `json:"as"`
	File           string               `json:"file"`
	Line           int                  `json:"line"`
	Route          string               `json:"route"`
	Language       string               `json:"language"`
	Outcome        verdict.Outcome      `json:"outcome"`
	Reason         string               `json:"reason,omitempty"`
	StatusOnly     bool                 `json:"status_only,omitempty"`
	Level          diff.Level           `json:"level,omitempty"`
	Differences    []differenceDocument `json:"differences,omitempty"`
	TookMS         float64              `json:"took_ms"`
	RecordedTookMS float64              `json:"recorded_took_ms,omitempty"`
	Curl           string               `json:"curl,omitempty"`
}

type differenceDocument struct {
	Part     diff.Part  `json:"part"`
	Level    diff.Level `json:"level"`
	Where    string     `json:"where,omitempty"`
	Recorded string     `json:"recorded"`
	Got      string     `json:"got"`
	Known    int        `json:"known,omitempty"`
}

// WriteJSON writes the report as JSON; see ReportSchema. The comparison has to be
// made with Options.Details.
func (r *Report) WriteJSON(w io.Writer) error {
	data, err := recording.MarshalPlain(r.document())
	if err != nil {
		return err
	}
	_, err = w.Write(append(data, '\n'))
	return err
}

func (r *Report) document() *reportDocument {
	d := &reportDocument{
		Format: ReportFormat, Target: r.Target, Level: cmp.Or(r.Level, diff.LevelBytes), Started: r.Started.UTC(), ElapsedMS: milliseconds(r.Elapsed),
		ExitCode: r.ExitCode(), Stopped: r.Stopped,
		Totals:    totalsDocument{Compared: r.Compared(), Same: r.Same, Known: r.Known, Different: r.Different, Skipped: r.Skipped},
		SkippedBy: r.SkippedBy, Parts: r.Parts, Levels: r.Levels,
		Latency:  latencyPair{Target: r.Latency.document(), Recorded: r.RecordedLatency.document()},
		Failures: append([]string{}, r.Failures...), Rules: []ruleDocument{}, Known: []knownDocument{}, Cases: []caseDocument{},
	}
	if r.Err != nil {
		d.Error = r.Err.Error()
	}
	for _, u := range r.Rules {
		d.Rules = append(d.Rules, ruleDocument{u.Number, u.Kind, u.What, u.Reason, u.Hits, u.Expired})
	}
	for _, u := range r.KnownUses {
		d.Known = append(d.Known, knownDocument(u))
	}
	for i := range r.Cases {
		d.Cases = append(d.Cases, r.Cases[i].document())
	}
	d.Files = r.groups(func(c *Result) string { return c.File })
	d.Routes = r.groups(func(c *Result) string { return c.Route })
	d.Languages = r.groups(func(c *Result) string { return c.Language })
	d.Roles = r.groups(func(c *Result) string { return c.As })
	if r.Coverage != nil {
		d.Coverage = r.Coverage.document()
	}
	return d
}

func milliseconds(d time.Duration) float64 {
	return float64(d.Round(time.Microsecond)) / float64(time.Millisecond)
}

func (l Latency) document() latencyDocument {
	return latencyDocument{Count: l.Count, MinMS: milliseconds(l.Min), P50MS: milliseconds(l.P50), P99MS: milliseconds(l.P99), MaxMS: milliseconds(l.Max)}
}

func (r *Result) document() caseDocument {
	d := caseDocument{ID: r.ID, Method: r.Method, Path: r.Path, As: cmp.Or(r.As, recording.Anonymous), File: r.File, Line: r.Line, Route: r.Route, Language: r.Language,
		Outcome: r.Outcome, Reason: r.Reason, StatusOnly: r.StatusOnly, TookMS: milliseconds(r.Took), RecordedTookMS: milliseconds(r.RecordedTook), Curl: r.Curl}
	if len(r.Differences) > 0 {
		d.Level = r.coarsest()
	}
	for _, x := range r.Differences {
		d.Differences = append(d.Differences, differenceDocument(x))
	}
	return d
}

// groups counts the exchanges by what name gives, those with differences first.
func (r *Report) groups(name func(*Result) string) []groupDocument {
	groups, at := []groupDocument{}, map[string]int{}
	for i := range r.Cases {
		c := &r.Cases[i]
		key := cmp.Or(name(c), "–")
		if _, found := at[key]; !found {
			at[key] = len(groups)
			groups = append(groups, groupDocument{Name: key})
		}
		g := &groups[at[key]]
		switch c.Outcome {
		case verdict.Same:
			g.Same++
		case verdict.Known:
			g.Known++
		case verdict.Different:
			g.Different++
		case verdict.Skipped:
			g.Skipped++
		}
		if c.Took > 0 {
			g.took = append(g.took, c.Took)
		}
	}
	for i := range groups {
		groups[i].P50MS = milliseconds(latencyOf(groups[i].took).P50)
	}
	slices.SortStableFunc(groups, func(a, b groupDocument) int {
		return cmp.Or(b.Different-a.Different, cmp.Compare(a.Name, b.Name))
	})
	return groups
}

func (c *Coverage) document() *coverageDocument {
	d := &coverageDocument{Languages: c.Languages, Roles: c.Roles, Routes: []routeCoverageDocument{}}
	for _, route := range c.Routes {
		parameters, languages, roles := route.Never(c)
		d.Routes = append(d.Routes, routeCoverageDocument{Route: route.Route, Advertised: route.Advertised, Asked: route.Asked,
			Parameters: route.Parameters, Languages: route.Languages, Roles: route.Roles,
			NeverParameters: append([]string{}, parameters...), NeverLanguages: append([]string{}, languages...), NeverRoles: append([]string{}, roles...)})
	}
	return d
}
