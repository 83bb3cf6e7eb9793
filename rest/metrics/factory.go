package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

const namespace = "calbridge"

// none labels requests without a route or a language.
const none = "none"

// factory makes and registers metrics of calbridge.
type factory struct {
	promauto.Factory
	registry prometheus.Registerer
}

func newFactory(registry prometheus.Registerer) factory {
	return factory{promauto.With(registry), registry}
}

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

// seconds returns buckets from 0.2 ms to 5 s.
func seconds() []float64 {
	return []float64{.0002, .0005, .001, .002, .005, .01, .02, .05, .1, .2, .5, 1, 2, 5}
}

// number returns 1 for true.
func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
