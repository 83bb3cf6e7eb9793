package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"calbridge/rest/changes/stream"
)

// Streams holds the metrics of the routes that report changes. It is safe for concurrent use.
type Streams struct {
	open   *prometheus.GaugeVec
	closed *prometheus.CounterVec // reason
	lag    *prometheus.HistogramVec
	gone   *prometheus.CounterVec // reason

	journals watched[int64]
}

func newStreams(f factory, gone []string) *Streams {
	s := &Streams{
		open:   f.gauge("streams", "Streams of changes that are open now."),
		closed: f.counter("streams_closed_total", "Streams of changes that have ended, by the reason.", "reason"),
		lag: f.histogram("stream_lag_seconds", "Time from a change's arrival by the binary log until it was sent to a client of a stream.",
			[]float64{.001, .002, .005, .01, .02, .05, .1, .2, .5, 1, 5}),
		gone: f.counter("sync_tokens_gone_total", "Tokens and positions in changes that could not be used any more, so that the client had to begin again, by the reason.", "reason"),
	}
	s.open.WithLabelValues()
	s.lag.WithLabelValues()
	touch(s.closed, stream.Ends()...)
	touch(s.gone, gone...)
	f.NewGaugeFunc(prometheus.GaugeOpts{Namespace: namespace, Name: "journal_bytes", Help: "Size of the journal of changes on disk; 0 without one."}, func() float64 {
		var sum int64
		for _, bytes := range s.journals.values() {
			sum += bytes
		}
		return float64(sum)
	})
	return s
}

// Opened implements stream.Observer.
func (s *Streams) Opened() { s.open.WithLabelValues().Inc() }

// Closed implements stream.Observer.
func (s *Streams) Closed(why string) {
	s.closed.WithLabelValues(why).Inc()
	s.open.WithLabelValues().Dec()
}

// Sent implements stream.Observer.
func (s *Streams) Sent(lag time.Duration) { s.lag.WithLabelValues().Observe(lag.Seconds()) }

// Gone counts a token that could not be used; reason is one of Values.Gone.
func (s *Streams) Gone(reason string) { s.gone.WithLabelValues(reason).Inc() }

// WatchJournal reads the size of a site's journal, in bytes, at each scrape until stop is called.
func (s *Streams) WatchJournal(size func() int64) (stop func()) { return s.journals.add(size) }
