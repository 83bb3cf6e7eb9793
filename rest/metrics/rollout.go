package metrics

import (
	"cmp"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"calbridge/rest/rollout"
	"calbridge/rest/routes"
)

// DifferenceKinds are the kinds of differences that Compared counts: the levels of a
// comparison.
func DifferenceKinds() []string { return []string{"status", "headers", "schema", "semantic", "bytes"} }

// rolloutFigures are the metrics of a rollout.
type rolloutFigures struct {
	upstream         *prometheus.CounterVec   // purpose, result
	upstreamDuration *prometheus.HistogramVec // purpose
	comparisons      *prometheus.CounterVec   // route, outcome
	differences      *prometheus.CounterVec   // route, kind
	dropped          *prometheus.CounterVec   // reason
	mode             *prometheus.GaugeVec     // mode
	share            *prometheus.GaugeVec     // of
}

func newRolloutFigures(m factory) *rolloutFigures {
	f := &rolloutFigures{
		upstream:         m.counter("upstream_requests_total", "Requests to WordPress, by what for and how they ended.", "purpose", "result"),
		upstreamDuration: m.histogram("upstream_request_duration_seconds", "Time until WordPress had answered, by what for.", seconds(), "purpose"),
		comparisons:      m.counter("comparisons_total", "Requests that both sides were asked, by route template and outcome.", "route", "outcome"),
		differences:      m.counter("comparison_differences_total", "Comparisons that found a difference, by route template and each kind of difference.", "route", "kind"),
		dropped:          m.counter("comparisons_dropped_total", "Comparisons that were not made, by the reason.", "reason"),
		mode:             m.gauge("rollout_mode", "1 for the running mode in use, 0 for the others.", "mode"),
		share:            m.gauge("rollout_share_percent", "Share of the clients that the mode is for, and of their GETs that are compared.", "of"),
	}
	for _, purpose := range rollout.Purposes() {
		f.upstreamDuration.WithLabelValues(purpose)
		for _, result := range rollout.Results() {
			f.upstream.WithLabelValues(purpose, result)
		}
	}
	for _, route := range append(routes.Templates(), none) {
		for _, outcome := range rollout.Outcomes() {
			f.comparisons.WithLabelValues(route, string(outcome))
		}
		for _, kind := range DifferenceKinds() {
			f.differences.WithLabelValues(route, kind)
		}
	}
	touch(f.dropped, rollout.DropReasons()...)
	return f
}

// Rollout records the plan in use.
func (m *Metrics) Rollout(p rollout.Plan) {
	for _, mode := range rollout.Modes() {
		m.rollout.mode.WithLabelValues(string(mode)).Set(number(mode == p.Mode))
	}
	compared := 0.0
	if p.Compares() {
		compared = p.Compared
	}
	m.rollout.share.WithLabelValues("clients").Set(p.Clients)
	m.rollout.share.WithLabelValues("compared").Set(compared)
}

// Upstream counts a request to WordPress; purpose and result are constants of package
// rollout.
func (m *Metrics) Upstream(purpose, result string, took time.Duration) {
	m.rollout.upstream.WithLabelValues(purpose, result).Inc()
	m.rollout.upstreamDuration.WithLabelValues(purpose).Observe(took.Seconds())
}

// Turned counts a request that WordPress answered because calbridge can't render its
// contents.
func (m *Metrics) Turned() { m.unfaithful.WithLabelValues(byWordPress).Inc() }

// Compared counts a comparison.
func (m *Metrics) Compared(c *rollout.Compared) {
	route := cmp.Or(c.Route, none)
	m.rollout.comparisons.WithLabelValues(route, string(c.Outcome)).Inc()
	for _, kind := range c.Kinds {
		m.rollout.differences.WithLabelValues(route, kind).Inc()
	}
}

// NotCompared counts a dropped comparison; reason is a constant of package rollout.
func (m *Metrics) NotCompared(reason string) { m.rollout.dropped.WithLabelValues(reason).Inc() }

// Labels of unfaithful_requests_total.
const (
	byCalbridge = "calbridge"
	byWordPress = "wordpress"
)
