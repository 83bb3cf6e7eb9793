package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"calbridge/rest/rollout"
	"calbridge/rest/routes"
)

// DifferenceKinds are the kinds of differences that Compared counts: the levels of
// a comparison at which they show.
func DifferenceKinds() []string { return []string{"status", "headers", "schema", "semantic", "bytes"} }

// rolloutFigures are about the two sides of a rollout.
type rolloutFigures struct {
	upstream         *prometheus.CounterVec   // purpose, result
	upstreamDuration *prometheus.HistogramVec // purpose
	comparisons      *prometheus.CounterVec   // route, outcome
	differences      *prometheus.CounterVec   // route, kind
	dropped          *prometheus.CounterVec   // reason
	mode             *prometheus.GaugeVec     // mode
	share            *prometheus.GaugeVec     // of
}

func newRolloutFigures(registry *prometheus.Registry, counter func(name, help string, labels ...string) *prometheus.CounterVec, histogram func(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec) *rolloutFigures {
	gauge := func(name, help string, labels ...string) *prometheus.GaugeVec {
		return prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help}, labels)
	}
	f := &rolloutFigures{
		upstream:         counter("upstream_requests_total", "Requests to WordPress, by what for and how they ended.", "purpose", "result"),
		upstreamDuration: histogram("upstream_request_duration_seconds", "Time until WordPress had answered, by what for.", seconds(), "purpose"),
		comparisons:      counter("comparisons_total", "Requests that both sides were asked, by route template and outcome.", "route", "outcome"),
		differences:      counter("comparison_differences_total", "Comparisons that found a difference, by route template and each kind of difference.", "route", "kind"),
		dropped:          counter("comparisons_dropped_total", "Comparisons that were not made, by the reason.", "reason"),
		mode:             gauge("rollout_mode", "1 for the running mode in use, 0 for the others.", "mode"),
		share:            gauge("rollout_share_percent", "Share of the clients that the mode is for, and of their GETs that are compared.", "of"),
	}
	registry.MustRegister(f.upstream, f.upstreamDuration, f.comparisons, f.differences, f.dropped, f.mode, f.share)
	for _, purpose := range rollout.Purposes() {
		f.upstreamDuration.WithLabelValues(purpose)
		for _, result := range rollout.Results() {
			f.upstream.WithLabelValues(purpose, result)
		}
	}
	for _, route := range append(routes.Templates(), noRoute) {
		for _, outcome := range rollout.Outcomes() {
			f.comparisons.WithLabelValues(route, string(outcome))
		}
		for _, kind := range DifferenceKinds() {
			f.differences.WithLabelValues(route, kind)
		}
	}
	for _, reason := range rollout.DropReasons() {
		f.dropped.WithLabelValues(reason)
	}
	return f
}

// Rollout takes note of the plan in use.
func (m *Metrics) Rollout(p rollout.Plan) {
	for _, mode := range rollout.Modes() {
		on := 0.0
		if mode == p.Mode {
			on = 1
		}
		m.rollout.mode.WithLabelValues(string(mode)).Set(on)
	}
	compared := 0.0
	if p.Compares() {
		compared = p.Compared
	}
	m.rollout.share.WithLabelValues("clients").Set(p.Clients)
	m.rollout.share.WithLabelValues("compared").Set(compared)
}

// Upstream takes note of a request to WordPress; purpose and result are constants
// of package rollout.
func (m *Metrics) Upstream(purpose, result string, took time.Duration) {
	m.rollout.upstream.WithLabelValues(purpose, result).Inc()
	m.rollout.upstreamDuration.WithLabelValues(purpose).Observe(took.Seconds())
}

// Turned takes note of a request that WordPress answered because it cannot be
// answered faithfully here.
func (m *Metrics) Turned() { m.unfaithful.WithLabelValues(byWordPress).Inc() }

// Compared takes note of a comparison.
func (m *Metrics) Compared(c *rollout.Compared) {
	route := c.Route
	if route == "" {
		route = noRoute
	}
	m.rollout.comparisons.WithLabelValues(route, string(c.Outcome)).Inc()
	for _, kind := range c.Kinds {
		m.rollout.differences.WithLabelValues(route, kind).Inc()
	}
}

// NotCompared takes note of a comparison that was dropped; reason is a constant of
// package rollout.
func (m *Metrics) NotCompared(reason string) { m.rollout.dropped.WithLabelValues(reason).Inc() }

// Who answers what cannot be answered faithfully.
const (
	byCalbridge = "calbridge"
	byWordPress = "wordpress"
)

// newUnfaithful counts requests, not what is met in their texts, whose names are
// anybody's.
func newUnfaithful(counter func(name, help string, labels ...string) *prometheus.CounterVec) *prometheus.CounterVec {
	c := counter("unfaithful_requests_total", "Requests for texts with blocks or shortcodes that only other plugins can render, by who answered.", "by")
	c.WithLabelValues(byCalbridge)
	c.WithLabelValues(byWordPress)
	return c
}
