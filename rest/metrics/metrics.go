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
	values   Values
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
func New(b Build, v Values) *Metrics { return NewOfSites(b, v, "") }

// NewOfSites returns the Metrics of a process whose sites have a label: those of one site, or of all that
// have no metrics of their own. Site adds a site. There is no label if site is "".
func NewOfSites(b Build, v Values, site string) *Metrics {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	f := newFactory(registry)
	f.gauge("build_info", "Always 1; the labels tell the build.", "version", "revision", "goversion").WithLabelValues(b.Version, b.Revision, b.GoVersion).Set(1)
	m := &Metrics{registry: registry, values: v, Process: newProcess(f)}
	m.addSite(site)
	return m
}

// Site returns the Metrics of one of several sites. They have the label site, and share with m what is of
// the process.
func (m *Metrics) Site(name string) *Metrics {
	own := &Metrics{registry: m.registry, values: m.values, Process: m.Process}
	own.addSite(name)
	own.Requests.watchers = m.Requests.watchers
	return own
}

// addSite registers the collectors of a site, with a label unless its name is "".
func (m *Metrics) addSite(name string) {
	registry := prometheus.Registerer(m.registry)
	if name != "" {
		registry = prometheus.WrapRegistererWith(prometheus.Labels{"site": name}, registry)
	}
	f, v := newFactory(registry), m.values
	m.Requests, m.Queries, m.Servers, m.Caches = newRequests(f, v.Routes, v.Codes), newQueries(f), newServers(f), newCaches(f)
	m.Rollout, m.Proof, m.Streams = newRollout(f, v.Routes), newProof(f), newStreams(f, v.Gone)
	m.Purges, m.Webhooks = newPurges(f), newWebhooks(f, v.Webhooks)
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
