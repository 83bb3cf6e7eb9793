package replay

import (
	"maps"
	"slices"
	"strings"
	"time"

	"calbridge/compat/recording"
	"calbridge/compat/wprest"
)

// collector gathers the results of a run into its report.
type collector struct {
	report  *Report
	details bool         // cases, routes and coverage are wanted
	index   wprest.Index // as far as the recordings show it
	// took are the times of the exchanges that were sent, recordedTook their times in
	// the recordings.
	took, recordedTook []float64 // milliseconds
	groups             grouping
}

// Compared is an exchange whose answers were not compared by Compare but elsewhere.
type Compared struct {
	Exchange *recording.Exchange
	Result   Result
}

// ReportOf returns the report of such exchanges, with the data that Options.Details
// collects.
func ReportOf(target, namespace string, started time.Time, compared []Compared) *Report {
	c := &collector{report: newReport(target, started), details: true, groups: grouping{}, index: wprest.Index{Namespace: wprest.NewNamespace(namespace)}}
	for _, one := range compared {
		c.add(one.Exchange, one.Result)
	}
	c.cover(nil)
	c.report.Groups = c.groups.sorted()
	c.report.Latency, c.report.RecordedLatency = LatencyOf(c.took), LatencyOf(c.recordedTook)
	return c.report
}

// add counts a result and stores what reports need of it. x is nil for a write case. It
// reports whether the result has an unexplained difference of a new kind.
func (c *collector) add(x *recording.Exchange, result Result) (fresh bool) {
	fresh = c.groups.add(&result)
	result.Level = coarsest(result.Differences)
	if result.Outcome == Same || result.Outcome == Skipped || !c.details {
		result.Recorded, result.Got = nil, nil
	}
	if !c.details {
		result.Request = nil
	} else {
		if x != nil {
			result.Language = wprest.LanguageOf(x)
			c.learn(x)
		}
		c.report.Cases = append(c.report.Cases, result)
	}
	c.report.add(result)
	if result.TookMS > 0 {
		c.took = append(c.took, result.TookMS)
		if result.RecordedTookMS > 0 {
			c.recordedTook = append(c.recordedTook, result.RecordedTookMS)
		}
	}
	return fresh
}

// learn reads the routes and arguments of a recorded namespace index.
func (c *collector) learn(x *recording.Exchange) {
	if !strings.Contains(x.Response.Body, `"routes"`) {
		return
	}
	if _, root, ok := wprest.ReadAnswer(x, c.index.Namespace); ok {
		c.index.Read(root)
	}
}

// cover computes routes and coverage. The index must be complete. site is nil without a
// site file.
func (c *collector) cover(site *recording.Site) {
	if !c.details {
		return
	}
	var asked []Asked
	for i := range c.report.Cases {
		one := &c.report.Cases[i]
		one.Route = RouteOf(&c.index, one.Method, one.Path)
		if one.Outcome != Skipped {
			asked = append(asked, Asked{Path: one.Path, Route: one.Route, Language: one.Language, As: one.As})
		}
	}
	var logins []string
	if site != nil {
		logins = slices.Collect(maps.Keys(site.Users))
	}
	c.report.Coverage = Of(&c.index, logins, asked)
}
