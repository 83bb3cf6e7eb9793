package metrics

import "github.com/prometheus/client_golang/prometheus"

// figures are metrics that are read from one value, which is read once at each scrape. It implements
// prometheus.Collector.
type figures[T any] struct {
	read func() T
	all  []figure[T]
}

// figure is one of them.
type figure[T any] struct {
	desc  *prometheus.Desc
	kind  prometheus.ValueType
	value func(T) float64
}

// gauge returns a gauge.
func gauge[T any](name, help string, value func(T) float64) figure[T] {
	return newFigure(name, help, prometheus.GaugeValue, value)
}

func newFigure[T any](name, help string, kind prometheus.ValueType, value func(T) float64) figure[T] {
	return figure[T]{prometheus.NewDesc(prometheus.BuildFQName(namespace, "", name), help, nil, nil), kind, value}
}

// Describe implements prometheus.Collector.
func (f *figures[T]) Describe(out chan<- *prometheus.Desc) {
	for _, one := range f.all {
		out <- one.desc
	}
}

// Collect implements prometheus.Collector.
func (f *figures[T]) Collect(out chan<- prometheus.Metric) {
	now := f.read()
	for _, one := range f.all {
		out <- prometheus.MustNewConstMetric(one.desc, one.kind, one.value(now))
	}
}
