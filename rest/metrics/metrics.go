package metrics

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"calbridge/rest/api"
	"calbridge/rest/routes"
	"calbridge/wpstore"
)

const namespace = "calbridge"

// noRoute labels requests that matched no route, noLanguage those that chose no
// language.
const (
	noRoute    = "none"
	noLanguage = "none"
)

// Metrics is told of requests and queries and keeps the figures. It is safe for
// concurrent use.
type Metrics struct {
	registry *prometheus.Registry

	requests     *prometheus.CounterVec   // route, method, code, language
	duration     *prometheus.HistogramVec // route
	size         *prometheus.HistogramVec // route
	perRequest   *prometheus.HistogramVec // route
	inFlight     prometheus.Gauge
	restErrors   *prometheus.CounterVec // code
	panics       prometheus.Counter
	authAttempts *prometheus.CounterVec // scheme, result
	cache        *prometheus.CounterVec // result
	unfaithful   *prometheus.CounterVec // by

	bound         sync.Map                 // *bound by labels
	queryDuration *prometheus.HistogramVec // query
	queryErrors   *prometheus.CounterVec   // query, kind
	queries       sync.Map                 // prometheus.Observer of the queries whose label sets exist, by name

	life    *life
	memory  *cache
	rollout *rolloutFigures
	db      *databases
}

// Build is shown as calbridge_build_info.
type Build struct{ Version, Revision, GoVersion string }

// New returns Metrics with all their collectors registered. The collectors of the
// Go runtime and of the process are among them.
func New(b Build) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry()}
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
	}
	histogram := func(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: namespace, Name: name, Help: help, Buckets: buckets,
			NativeHistogramBucketFactor: 1.1, NativeHistogramMaxBucketNumber: 160, NativeHistogramMinResetDuration: time.Hour,
		}, labels)
	}
	m.requests = counter("http_requests_total", "Requests answered, by route template, method, status and language.", "route", "method", "code", "language")
	m.duration = histogram("http_request_duration_seconds", "Time from the request's arrival to its answer being written, by route template.", seconds(), "route")
	m.size = histogram("http_response_size_bytes", "Size of answers' bodies, by route template.", prometheus.ExponentialBuckets(256, 4, 8), "route")
	m.perRequest = histogram("http_request_queries", "Database queries made for one request, by route template.", []float64{0, 1, 2, 4, 6, 8, 10, 12, 16, 24}, "route")
	m.inFlight = prometheus.NewGauge(prometheus.GaugeOpts{Namespace: namespace, Name: "http_requests_in_flight", Help: "Requests being answered now."})
	m.restErrors = counter("rest_errors_total", "Errors answered, by their code.", "code")
	m.panics = prometheus.NewCounter(prometheus.CounterOpts{Namespace: namespace, Name: "http_panics_total", Help: "Requests that ended in a panic, answered with status 500."})
	m.authAttempts = counter("auth_attempts_total", "Requests with credentials, by their scheme and whether they were good.", "scheme", "result")
	m.cache = counter("cache_requests_total", "Requests by what the cache of answers had to do with them: hit, miss, bypass (not from the cache), off.", "result")
	m.unfaithful = newUnfaithful(counter)
	m.queryDuration = histogram("db_query_duration_seconds", "Time of database queries, by the query's name; of statements that are sent together, since the end of the one before.", seconds(), "query")
	m.queryErrors = counter("db_query_errors_total", "Database queries that failed, by the query's name and the kind of failure.", "query", "kind")
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Namespace: namespace, Name: "build_info", Help: "Always 1; the labels tell the build.",
		ConstLabels: prometheus.Labels{"version": b.Version, "revision": b.Revision, "goversion": b.GoVersion},
	})
	info.Set(1)
	m.registry.MustRegister(m.requests, m.duration, m.size, m.perRequest, m.inFlight, m.restErrors, m.panics, m.authAttempts, m.cache, m.unfaithful,
		m.queryDuration, m.queryErrors, info, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	for _, scheme := range []string{"basic", "cookie"} {
		for _, result := range []string{"good", "bad"} {
			m.authAttempts.WithLabelValues(scheme, result)
		}
	}
	for _, result := range api.CacheResults() {
		m.cache.WithLabelValues(string(result))
	}
	for _, route := range append(routes.Templates(), noRoute) {
		m.duration.WithLabelValues(route)
		m.size.WithLabelValues(route)
		m.perRequest.WithLabelValues(route)
	}
	for _, code := range api.ErrorCodes() {
		m.restErrors.WithLabelValues(code)
	}
	m.life = newLife(m.registry)
	m.memory = newCache(m.registry)
	m.rollout = newRolloutFigures(m.registry, counter, histogram)
	m.db = newDatabases(m.registry)
	return m
}

// seconds are buckets from 0.2 ms to 5 s.
func seconds() []float64 {
	return []float64{.0002, .0005, .001, .002, .005, .01, .02, .05, .1, .2, .5, 1, 2, 5}
}

// Handler serves the figures.
func (m *Metrics) Handler() http.Handler {
	return promhttp.InstrumentMetricHandler(m.registry, promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{EnableOpenMetrics: true}))
}

// Gatherer gives the figures to tests and other exporters.
func (m *Metrics) Gatherer() prometheus.Gatherer { return m.registry }

// InFlight counts the requests that next is answering.
func (m *Metrics) InFlight(next http.Handler) http.Handler {
	return promhttp.InstrumentHandlerInFlight(m.inFlight, next)
}

// Request takes note of a finished request.
func (m *Metrics) Request(o *api.Observation) {
	route := o.Route
	if route == "" {
		route = noRoute
	}
	language := o.Language
	if language == "" {
		language = noLanguage
	}
	b := m.bind(labels{route, o.Method, language, o.Cache, o.Status})
	b.requests.Inc()
	b.duration.Observe(o.Took.Seconds())
	b.size.Observe(float64(o.Bytes))
	b.perRequest.Observe(float64(o.Queries))
	b.cache.Inc()
	if o.Code != "" {
		m.restErrors.WithLabelValues(o.Code).Inc()
	}
	if o.Panicked {
		m.panics.Inc()
	}
	if len(o.NotRendered) > 0 {
		m.unfaithful.WithLabelValues(byCalbridge).Inc()
	}
	if scheme, result := attempt(o); scheme != "" {
		m.authAttempts.WithLabelValues(scheme, result).Inc()
	}
}

// labels are those of a request's metrics: bounded sets all of them.
type labels struct {
	route, method, language string
	cache                   api.CacheResult
	status                  int
}

// bound are the metrics of one set of labels, looked up once: that takes longer
// than counting.
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

// attempt tells which credentials a request brought and whether they were good;
// scheme is "" when it brought none.
func attempt(o *api.Observation) (scheme, result string) {
	if o.Code == "rest_cookie_invalid_nonce" {
		return "cookie", "bad"
	}
	if o.Auth == "" || o.Auth == "none" {
		return "", ""
	}
	if o.UserID == 0 {
		return o.Auth, "bad"
	}
	return o.Auth, "good"
}

// Query takes note of a database query; it fits sitedb.Config.Observe.
func (m *Metrics) Query(name string, took time.Duration, err error) {
	duration, known := m.queries.Load(name)
	if !known {
		duration = m.queryDuration.WithLabelValues(name)
		m.queries.Store(name, duration)
		for _, kind := range []string{"other", "replica", "unavailable", "schema", "canceled"} { // from zero, so that the first failure is an increase
			m.queryErrors.WithLabelValues(name, kind)
		}
	}
	duration.(prometheus.Observer).Observe(took.Seconds())
	if err == nil {
		return
	}
	kind := "other"
	switch {
	case errors.Is(err, wpstore.ErrReplica): // whatever it was: the primary was asked next
		kind = "replica"
	case errors.Is(err, wpstore.ErrUnavailable):
		kind = "unavailable"
	case errors.Is(err, wpstore.ErrSchema):
		kind = "schema"
	case errors.Is(err, context.Canceled):
		kind = "canceled"
	}
	m.queryErrors.WithLabelValues(name, kind).Inc()
}
