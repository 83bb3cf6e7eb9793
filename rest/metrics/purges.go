package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"calbridge/rest/purge"
)

// Purges are the metrics of purges of caches in front. They are safe for concurrent use.
type Purges struct {
	lag          *prometheus.HistogramVec // cache
	calls, whole *prometheus.CounterVec   // cache, and result of calls

	waiting watched[time.Duration]
}

func newPurges(f factory) *Purges {
	p := &Purges{
		lag: f.histogram("purge_lag_seconds", "Time from the moment when calbridge applied a change until a cache in front has confirmed its purge.",
			[]float64{.05, .06, .08, .1, .15, .2, .5, 1, 2, 5, 10, 30}, "cache"),
		calls: f.counter("purge_calls_total", "Calls that purge a cache in front: done, failed, or limited (refused because of the provider's rate limit).", "cache", "result"),
		whole: f.counter("purge_everything_total", "How often all answers in a cache in front were purged: at a reload, at a start without a valid stored position, after a gap in the binary log, or because too much had changed to name it.", "cache"),
	}
	f.NewGaugeFunc(prometheus.GaugeOpts{Namespace: namespace, Name: "purge_waiting_seconds", Help: "How long the oldest change has been waiting to be purged from a cache in front; 0 if none is waiting."}, func() float64 {
		var longest time.Duration
		for _, waiting := range p.waiting.values() {
			longest = max(longest, waiting)
		}
		return longest.Seconds()
	})
	return p
}

// Watch reads at each scrape how long the oldest change of a site has waited to be purged from the named
// caches, until stop is called.
func (p *Purges) Watch(caches []string, waiting func() time.Duration) (stop func()) {
	for _, cache := range caches {
		p.lag.WithLabelValues(cache)
		p.whole.WithLabelValues(cache)
		for _, result := range purge.Results() {
			p.calls.WithLabelValues(cache, result)
		}
	}
	return p.waiting.add(waiting)
}

// Purged implements purge.Observer.
func (p *Purges) Purged(cache string, lag time.Duration) {
	p.lag.WithLabelValues(cache).Observe(lag.Seconds())
}

// Called implements purge.Observer.
func (p *Purges) Called(cache, result string) { p.calls.WithLabelValues(cache, result).Inc() }

// Whole implements purge.Observer.
func (p *Purges) Whole(cache string) { p.whole.WithLabelValues(cache).Inc() }
