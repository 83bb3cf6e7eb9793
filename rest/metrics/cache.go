package metrics

import (
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"calbridge/wpstore/eventindex"
)

// cache holds the metrics of the caches and of the binary log that invalidates them.
type cache struct {
	enabled, followed *prometheus.GaugeVec
	applied, lost     *prometheus.CounterVec
	delay             *prometheus.HistogramVec
	lists             *prometheus.CounterVec // from

	mu      sync.Mutex
	watched []prometheus.Collector
}

func newCache(f factory) *cache {
	c := &cache{
		enabled:  f.gauge("cache_enabled", "1 where the response cache is enabled, else 0."),
		followed: f.gauge("cache_followed", "1 while changes in the database are followed, so that answers come from the response cache, else 0."),
		applied:  f.counter("binlog_transactions_total", "Transactions of the binary log that were applied."),
		delay: f.histogram("binlog_apply_delay_seconds", "Time from a transaction's arrival by the binary log until it has invalidated older answers.",
			[]float64{.0001, .0002, .0005, .001, .002, .005, .01, .02, .05, .1, .5, 1}),
		lost:  f.counter("binlog_connection_failures_total", "How often the connection to the binary log was lost."),
		lists: f.counter("event_lists_total", "Lists of events by what found them: the index in memory, or the database, and why.", "from"),
	}
	c.enabled.WithLabelValues()
	c.followed.WithLabelValues()
	c.applied.WithLabelValues()
	c.delay.WithLabelValues()
	c.lost.WithLabelValues()
	for _, from := range eventindex.Outcomes() {
		c.lists.WithLabelValues(string(from))
	}
	return c
}

// CacheEnabled records whether the response cache is enabled.
func (m *Metrics) CacheEnabled(on bool) { m.memory.enabled.WithLabelValues().Set(number(on)) }

// CacheFollowed records whether changes are followed.
func (m *Metrics) CacheFollowed(on bool) { m.memory.followed.WithLabelValues().Set(number(on)) }

// BinlogLost counts a lost connection to the binary log.
func (m *Metrics) BinlogLost() { m.memory.lost.WithLabelValues().Inc() }

// BinlogApplied counts transactions of the binary log; delay is how long their application
// took.
func (m *Metrics) BinlogApplied(transactions int, delay time.Duration) {
	m.memory.applied.WithLabelValues().Add(float64(transactions))
	m.memory.delay.WithLabelValues().Observe(delay.Seconds())
}

// Listed counts a list of events by what found it.
func (m *Metrics) Listed(from eventindex.Outcome) { m.memory.lists.WithLabelValues(string(from)).Inc() }

// CacheSizes are the sizes of the caches.
type CacheSizes struct {
	Answers int
	// AnswerBytes, RowBytes and RenderedBytes are the memory of the caches.
	AnswerBytes, RowBytes, RenderedBytes uint64
	Evicted                              uint64 // answers
	Events                               int    // dates in the listing index
}

// Bytes is the memory of all caches, without the index.
func (s CacheSizes) Bytes() uint64 { return s.AnswerBytes + s.RowBytes + s.RenderedBytes }

// WatchCache reads the sizes at each scrape. A later call replaces the function.
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
		gauge("cache_answers", "Answers in the response cache.", func(s CacheSizes) float64 { return float64(s.Answers) }),
		gauge("cache_answer_bytes", "Memory of the response cache.", func(s CacheSizes) float64 { return float64(s.AnswerBytes) }),
		gauge("cache_row_bytes", "Memory of the row cache.", func(s CacheSizes) float64 { return float64(s.RowBytes) }),
		gauge("cache_rendered_bytes", "Memory of rendered events and of the other caches of rendering.", func(s CacheSizes) float64 { return float64(s.RenderedBytes) }),
		gauge("listing_dates", "Dates of events in the listing index; 0 while there is none.", func(s CacheSizes) float64 { return float64(s.Events) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{Namespace: namespace, Name: "cache_evictions_total", Help: "Answers evicted for lack of room."},
			func() float64 { return float64(sizes().Evicted) }),
	}
	m.registry.MustRegister(m.memory.watched...)
}
