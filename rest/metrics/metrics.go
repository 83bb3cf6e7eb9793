package metrics

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	dto "github.com/prometheus/client_model/go"
)

// Metrics holds all metrics, grouped by what they count.
type Metrics struct {
	Requests *Requests
	Queries  *Queries
	Servers  *Servers
	Caches   *Caches
	Process  *Process
	Rollout  *Rollout
	Proof    *Proof
	Streams  *Streams
	Webhooks *Webhooks
	Purges   *Purges

	registry *prometheus.Registry
}

// Build is shown as calbridge_build_info.
type Build struct{ Version, Revision, GoVersion string }

// Values are values of labels. Their series exist from the start, so that rates can be computed.
type Values struct {
	Routes []string // the templates of all routes
	Codes  []string // of errors
	Gone   []string // reasons why a token can't be used
	// Webhooks are the ends of an attempt to deliver a webhook.
	Webhooks []string
}

// New returns Metrics with all their collectors registered, those of the Go runtime and of
// the process included.
func New(b Build, v Values) *Metrics {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	f := newFactory(registry)
	f.gauge("build_info", "Always 1; the labels tell the build.", "version", "revision", "goversion").WithLabelValues(b.Version, b.Revision, b.GoVersion).Set(1)
	return &Metrics{
		registry: registry,
		Requests: newRequests(f, v.Routes, v.Codes), Queries: newQueries(f), Servers: newServers(f),
		Caches: newCaches(f), Process: newProcess(f), Rollout: newRollout(f, v.Routes), Proof: newProof(f), Streams: newStreams(f, v.Gone),
		Purges: newPurges(f), Webhooks: newWebhooks(f, v.Webhooks),
	}
}

// Handler serves /metrics.
func (m *Metrics) Handler() http.Handler {
	next := promhttp.InstrumentMetricHandler(m.registry, promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{EnableOpenMetrics: true}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.Queries.settle()
		next.ServeHTTP(w, r)
	})
}

// Gatherer reads all metrics, up to now.
func (m *Metrics) Gatherer() prometheus.Gatherer {
	return prometheus.GathererFunc(func() ([]*dto.MetricFamily, error) {
		m.Queries.settle()
		return m.registry.Gather()
	})
}
