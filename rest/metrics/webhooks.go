package metrics

import (
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Webhooks holds the metrics of webhooks. It is safe for concurrent use.
type Webhooks struct {
	deliveries *prometheus.CounterVec   // result
	duration   *prometheus.HistogramVec // without labels

	mu      sync.Mutex
	figures func() WebhookFigures
}

// WebhookFigures are the targets, those that are disabled, what waits for its delivery, and since when.
type WebhookFigures struct {
	Targets, Disabled, Pending int64
	Oldest                     time.Time // zero if nothing waits
}

func newWebhooks(f factory, results []string) *Webhooks {
	w := &Webhooks{
		deliveries: f.counter("webhook_deliveries_total", "Attempts to deliver webhooks, by how they ended.", "result"),
		duration:   f.histogram("webhook_delivery_duration_seconds", "Time until a target of webhooks had answered.", seconds()),
	}
	w.duration.WithLabelValues()
	touch(w.deliveries, results...)
	f.registry.MustRegister(w.gauges())
	return w
}

// gauges returns the metrics that are read from the figures.
func (w *Webhooks) gauges() *figures[WebhookFigures] {
	return &figures[WebhookFigures]{w.now, []figure[WebhookFigures]{
		gauge("webhook_targets", "Targets of webhooks.", func(f WebhookFigures) float64 { return float64(f.Targets) }),
		gauge("webhook_targets_disabled", "Targets of webhooks that are disabled because they accepted nothing for days.", func(f WebhookFigures) float64 { return float64(f.Disabled) }),
		gauge("webhook_pending", "Webhooks that wait until they are accepted.", func(f WebhookFigures) float64 { return float64(f.Pending) }),
		gauge("webhook_oldest_pending_seconds", "Age of the change whose webhook waits longest, but for disabled targets; 0 if none waits.", age),
	}}
}

// age returns how long ago the oldest change was found, in seconds.
func age(f WebhookFigures) float64 {
	if f.Oldest.IsZero() {
		return 0
	}
	return max(time.Since(f.Oldest).Seconds(), 0)
}

// now returns the figures.
func (w *Webhooks) now() WebhookFigures {
	w.mu.Lock()
	read := w.figures
	w.mu.Unlock()
	if read == nil {
		return WebhookFigures{}
	}
	return read()
}

// Watch reads figures at each scrape. A later call replaces the function; nil ends it.
func (w *Webhooks) Watch(figures func() WebhookFigures) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.figures = figures
}

// Delivery counts an attempt to deliver; result is one of Values.Webhooks.
func (w *Webhooks) Delivery(result string, took time.Duration) {
	w.deliveries.WithLabelValues(result).Inc()
	w.duration.WithLabelValues().Observe(took.Seconds())
}
