package metrics

import (
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"calbridge/rest/notice"
	"calbridge/wpstore/eventindex"
	"calbridge/wpstore/searchindex"
)

// Caches are the metrics of the caches, of the index of events, and of the binary log and the
// notices that invalidate them. They are safe for concurrent use.
type Caches struct {
	enabled, followed *prometheus.GaugeVec
	applied, lost     *prometheus.CounterVec
	delay             *prometheus.HistogramVec
	lists, searches   *prometheus.CounterVec // from
	notices           *prometheus.CounterVec // result

	sizes watched[CacheSizes]
	// evicted is the number of answers that sites had evicted which are closed now.
	evicted atomic.Uint64
}

func newCaches(f factory) *Caches {
	c := &Caches{
		enabled:  f.gauge("cache_enabled", "1 where the response cache is enabled, else 0."),
		followed: f.gauge("cache_followed", "1 while changes in the database are followed, so that answers come from the response cache, else 0."),
		applied:  f.counter("binlog_transactions_total", "Transactions of the binary log that were applied."),
		delay: f.histogram("binlog_apply_delay_seconds", "Time from a transaction's arrival by the binary log until it has invalidated older answers.",
			[]float64{.0001, .0002, .0005, .001, .002, .005, .01, .02, .05, .1, .5, 1}),
		lost:    f.counter("binlog_connection_failures_total", "How often the connection to the binary log was lost."),
		notices: f.counter("notices_total", "Numbered notices of WordPress's changes, with --cache notices: applied, late, lost (everything was invalidated), repeated or restarted (likewise).", "result"),
		lists:   f.counter("event_lists_total", "Lists of events by what found them: the index in memory, or the database, and why.", "from"),
	}
	c.searches = f.counter("searches_total", "Searches of events, venues and organizers by what found the candidates: the search index, or why the database read all texts.", "from")
	for _, v := range notice.Verdicts() {
		c.notices.WithLabelValues(string(v))
	}
	c.notices.WithLabelValues(lostNotice)
	c.enabled.WithLabelValues()
	c.followed.WithLabelValues()
	c.applied.WithLabelValues()
	c.delay.WithLabelValues()
	c.lost.WithLabelValues()
	for _, from := range eventindex.Outcomes() {
		c.lists.WithLabelValues(string(from))
	}
	for _, from := range searchindex.Outcomes() {
		c.searches.WithLabelValues(string(from))
	}
	f.registry.MustRegister(c.gauges())
	return c
}

// Enabled records whether the response cache is enabled.
func (c *Caches) Enabled(on bool) { c.enabled.WithLabelValues().Set(number(on)) }

// Followed records whether changes are followed.
func (c *Caches) Followed(on bool) { c.followed.WithLabelValues().Set(number(on)) }

// BinlogLost counts a lost connection to the binary log.
func (c *Caches) BinlogLost() { c.lost.WithLabelValues().Inc() }

// BinlogApplied counts transactions of the binary log; delay is the time until they were applied.
func (c *Caches) BinlogApplied(transactions int, delay time.Duration) {
	c.applied.WithLabelValues().Add(float64(transactions))
	c.delay.WithLabelValues().Observe(delay.Seconds())
}

// lostNotice is the result of a notice that never arrived.
const lostNotice = "lost"

// Notice counts a numbered notice.
func (c *Caches) Notice(v notice.Verdict) { c.notices.WithLabelValues(string(v)).Inc() }

// NoticesLost counts notices that never arrived.
func (c *Caches) NoticesLost(count int) {
	c.notices.WithLabelValues(lostNotice).Add(float64(count))
}

// Listed counts a list of events by what found its events.
func (c *Caches) Listed(from eventindex.Outcome) { c.lists.WithLabelValues(string(from)).Inc() }

// Searched counts a search by what found its candidates.
func (c *Caches) Searched(from searchindex.Outcome) {
	c.searches.WithLabelValues(string(from)).Inc()
}

// CacheSizes are the sizes of the caches.
type CacheSizes struct {
	Answers int
	// AnswerBytes, RowBytes and RenderedBytes are the memory of the caches.
	AnswerBytes, RowBytes, RenderedBytes uint64
	Evicted                              uint64 // answers
	Events                               int    // dates in the listing index
	// Read and Total are the numbers of events that the listing index has read and has to read.
	// Both are 0 unless it is being loaded.
	Read, Total int64
	// SearchBytes is the memory of the search index, and SearchPosts the number of posts in it.
	SearchBytes int64
	SearchPosts int
}

// Bytes returns the memory of all caches, without the index.
func (s CacheSizes) Bytes() uint64 { return s.AnswerBytes + s.RowBytes + s.RenderedBytes }

// loaded returns the share of events that the listing index has read.
func (s CacheSizes) loaded() float64 {
	switch {
	case s.Total > 0:
		return float64(s.Read) / float64(s.Total)
	case s.Events > 0:
		return 1
	}
	return 0
}

// WatchSizes reads the sizes of a site's caches at each scrape until stop is called. The metrics are the
// sums over all sites.
func (c *Caches) WatchSizes(sizes func() CacheSizes) (stop func()) {
	end := c.sizes.add(sizes)
	return func() {
		c.evicted.Add(sizes().Evicted)
		end()
	}
}

// total returns the sums over all sites.
func (c *Caches) total() CacheSizes {
	sum := CacheSizes{Evicted: c.evicted.Load()}
	for _, s := range c.sizes.values() {
		sum.Answers += s.Answers
		sum.AnswerBytes += s.AnswerBytes
		sum.RowBytes += s.RowBytes
		sum.RenderedBytes += s.RenderedBytes
		sum.Evicted += s.Evicted
		sum.Events += s.Events
		sum.Read += s.Read
		sum.Total += s.Total
		sum.SearchBytes += s.SearchBytes
		sum.SearchPosts += s.SearchPosts
	}
	return sum
}

// gauges returns the metrics of the sizes.
func (c *Caches) gauges() *figures[CacheSizes] {
	return &figures[CacheSizes]{c.total, []figure[CacheSizes]{
		gauge("cache_answers", "Answers in the response cache.", func(s CacheSizes) float64 { return float64(s.Answers) }),
		gauge("cache_answer_bytes", "Memory of the response cache.", func(s CacheSizes) float64 { return float64(s.AnswerBytes) }),
		gauge("cache_row_bytes", "Memory of the row cache.", func(s CacheSizes) float64 { return float64(s.RowBytes) }),
		gauge("cache_rendered_bytes", "Memory of rendered events and of the other caches of rendering.", func(s CacheSizes) float64 { return float64(s.RenderedBytes) }),
		gauge("listing_dates", "Dates of events in the listing index; 0 while there is none.", func(s CacheSizes) float64 { return float64(s.Events) }),
		gauge("listing_loaded_ratio", "Share of the events that the listing index has read while it is being loaded; 1 afterwards, 0 while nothing is known or lists come from the database.", CacheSizes.loaded),
		gauge("search_index_bytes", "Memory of the search index; 0 while there is none.", func(s CacheSizes) float64 { return float64(s.SearchBytes) }),
		gauge("search_index_posts", "Events, venues and organizers in the search index; 0 while there is none.", func(s CacheSizes) float64 { return float64(s.SearchPosts) }),
		newFigure("cache_evictions_total", "Answers evicted for lack of room.", prometheus.CounterValue, func(s CacheSizes) float64 { return float64(s.Evicted) }),
	}}
}
