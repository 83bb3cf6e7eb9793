package sitecompare

import (
	"time"

	"calbridge/compat/recording"
	"calbridge/compat/replay"
)

// reportOf returns the pairs as a report of compat: WordPress is the recorded side.
func reportOf(c *Config, pairs []*pair, started time.Time) *replay.Report {
	scheme, host := c.Site.origin()
	if c.Upstream.Host != "" {
		host = c.Upstream.Host
	}
	var compared []replay.Compared
	for _, p := range pairs {
		r := replay.Result{
			ID: p.exchange.ID, Method: p.request.method, Path: p.request.target, As: p.exchange.As, Outcome: p.outcome, Differences: p.differences,
			TookMS: recording.Milliseconds(p.took), RecordedTookMS: p.exchange.TookMS, Request: &p.exchange.Request, Recorded: &p.exchange.Response, Got: &p.ours,
			Curl: replay.CurlLine(c.Upstream.URL, host, scheme, p.exchange.As, p.exchange.Request),
		}
		if r.Outcome == replay.Same {
			r.Differences = nil
		}
		compared = append(compared, replay.Compared{Exchange: p.exchange, Result: r})
	}
	report := replay.ReportOf(c.Upstream.URL, c.Site.Namespace, started, compared)
	report.Level, report.Elapsed = c.Level, c.Now().Sub(started)
	return report
}
