package report

import (
	"cmp"
	"io"
	"slices"
	"time"

	"calbridge/compat/diff"
	"calbridge/compat/recording"
	"calbridge/compat/replay"
	"calbridge/compat/rules"
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
	// Groups are the differences by cause.
	Groups   []replay.Group   `json:"groups"`
	Failures []string         `json:"failures"`
	Rules    []rules.Use      `json:"rules"`
	Known    []rules.KnownUse `json:"known"`
	groupsDocument
	Coverage *replay.Coverage `json:"coverage,omitempty"`
	Cases    []replay.Result  `json:"cases"`
}

// runDocument describes what was compared, and how the comparison ended.
type runDocument struct {
	Format    string     `json:"format"`
	Target    string     `json:"target"`
	Level     diff.Level `json:"level"`
	Compat    string     `json:"compat,omitempty"`
	Started   time.Time  `json:"started"`
	ElapsedMS float64    `json:"elapsed_ms"`
	ExitCode  int        `json:"exit_code"`
	Error     string     `json:"error,omitempty"`
	Stopped   bool       `json:"stopped"`
}

type totalsDocument struct {
	Compared int `json:"compared"`
	// SameBody counts the exchanges whose status and body are the same.
	SameBody int `json:"same_body"`
	replay.Counts
}

type latencyPair struct {
	Target   replay.Latency `json:"target"`
	Recorded replay.Latency `json:"recorded"`
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
	// P50MS is the median time of the target; 0 if nothing was sent.
	P50MS float64 `json:"p50_ms"`

	took []float64
}

// JSON writes the report as JSON; see schema.json. The comparison must be made with
// replay.Options.Details.
func JSON(w io.Writer, r *replay.Report) error { return recording.WriteLine(w, documentOf(r)) }

func documentOf(r *replay.Report) *document {
	d := &document{
		runDocument: runDocument{Format: Format, Target: r.Target, Level: cmp.Or(r.Level, diff.LevelBytes), Compat: r.Compat, Started: r.Started.UTC(),
			ElapsedMS: recording.Milliseconds(r.Elapsed), ExitCode: r.ExitCode(), Stopped: r.Stopped},
		Totals:    totalsDocument{Compared: r.Compared(), SameBody: r.SameBody, Counts: r.Counts},
		SkippedBy: r.SkippedBy, Parts: r.Parts, Levels: r.Levels,
		Latency:  latencyPair{Target: r.Latency, Recorded: r.RecordedLatency},
		Groups:   append([]replay.Group{}, r.Groups...),
		Failures: append([]string{}, r.Failures...), Rules: append([]rules.Use{}, r.Rules...), Known: append([]rules.KnownUse{}, r.KnownUses...),
		groupsDocument: groupsDocument{
			Files:     groups(r.Cases, func(c *replay.Result) string { return c.File }),
			Routes:    groups(r.Cases, func(c *replay.Result) string { return c.Route }),
			Languages: groups(r.Cases, func(c *replay.Result) string { return c.Language }),
			Roles:     groups(r.Cases, func(c *replay.Result) string { return c.As }),
		},
		Coverage: r.Coverage, Cases: append([]replay.Result{}, r.Cases...),
	}
	if r.Err != nil {
		d.Error = r.Err.Error()
	}
	return d
}

// groups counts the exchanges by the result of name, groups with differences first.
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
		if c.TookMS > 0 {
			g.took = append(g.took, c.TookMS)
		}
	}
	for i := range groups {
		groups[i].P50MS = replay.LatencyOf(groups[i].took).P50MS
	}
	slices.SortStableFunc(groups, func(a, b groupDocument) int {
		return cmp.Or(b.Different-a.Different, cmp.Compare(a.Name, b.Name))
	})
	return groups
}
