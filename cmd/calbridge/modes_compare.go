package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"calbridge/compat"
	"calbridge/rest/api"
	"calbridge/rest/metrics"
	"calbridge/rest/rollout"
)

// comparer has compat compare the answers of both sides, and keeps what differs.
type comparer struct {
	judge   *compat.Judge
	journal *compat.Journal // nil without --compare-log
	trusted []netip.Prefix
	logger  *slog.Logger
	// failing: the journal could not be written the last time.
	failing atomic.Bool
}

func (c *configuration) openComparer(home string, logger *slog.Logger) (*comparer, error) {
	o := compat.JudgeOptions{Level: c.compareLevel}
	if c.compat != api.Exact { // HTTP caching, which the reference does not have
		o.Ignored = []string{"cache-control", "etag", "last-modified", "vary"}
	}
	var err error
	if c.compareRules != "" {
		if o.Rules, err = compat.LoadRules(c.compareRules); err != nil {
			return nil, fmt.Errorf("--compare-rules: %w", err)
		}
	}
	out := &comparer{trusted: c.trustedProxies, logger: logger}
	if out.judge, err = compat.NewJudge(o); err != nil {
		return nil, fmt.Errorf("--compare-rules: %w", err)
	}
	if c.compareLog != "" {
		header := compat.RecordingHeader{Generator: thisBuild().String(), Home: home, Namespace: c.namespace, Recorded: c.now().UTC()}
		if out.journal, err = compat.OpenJournal(c.compareLog, c.compareLogMax, header); err != nil {
			return nil, fmt.Errorf("--compare-log: %w", err)
		}
	}
	return out, nil
}

func (c *comparer) close() error {
	if c == nil || c.journal == nil {
		return nil
	}
	return c.journal.Close()
}

// exchange is what WordPress answered, as a recording has it.
func (c *comparer) exchange(p *rollout.Pair) *compat.Exchange {
	scheme := "http"
	if _, https := api.Client(p.Request, c.trusted); https {
		scheme = "https"
	}
	theirs := compat.Response{Status: p.Theirs.Status, Headers: compat.HeadersOf(p.Theirs.Header), Body: string(p.Theirs.Body)}
	return c.judge.Exchange(p.Request, p.Request.RequestURI, scheme+"://"+p.Request.Host, theirs, p.Theirs.Took)
}

func (c *comparer) differences(p *rollout.Pair, x *compat.Exchange) (compat.Outcome, []compat.Difference, error) {
	return c.judge.Judge(x, compat.Answer{Status: p.Ours.Status, Headers: compat.HeadersOf(p.Ours.Header), Body: string(p.Ours.Body)})
}

// Compare implements rollout.Judge.
func (c *comparer) Compare(p *rollout.Pair) (rollout.Outcome, []string, error) {
	outcome, differences, err := c.differences(p, c.exchange(p))
	switch {
	case err != nil:
		return rollout.Incomplete, nil, err
	case outcome == compat.Same:
		return rollout.Same, nil, nil
	case outcome == compat.Known:
		return rollout.Known, nil, nil
	}
	var kinds []string
	for _, d := range differences {
		if kind := string(d.Level); d.Known == 0 && !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return rollout.Different, kinds, nil
}

// Keep implements rollout.Judge. The log gets the places of the differences, not
// what stands there, which not everybody may see.
func (c *comparer) Keep(p *rollout.Pair, kinds []string) {
	x := c.exchange(p)
	_, differences, err := c.differences(p, x)
	var where []string
	for _, d := range differences {
		if place := string(d.Part) + " " + d.Where; d.Known == 0 && len(where) < 5 {
			where = append(where, strings.TrimSpace(place))
		}
	}
	if c.journal != nil {
		err = errors.Join(err, c.journal.Append(x))
	}
	c.logger.Warn("answers differ", "id", x.ID, "method", p.Request.Method, "path", loggedPath(p.Request.URL.Path), "route", p.Route,
		"ours", p.Ours.Status, "theirs", p.Theirs.Status, "kinds", strings.Join(kinds, " "), "where", strings.Join(where, ", "))
	if failed := err != nil; c.failing.Swap(failed) != failed && failed {
		c.logger.Error("a difference was not recorded", "err", err)
	}
}

// rolloutObserver puts what a rollout does into metrics and log.
type rolloutObserver struct {
	metrics *metrics.Metrics
	logger  *slog.Logger
	unknown *unknownNames
}

// Asked implements rollout.Observer.
func (o rolloutObserver) Asked(a *rollout.Asked) {
	o.metrics.Upstream(a.Purpose, a.Result, a.Took)
	level := slog.LevelInfo
	switch {
	case a.Result == rollout.ResultSlow || a.Result == rollout.ResultAway || a.Result == rollout.ResultFailed:
		level = slog.LevelWarn
	case a.Purpose == rollout.ForComparison:
		level = slog.LevelDebug
	}
	ctx := a.Request.Context()
	if !o.logger.Enabled(ctx, level) {
		return
	}
	attrs := []slog.Attr{
		slog.String("method", a.Request.Method), slog.String("path", loggedPath(a.Request.URL.Path)), slog.String("for", a.Purpose), slog.String("result", a.Result),
		slog.Int("status", a.Status), slog.Int64("bytes", a.Bytes), slog.Float64("ms", float64(a.Took.Microseconds())/1000),
	}
	if mark, ok := ctx.Value(requestMarkKey{}).(requestMark); ok {
		attrs = append(attrs, slog.String("id", mark.id))
	}
	if a.Err != nil {
		attrs = append(attrs, slog.String("err", a.Err.Error()))
	}
	o.logger.LogAttrs(ctx, level, "asked WordPress", attrs...)
}

// Turned implements rollout.Observer.
func (o rolloutObserver) Turned(notRendered []string) {
	o.metrics.Turned()
	o.unknown.note(o.logger, notRendered)
}

// Compared implements rollout.Observer.
func (o rolloutObserver) Compared(c *rollout.Compared) {
	o.metrics.Compared(c)
	if c.Err != nil {
		o.logger.Debug("not compared", "route", c.Route, "err", c.Err)
	}
}

// Dropped implements rollout.Observer.
func (o rolloutObserver) Dropped(reason string) { o.metrics.NotCompared(reason) }

// unknownNames remembers which blocks and shortcodes the log has told of.
type unknownNames struct {
	mu   sync.Mutex
	told map[string]bool
}

// maxUnknownNames bounds them, for they come from stored texts.
const maxUnknownNames = 500

func (u *unknownNames) note(logger *slog.Logger, names []string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, name := range names {
		if u.told[name] || len(u.told) >= maxUnknownNames {
			continue
		}
		if u.told == nil {
			u.told = map[string]bool{}
		}
		u.told[name] = true
		logger.Warn("only WordPress can render this", "name", name)
	}
}
