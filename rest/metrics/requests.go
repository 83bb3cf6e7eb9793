package metrics

import (
	"cmp"
	"net/http"
	"strconv"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"calbridge/rest/api"
)

// Requests are the metrics of requests. They are safe for concurrent use.
type Requests struct {
	total        *prometheus.CounterVec   // route, method, code, language
	duration     *prometheus.HistogramVec // route
	size         *prometheus.HistogramVec // route
	queries      *prometheus.HistogramVec // route
	inFlight     *prometheus.GaugeVec
	restErrors   *prometheus.CounterVec // code
	panics       *prometheus.CounterVec
	authAttempts *prometheus.CounterVec // scheme, result
	cache        *prometheus.CounterVec // result
	unfaithful   *prometheus.CounterVec // by
	leftOut      *prometheus.CounterVec

	bound sync.Map // *bound by labels
	// watchers are called for all sites of the process.
	watchers *[]func(*api.Observation)
}

// Labels of unfaithful_requests_total.
const (
	byCalbridge = "calbridge"
	byWordPress = "wordpress"
)

func newRequests(f factory, routes, codes []string) *Requests {
	r := &Requests{
		watchers:     new([]func(*api.Observation)),
		total:        f.counter("http_requests_total", "Requests answered, by route template, method, status and language.", "route", "method", "code", "language"),
		duration:     f.histogram("http_request_duration_seconds", "Time from the request's arrival to its answer being written, by route template.", seconds(), "route"),
		size:         f.histogram("http_response_size_bytes", "Size of answers' bodies, by route template.", prometheus.ExponentialBuckets(256, 4, 8), "route"),
		queries:      f.histogram("http_request_queries", "Database queries made for one request, by route template.", []float64{0, 1, 2, 4, 6, 8, 10, 12, 16, 24}, "route"),
		inFlight:     f.gauge("http_requests_in_flight", "Requests being answered now."),
		restErrors:   f.counter("rest_errors_total", "Errors answered, by their code.", "code"),
		panics:       f.counter("http_panics_total", "Requests that ended in a panic, answered with status 500."),
		authAttempts: f.counter("auth_attempts_total", "Requests with credentials, by their scheme and whether they were good.", "scheme", "result"),
		cache:        f.counter("cache_requests_total", "Requests by the result of the response cache: hit, miss, bypass (not from the cache), off.", "result"),
		unfaithful:   f.counter("unfaithful_requests_total", "Requests for texts with blocks or shortcodes that only other plugins can render, by who answered.", "by"),
		leftOut:      f.counter("feed_events_left_out_total", "Events left out of feeds because their dates can't be written."),
	}
	r.inFlight.WithLabelValues()
	r.panics.WithLabelValues()
	r.leftOut.WithLabelValues()
	for _, scheme := range []string{"basic", "cookie"} {
		r.authAttempts.WithLabelValues(scheme, "good")
		r.authAttempts.WithLabelValues(scheme, "bad")
	}
	for _, result := range api.CacheResults() {
		r.cache.WithLabelValues(string(result))
	}
	for _, vec := range []*prometheus.HistogramVec{r.duration, r.size, r.queries} {
		touch(vec, none)
		touch(vec, routes...)
	}
	touch(r.restErrors, codes...)
	touch(r.unfaithful, byCalbridge, byWordPress)
	return r
}

// Watch registers f, which is called for each finished request of all sites too. It must be called before the
// first one.
func (r *Requests) Watch(f func(*api.Observation)) { *r.watchers = append(*r.watchers, f) }

// InFlight counts the requests that next is answering.
func (r *Requests) InFlight(next http.Handler) http.Handler {
	return promhttp.InstrumentHandlerInFlight(r.inFlight.WithLabelValues(), next)
}

// Answered counts a finished request.
func (r *Requests) Answered(o *api.Observation) {
	b := r.bind(labels{cmp.Or(o.Route, none), o.Method, cmp.Or(o.Language, none), o.Cache, o.Status})
	b.total.Inc()
	b.duration.Observe(o.Took.Seconds())
	b.size.Observe(float64(o.Bytes))
	b.queries.Observe(float64(o.Queries))
	b.cache.Inc()
	for _, watch := range *r.watchers {
		watch(o)
	}
	if o.Code != "" {
		r.restErrors.WithLabelValues(o.Code).Inc()
	}
	if o.Panicked {
		r.panics.WithLabelValues().Inc()
	}
	if o.LeftOut > 0 {
		r.leftOut.WithLabelValues().Add(float64(o.LeftOut))
	}
	if len(o.NotRendered) > 0 {
		r.unfaithful.WithLabelValues(byCalbridge).Inc()
	}
	if scheme, result := attempt(o); scheme != "" {
		r.authAttempts.WithLabelValues(scheme, result).Inc()
	}
}

// Turned counts a request that WordPress answered because calbridge can't render its contents.
func (r *Requests) Turned() { r.unfaithful.WithLabelValues(byWordPress).Inc() }

// labels are those of a request's metrics; each has a bounded set of values.
type labels struct {
	route, method, language string
	cache                   api.CacheResult
	status                  int
}

// bound are the metrics of one set of labels. Looking them up takes longer than counting,
// so it is done once.
type bound struct {
	total, cache            prometheus.Counter
	duration, size, queries prometheus.Observer
}

func (r *Requests) bind(l labels) *bound {
	if b, ok := r.bound.Load(l); ok {
		return b.(*bound)
	}
	b := &bound{
		total: r.total.WithLabelValues(l.route, l.method, strconv.Itoa(l.status), l.language), cache: r.cache.WithLabelValues(string(l.cache)),
		duration: r.duration.WithLabelValues(l.route), size: r.size.WithLabelValues(l.route), queries: r.queries.WithLabelValues(l.route),
	}
	r.bound.Store(l, b)
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
