package metrics

import (
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"calbridge/wpstore/eventindex"
)

// cache are the figures of what is kept in memory, and of how it hears of changes.
type cache struct {
	enabled  prometheus.Gauge
	followed prometheus.Gauge
	applied  prometheus.Counter
	delay    prometheus.Histogram
	lost     prometheus.Counter
	lists    *prometheus.CounterVec // from

	mu      sync.Mutex
	watched []prometheus.Collector
}

func newCache(registry *prometheus.Registry) *cache {
	c := &cache{
		enabled: prometheus.NewGauge(prometheus.GaugeOpts{Namespace: namespace, Name: "cache_enabled",
			Help: "1 where answers are to be kept in memory, 0 where they are not."}),
		followed: prometheus.NewGauge(prometheus.GaugeOpts{Namespace: namespace, Name: "cache_followed",
			Help: "1 while changes in the database are heard of, so that answers come from memory; 0 while they are not, and where nothing is kept."}),
		applied: prometheus.NewCounter(prometheus.CounterOpts{Namespace: namespace, Name: "binlog_transactions_total",
			Help: "Transactions of the binary log that were taken note of."}),
		delay: prometheus.NewHistogram(prometheus.HistogramOpts{Namespace: namespace, Name: "binlog_apply_delay_seconds",
			Help:    "Time from a transaction's arrival by the binary log until answers made before it are not given out any more.",
			Buckets: []float64{.0001, .0002, .0005, .001, .002, .005, .01, .02, .05, .1, .5, 1}, NativeHistogramBucketFactor: 1.1, NativeHistogramMaxBucketNumber: 160,
			NativeHistogramMinResetDuration: time.Hour}),
		lost:  prometheus.NewCounter(prometheus.CounterOpts{Namespace: namespace, Name: "binlog_connection_failures_total", Help: "How often the binary log could not be followed any more."}),
		lists: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: "event_lists_total", Help: "Lists of events by what found them: the index in memory, or the database, and why."}, []string{"from"}),
	}
	for _, from := range eventindex.Outcomes() {
		c.lists.WithLabelValues(string(from))
	}
	registry.MustRegister(c.enabled, c.followed, c.applied, c.delay, c.lost, c.lists)
	return c
}

// CacheEnabled says whether answers are to be kept.
func (m *Metrics) CacheEnabled(on bool) { set(m.memory.enabled, on) }

// CacheFollowed says whether changes are heard of.
func (m *Metrics) CacheFollowed(on bool) { set(m.memory.followed, on) }

func set(gauge prometheus.Gauge, on bool) {
	gauge.Set(0)
	if on {
		gauge.Set(1)
	}
}

// BinlogLost counts a failure to follow the binary log.
func (m *Metrics) BinlogLost() { m.memory.lost.Inc() }

// BinlogApplied counts transactions of the binary log, and how long they took to
// count.
func (m *Metrics) BinlogApplied(transactions int, delay time.Duration) {
	m.memory.applied.Add(float64(transactions))
	m.memory.delay.Observe(delay.Seconds())
}

// Listed counts a list of events by what found it.
func (m *Metrics) Listed(from eventindex.Outcome) { m.memory.lists.WithLabelValues(string(from)).Inc() }

// CacheSizes are the sizes of what is kept.
type CacheSizes struct {
	Answers int
	// AnswerBytes, RowBytes and RenderedBytes are what the parts take in memory.
	AnswerBytes, RowBytes, RenderedBytes uint64
	// Evicted counts answers dropped for lack of room.
	Evicted uint64
	// Events is the number of dates in the listing index.
	Events int
}

// Bytes is what all of it takes in memory, without the index.
func (s CacheSizes) Bytes() uint64 { return s.AnswerBytes + s.RowBytes + s.RenderedBytes }

// WatchCache has the sizes read whenever the figures are asked for. A later call
// replaces the function.
func (m *Metrics) WatchCache(sizes func() CacheSizes) {
	m.memory.mu.Lock()
	defer m.memory.mu.Unlock()
	for _, old := range m.memory.watched {
		m.registry.Unregister(old)
	}
	gauge := func(name, help string, value func(CacheSizes) float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help}, func() float64 { return value(sizes()) })
	}
	m.memory.watched = []prometheus.Collector{
		gauge("cache_answers", "Answers kept in memory.", func(s CacheSizes) float64 { return float64(s.Answers) }),
		gauge("cache_answer_bytes", "Memory that kept answers take.", func(s CacheSizes) float64 { return float64(s.AnswerBytes) }),
		gauge("cache_row_bytes", "Memory that kept rows take.", func(s CacheSizes) float64 { return float64(s.RowBytes) }),
		gauge("cache_rendered_bytes", "Memory that rendered events take, and what else rendering keeps.", func(s CacheSizes) float64 { return float64(s.RenderedBytes) }),
		gauge("listing_dates", "Dates of events in the listing index; 0 while there is none.", func(s CacheSizes) float64 { return float64(s.Events) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{Namespace: namespace, Name: "cache_evictions_total", Help: "Answers dropped for lack of room."},
			func() float64 { return float64(sizes().Evicted) }),
	}
	m.registry.MustRegister(m.memory.watched...)
}
