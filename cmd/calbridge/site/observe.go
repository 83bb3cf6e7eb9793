package site

import (
	"log/slog"
	"sync"

	"calbridge/cmd/calbridge/figures"
	"calbridge/cmd/calbridge/logging"
	"calbridge/rest/api"
	"calbridge/rest/metrics"
	"calbridge/rest/rollout"
	"calbridge/wpstore"
)

// observeRequests returns a function that counts and logs requests answered by calbridge. traffic is nil unless
// the site is one of several.
func observeRequests(m *metrics.Metrics, traffic *figures.Traffic, logger *slog.Logger, unknown *unknownNames) func(*api.Observation) {
	return func(o *api.Observation) {
		m.Requests.Answered(o)
		if traffic != nil {
			traffic.Count(o.Status, o.Took, o.Cache != api.CacheOff, o.Cache == api.CacheHit)
		}
		if class, crowded := wpstore.Crowded(o.Err); crowded {
			m.Process.Rejected(string(class))
		}
		logging.Access(logger, o)
		unknown.note(logger, o.NotRendered)
	}
}

// observer counts and logs the events of a rollout.
type observer struct {
	traffic  *figures.Traffic // nil unless the site is one of several
	rollout  *metrics.Rollout
	requests *metrics.Requests
	logger   *slog.Logger
	unknown  *unknownNames
}

// Asked implements rollout.Observer.
func (o observer) Asked(a *rollout.Asked) {
	o.rollout.Upstream(a.Purpose, a.Result, a.Took)
	if o.traffic != nil && a.Purpose != rollout.ForComparison {
		o.traffic.Count(a.Status, a.Took, false, false)
	}
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
		slog.String("method", a.Request.Method), slog.String("path", logging.Path(a.Request.URL.Path)), slog.String("for", a.Purpose), slog.String("result", a.Result),
		slog.Int("status", a.Status), slog.Int64("bytes", a.Bytes), slog.Float64("ms", float64(a.Took.Microseconds())/1000),
	}
	if id := logging.RequestID(ctx); id != "" {
		attrs = append(attrs, slog.String("id", id))
	}
	if a.Err != nil {
		attrs = append(attrs, slog.String("err", a.Err.Error()))
	}
	o.logger.LogAttrs(ctx, level, "asked WordPress", attrs...)
}

// Turned implements rollout.Observer.
func (o observer) Turned(notRendered []string) {
	o.requests.Turned()
	o.unknown.note(o.logger, notRendered)
}

// Compared implements rollout.Observer.
func (o observer) Compared(c *rollout.Compared) {
	o.rollout.Compared(c)
	if c.Err != nil {
		o.logger.Debug("not compared", "route", c.Route, "err", c.Err)
	}
}

// Dropped implements rollout.Observer.
func (o observer) Dropped(reason string) { o.rollout.NotCompared(reason) }

// unknownNames holds the names of blocks and shortcodes that have been logged.
type unknownNames struct {
	mu     sync.Mutex
	logged map[string]bool
}

// maxUnknownNames limits their number, since they come from stored texts.
const maxUnknownNames = 500

func (u *unknownNames) note(logger *slog.Logger, names []string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, name := range names {
		if u.logged[name] || len(u.logged) >= maxUnknownNames {
			continue
		}
		if u.logged == nil {
			u.logged = map[string]bool{}
		}
		u.logged[name] = true
		logger.Warn("only WordPress can render this", "name", name)
	}
}
