package replay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"calbridge/compat/diff"
	"calbridge/compat/recording"
	"calbridge/compat/rules"
	"calbridge/compat/wprest"
)

// Compare replays the recordings against the target and compares the answers. It always
// returns a report. The error, which is also in the report, prevented the comparison or
// ended it early. It is a *wire.UnreachableError if the target did not accept
// connections. Differences are not an error.
func Compare(ctx context.Context, o Options) (*Report, error) {
	o = o.completed()
	results := &collector{report: newReport(o.Target, o.Now()), details: o.Details, groups: grouping{}}
	report := results.report
	c, err := newComparison(o)
	if err == nil {
		results.index.Namespace = c.namespace
		err = c.replay(ctx, results)
	}
	report.Latency, report.RecordedLatency = LatencyOf(results.took), LatencyOf(results.recordedTook)
	report.Groups = results.groups.sorted()
	report.Elapsed = o.Now().Sub(report.Started)
	report.Err = err
	return report, err
}

// comparison is a run with checked settings.
type comparison struct {
	Options
	files     []string
	scope     Scope // nil without a file
	namespace wprest.Namespace
	asker     asker
}

func newComparison(o Options) (*comparison, error) {
	c := &comparison{Options: o}
	c.asker.timeout, c.asker.details = o.Timeout, o.Details
	requests := &c.asker.requests
	requests.logins = o.Logins
	var err error
	if requests.endpoint, err = ParseTarget(o.Target); err != nil {
		return nil, err
	}
	if c.files, err = recording.ExpandGlobs(o.Recordings); err != nil {
		return nil, err
	}
	recorded := o.RecordedNamespace
	if recorded == "" {
		if recorded, err = recording.NamespaceOf(c.files[0]); err != nil {
			return nil, err
		}
	}
	c.namespace = wprest.NewNamespace(recorded)
	c.asker.rewrite = wprest.NewRewrite(recorded, cmp.Or(o.TargetNamespace, recorded))
	c.asker.target.namespace, c.asker.target.given = wprest.NewNamespace(cmp.Or(o.TargetNamespace, recorded)), o.Compat
	c.asker.target.listed = listedIn(c.files, c.namespace)
	if o.Site != "" {
		if requests.site, err = recording.LoadSite(o.Site); err != nil {
			return nil, err
		}
		if requests.home, err = requests.site.HomeURL(); err != nil {
			return nil, err
		}
	}
	if c.asker.differ.Level, err = diff.ParseLevel(string(o.Level)); err != nil {
		return nil, err
	}
	if c.asker.differ.Rules, err = rules.Compile(o.Rules, o.Now()); err != nil {
		return nil, fmt.Errorf("rules: %w", err)
	}
	if o.OutOfScope != "" {
		if c.scope, err = LoadScope(o.OutOfScope); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// replay compares and completes the report.
func (c *comparison) replay(ctx context.Context, results *collector) error {
	if err := c.probe(ctx); err != nil {
		return err
	}
	if err := c.run(ctx, results); err != nil {
		return err
	}
	report := results.report
	if report.Compared() == 0 && report.SkippedBy[ReasonWrites] == 0 {
		return errors.New("nothing was compared: no exchange is selected and in scope")
	}
	report.Level, report.Compat = c.asker.differ.Level, string(c.asker.target.level())
	report.Conclusion = c.asker.differ.Rules.Conclude(c.Strict, c.whole() && !report.Stopped)
	results.cover(c.asker.requests.site)
	return nil
}

// probe connects once, so that an unreachable target fails the run at once, and finds out the
// level of the target.
func (c *comparison) probe(ctx context.Context) error {
	conn := c.asker.connection()
	conn.Timeout = min(conn.Timeout, 10*time.Second)
	defer conn.Close()
	if err := conn.Connect(ctx); err != nil {
		return err
	}
	c.asker.target.detect(ctx, c.asker.as(&recording.Exchange{As: recording.Anonymous}, conn))
	return nil
}
