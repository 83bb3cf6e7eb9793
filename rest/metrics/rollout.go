package metrics

import (
	"cmp"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"calbridge/rest/rollout"
	"calbridge/rest/tribev1"
)

// DifferenceKinds returns the kinds of differences that Compared counts: the levels of a
// comparison.
func DifferenceKinds() []string { return []string{"status", "headers", "schema", "semantic", "bytes"} }

// Rollout are the metrics of a rollout. They are safe for concurrent use.
type Rollout struct {
	upstream         *prometheus.CounterVec   // purpose, result
	upstreamDuration *prometheus.HistogramVec // purpose
	comparisons      *prometheus.CounterVec   // route, outcome
	differences      *prometheus.CounterVec   // route, kind
	dropped          *prometheus.CounterVec   // reason
	mode             *prometheus.GaugeVec     // mode
	share            *prometheus.GaugeVec     // of
}

func newRollout(f factory) *Rollout {
	r := &Rollout{
		upstream:         f.counter("upstream_requests_total", "Requests to WordPress, by what for and how they ended.", "purpose", "result"),
		upstreamDuration: f.histogram("upstream_request_duration_seconds", "Time until WordPress had answered, by what for.", seconds(), "purpose"),
		comparisons:      f.counter("comparisons_total", "Requests that both sides were asked, by route template and outcome.", "route", "outcome"),
		differences:      f.counter("comparison_differences_total", "Comparisons that found a difference, by route template and each kind of difference.", "route", "kind"),
		dropped:          f.counter("comparisons_dropped_total", "Comparisons that were not made, by the reason.", "reason"),
		mode:             f.gauge("rollout_mode", "1 for the running mode in use, 0 for the others.", "mode"),
		share:            f.gauge("rollout_share_percent", "Share of the clients that the mode is for, and of their GETs that are compared.", "of"),
	}
	for _, purpose := range rollout.Purposes() {
		r.upstreamDuration.WithLabelValues(purpose)
		for _, result := range rollout.Results() {
			r.upstream.WithLabelValues(purpose, result)
		}
	}
	for _, route := range append(tribev1.Templates(), none) {
		for _, outcome := range rollout.Outcomes() {
			r.comparisons.WithLabelValues(route, string(outcome))
		}
		for _, kind := range DifferenceKinds() {
			r.differences.WithLabelValues(route, kind)
		}
	}
	touch(r.dropped, rollout.DropReasons()...)
	return r
}

// Use records the plan in use.
func (r *Rollout) Use(p rollout.Plan) {
	for _, mode := range rollout.Modes() {
		r.mode.WithLabelValues(string(mode)).Set(number(mode == p.Mode))
	}
	compared := 0.0
	if p.Compares() {
		compared = p.Compared
	}
	r.share.WithLabelValues("clients").Set(p.Clients)
	r.share.WithLabelValues("compared").Set(compared)
}

// Upstream counts a request to WordPress; purpose and result are constants of package
// rollout.
func (r *Rollout) Upstream(purpose, result string, took time.Duration) {
	r.upstream.WithLabelValues(purpose, result).Inc()
	r.upstreamDuration.WithLabelValues(purpose).Observe(took.Seconds())
}

// Compared counts a comparison.
func (r *Rollout) Compared(c *rollout.Compared) {
	route := cmp.Or(c.Route, none)
	r.comparisons.WithLabelValues(route, string(c.Outcome)).Inc()
	for _, kind := range c.Kinds {
		r.differences.WithLabelValues(route, kind).Inc()
	}
}

// NotCompared counts a dropped comparison; reason is a constant of package rollout.
func (r *Rollout) NotCompared(reason string) { r.dropped.WithLabelValues(reason).Inc() }
