package metrics

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"calbridge/rest/api"
	"calbridge/rest/routes"
	"calbridge/wpstore"
)

const namespace = "calbridge"

// none labels requests without a route or a language.
const none = "none"

// Metrics counts requests and queries. It is safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry

	requests     *prometheus.CounterVec   // route, method, code, language
	duration     *prometheus.HistogramVec // route
	size         *prometheus.HistogramVec // route
	perRequest   *prometheus.HistogramVec // route
	inFlight     *prometheus.GaugeVec
	restErrors   *prometheus.CounterVec // code
	panics       *prometheus.CounterVec
	authAttempts *prometheus.CounterVec // scheme, result
	cache        *prometheus.CounterVec // result
	unfaithful   *prometheus.CounterVec // by

	bound         sync.Map                 // *bound by labels
	queryDuration *prometheus.HistogramVec // query
	queryErrors   *prometheus.CounterVec   // query, kind
	queries       sync.Map                 // prometheus.Observer by query, once its series exist

	life    *life
	memory  *cache
	rollout *rolloutFigures
	db      *databases
}

// Build is shown as calbridge_build_info.
type Build struct{ Version, Revision, GoVersion string }

// factory makes and registers metrics of calbridge.
type factory struct{ promauto.Factory }

func (f factory) counter(name, help string, labels ...string) *prometheus.CounterVec {
	return f.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
}

func (f factory) gauge(name, help string, labels ...string) *prometheus.GaugeVec {
	return f.NewGaugeVec(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help}, labels)
}

func (f factory) histogram(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	return f.NewHistogramVec(prometheus.HistogramOpts{
		Namespace: namespace, Name: name, Help: help, Buckets: buckets,
		NativeHistogramBucketFactor: 1.1, NativeHistogramMaxBucketNumber: 160, NativeHistogramMinResetDuration: time.Hour,
	}, labels)
}

// touch creates series, so that the first event is an increase.
func touch[T any](vec interface {
	WithLabelValues(...string) T
}, values ...string) {
	for _, value := range values {
		vec.WithLabelValues(value)
	}
}

// New returns Metrics with all their collectors registered, those of the Go runtime and of
// the process included.
func New(b Build) *Metrics {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	f := factory{promauto.With(registry)}
	m := &Metrics{
		registry:      registry,
		requests:      f.counter("http_requests_total", "Requests answered, by route template, method, status and language.", "route", "method", "code", "language"),
		duration:      f.histogram("http_request_duration_seconds", "Time from the request's arrival to its answer being written, by route template.", seconds(), "route"),
		size:          f.histogram("http_response_size_bytes", "Size of answers' bodies, by route template.", prometheus.ExponentialBuckets(256, 4, 8), "route"),
		perRequest:    f.histogram("http_request_queries", "Database queries made for one request, by route template.", []float64{0, 1, 2, 4, 6, 8, 10, 12, 16, 24}, "route"),
		inFlight:      f.gauge("http_requests_in_flight", "Requests being answered now."),
		restErrors:    f.counter("rest_errors_total", "Errors answered, by their code.", "code"),
		panics:        f.counter("http_panics_total", "Requests that ended in a panic, answered with status 500."),
		authAttempts:  f.counter("auth_attempts_total", "Requests with credentials, by their scheme and whether they were good.", "scheme", "result"),
		cache:         f.counter("cache_requests_total", "Requests by the result of the response cache: hit, miss, bypass (not from the cache), off.", "result"),
		unfaithful:    f.counter("unfaithful_requests_total", "Requests for texts with blocks or shortcodes that only other plugins can render, by who answered.", "by"),
		queryDuration: f.histogram("db_query_duration_seconds", "Time of database queries, by the query's name; of statements that are sent together, since the end of the one before.", seconds(), "query"),
		queryErrors:   f.counter("db_query_errors_total", "Database queries that failed, by the query's name and the kind of failure.", "query", "kind"),
		life:          newLife(f), memory: newCache(f), rollout: newRolloutFigures(f), db: newDatabases(f, registry),
	}
	f.gauge("build_info", "Always 1; the labels tell the build.", "version", "revision", "goversion").WithLabelValues(b.Version, b.Revision, b.GoVersion).Set(1)
	m.inFlight.WithLabelValues()
	m.panics.WithLabelValues()
	for _, scheme := range []string{"basic", "cookie"} {
		m.authAttempts.WithLabelValues(scheme, "good")
		m.authAttempts.WithLabelValues(scheme, "bad")
	}
	for _, result := range api.CacheResults() {
		m.cache.WithLabelValues(string(result))
	}
	for _, vec := range []*prometheus.HistogramVec{m.duration, m.size, m.perRequest} {
		touch(vec, append(routes.Templates(), none)...)
	}
	touch(m.restErrors, api.ErrorCodes()...)
	touch(m.unfaithful, byCalbridge, byWordPress)
	return m
}

// seconds are buckets from 0.2 ms to 5 s.
func seconds() []float64 {
	return []float64{.0002, .0005, .001, .002, .005, .01, .02, .05, .1, .2, .5, 1, 2, 5}
}

// Handler serves /metrics.
func (m *Metrics) Handler() http.Handler {
	return promhttp.InstrumentMetricHandler(m.registry, promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{EnableOpenMetrics: true}))
}

// Gatherer is for tests.
func (m *Metrics) Gatherer() prometheus.Gatherer { return m.registry }

// InFlight counts the requests that next is answering.
func (m *Metrics) InFlight(next http.Handler) http.Handler {
	return promhttp.InstrumentHandlerInFlight(m.inFlight.WithLabelValues(), next)
}

// Request counts a finished request.
func (m *Metrics) Request(o *api.Observation) {
	b := m.bind(labels{cmp.Or(o.Route, none), o.Method, cmp.Or(o.Language, none), o.Cache, o.Status})
	b.requests.Inc()
	b.duration.Observe(o.Took.Seconds())
	b.size.Observe(float64(o.Bytes))
	b.perRequest.Observe(float64(o.Queries))
	b.cache.Inc()
	if o.Code != "" {
		m.restErrors.WithLabelValues(o.Code).Inc()
	}
	if o.Panicked {
		m.panics.WithLabelValues().Inc()
	}
	if len(o.NotRendered) > 0 {
		m.unfaithful.WithLabelValues(byCalbridge).Inc()
	}
	if scheme, result := attempt(o); scheme != "" {
		m.authAttempts.WithLabelValues(scheme, result).Inc()
	}
}

// labels are those of a request's metrics; each has a bounded set of values.
type labels struct {
	route, method, language string
	cache                   api.CacheResult
	status                  int
}

// bound are the metrics of one set of labels. Looking them up takes longer than counting,
// so it is done once.
type bound struct {
	requests, cache            prometheus.Counter
	duration, size, perRequest prometheus.Observer
}

func (m *Metrics) bind(l labels) *bound {
	if b, ok := m.bound.Load(l); ok {
		return b.(*bound)
	}
	b := &bound{
		requests: m.requests.WithLabelValues(l.route, l.method, strconv.Itoa(l.status), l.language), cache: m.cache.WithLabelValues(string(l.cache)),
		duration: m.duration.WithLabelValues(l.route), size: m.size.WithLabelValues(l.route), perRequest: m.perRequest.WithLabelValues(l.route),
	}
	m.bound.Store(l, b)
	return b
}

// attempt returns the scheme of a request's credentials, "" without any, and whether they
// were good.
func attempt(o *api.Observation) (scheme, result string) {
	switch {
	case o.Code == "rest_cookie_invalid_nonce":
		return "cookie", "bad"
	case o.Auth == "" || o.Auth == "none":
		return "", ""
	case o.UserID == 0:
		return o.Auth, "bad"
	}
	return o.Auth, "good"
}

// failures are the kinds of failed queries. The first that matches counts: with ErrReplica
// the primary was asked next, whatever else the error is.
var failures = []struct {
	kind string
	err  error
}{
	{"replica", wpstore.ErrReplica}, {"unavailable", wpstore.ErrUnavailable}, {"schema", wpstore.ErrSchema}, {"canceled", context.Canceled}, {"other", nil},
}

// Query counts a database query; it fits sitedb.Config.Observe.
func (m *Metrics) Query(name string, took time.Duration, err error) {
	duration, known := m.queries.Load(name)
	if !known {
		duration = m.queryDuration.WithLabelValues(name)
		m.queries.Store(name, duration)
		for _, f := range failures {
			m.queryErrors.WithLabelValues(name, f.kind)
		}
	}
	duration.(prometheus.Observer).Observe(took.Seconds())
	if err == nil {
		return
	}
	for _, f := range failures {
		if f.err == nil || errors.Is(err, f.err) {
			m.queryErrors.WithLabelValues(name, f.kind).Inc()
			return
		}
	}
}
