package compat

import (
	"calbridge/compat/diff"
	"calbridge/compat/recording"
	"calbridge/compat/rules"
	"calbridge/compat/wire"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"time"
)

// Options say what is compared with what. Target and Recordings are required.
type Options struct {
	// Target is the URL of the server to ask: scheme, host and port.
	Target string
	// Recordings are file patterns of JSON Lines or HAR, packed with gzip or not.
	Recordings []string
	// Site is the JSON file beside the recorded site's dump. Without it the home
	// URL is taken from the recordings' headers or else the recorded Link headers.
	Site string
	// Logins are application passwords by login, for exchanges of logins; they go
	// before those of the site file.
	Logins map[string]string
	// OutOfScope is a file of exchanges that are not, or by status only, compared.
	OutOfScope string
	// RecordedNamespace and TargetNamespace are the REST namespaces of the
	// recordings and of the target. The recordings' default to that in the header
	// of the first file, or else DefaultNamespace; the target's to the recordings'.
	RecordedNamespace, TargetNamespace string
	// Level is how closely answers are compared; "" means LevelBytes.
	Level diff.Level
	// Rules say what does not count and what is known to differ; see LoadRules.
	Rules *rules.File
	// Strict lets rules fail that were never used or have expired.
	Strict bool
	// Writes sends requests of HAR files also when they may change the target:
	// others than GET, HEAD and OPTIONS.
	Writes bool
	// Shard is the part of the exchanges to compare.
	Shard Shard
	// Details keeps in the report what the HTML and JSON reports show.
	Details bool
	// Now tells the time, for expiry dates and reports; nil means time.Now.
	Now func() time.Time
	// Run selects exchanges whose id or path matches. Nil selects all.
	Run *regexp.Regexp
	// Filter selects further, for tests. Nil selects all.
	Filter func(*recording.Exchange) bool
	// Concurrency is the number of connections to the target; 0 means 4.
	Concurrency int
	// Timeout bounds one exchange; 0 means 30 seconds.
	Timeout time.Duration
	// FailFast stops at the first difference.
	FailFast bool
	// Out gets a line for every differing exchange while the comparison runs, in
	// the order of the recordings; with Verbose for every exchange, and with
	// every difference on a line of its own. Nil means none.
	Out     io.Writer
	Verbose bool
}

// Compare replays the recordings against the target and compares the answers.
// It always returns a report. The error, also in the report, says why the
// comparison could not be made or finished; it is an *UnreachableError when the
// target did not accept connections. Differences are not an error.
func Compare(ctx context.Context, o Options) (*Report, error) {
	o = o.completed()
	report := &Report{Target: o.Target, SkippedBy: map[string]int{}, Parts: map[diff.Part]int{}, Levels: map[diff.Level]int{}, Started: o.Now()}
	c, err := newComparison(o)
	if err == nil {
		err = c.probe(ctx)
	}
	if err == nil {
		err = c.run(ctx, report)
	}
	if err == nil && report.Compared() == 0 && report.SkippedBy[ReasonWrites] == 0 {
		err = errors.New("nothing was compared: no exchange is selected and in scope")
	}
	if err == nil {
		c.conclude(report)
	}
	report.Latency, report.RecordedLatency = latencyOf(report.took), latencyOf(report.recordedTook)
	report.Elapsed = o.Now().Sub(report.Started)
	report.Err = err
	return report, err
}

// conclude adds what can be told at the end only.
func (c *comparison) conclude(report *Report) {
	report.Level = c.Level
	whole := c.Run == nil && c.Filter == nil && c.Shard.Count <= 1 && !report.Stopped
	report.Conclusion = c.rules.Conclude(c.Strict, whole)
	if c.Details {
		report.cover(c.site)
	}
}

func (r *Report) unreachable() bool {
	var unreachable *wire.UnreachableError
	return errors.As(r.Err, &unreachable)
}

// comparison is a run with its settings read and checked.
type comparison struct {
	Options
	endpoint  wire.Endpoint
	files     []string
	site      *recording.Site
	home      *url.URL // nil without a site file
	scope     *Scope
	namespace namespaceMap
	rules     *rules.Set
}

// completed has the defaults in the place of what is not set.
func (o Options) completed() Options {
	if o.Concurrency <= 0 {
		o.Concurrency = 4
	}
	if o.Timeout <= 0 {
		o.Timeout = 30 * time.Second
	}
	if o.Out == nil {
		o.Out = io.Discard
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

func newComparison(o Options) (*comparison, error) {
	o = o.completed()
	c := &comparison{Options: o}
	var err error
	if c.endpoint, err = wire.ParseTarget(o.Target); err != nil {
		return nil, err
	}
	if c.files, err = recording.ExpandGlobs(o.Recordings); err != nil {
		return nil, err
	}
	if c.RecordedNamespace == "" {
		if c.RecordedNamespace, err = recording.NamespaceOf(c.files[0]); err != nil {
			return nil, err
		}
	}
	c.TargetNamespace = cmp.Or(c.TargetNamespace, c.RecordedNamespace)
	c.namespace = newNamespaceMap(c.RecordedNamespace, c.TargetNamespace)
	if o.Site != "" {
		if c.site, err = recording.LoadSite(o.Site); err != nil {
			return nil, err
		}
		if c.home, err = c.site.HomeURL(); err != nil {
			return nil, err
		}
	}
	if c.Level, err = diff.ParseLevel(string(o.Level)); err != nil {
		return nil, err
	}
	if c.rules, err = rules.Compile(o.Rules, o.Now()); err != nil {
		return nil, fmt.Errorf("rules: %w", err)
	}
	if o.OutOfScope != "" {
		if c.scope, err = LoadScope(o.OutOfScope); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// probe connects once, so that an absent target is told before anything is read.
func (c *comparison) probe(ctx context.Context) error {
	w := wire.Conn{Endpoint: c.endpoint, Timeout: min(c.Timeout, 10*time.Second)}
	defer w.Close()
	return w.Connect(ctx)
}
