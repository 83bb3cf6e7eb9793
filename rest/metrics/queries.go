package metrics

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"calbridge/wpstore"
)

// queryTimes collects times of queries. A histogram with native buckets touches so much
// memory that observing each time by itself took three percent of an uncached list; many in
// a row take a fraction of that.
type queryTimes struct {
	mu      sync.Mutex
	pending []queryTime
}

type queryTime struct {
	name string
	took time.Duration
}

// maxQueryTimes is the number of times that are collected.
const maxQueryTimes = 256

// add collects a time, and returns the times to observe now.
func (t *queryTimes) add(name string, took time.Duration) []queryTime {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.pending == nil {
		t.pending = make([]queryTime, 0, maxQueryTimes)
	}
	t.pending = append(t.pending, queryTime{name, took})
	if len(t.pending) < maxQueryTimes {
		return nil
	}
	full := t.pending
	t.pending = nil
	return full
}

// take returns all times that are not observed yet.
func (t *queryTimes) take() []queryTime {
	t.mu.Lock()
	defer t.mu.Unlock()
	pending := t.pending
	t.pending = nil
	return pending
}

// Queries are the metrics of database queries. They are safe for concurrent use.
type Queries struct {
	duration *prometheus.HistogramVec // query
	errors   *prometheus.CounterVec   // query, kind
	bound    sync.Map                 // prometheus.Observer by query, once its series exist
	times    queryTimes
}

func newQueries(f factory) *Queries {
	return &Queries{
		duration: f.histogram("db_query_duration_seconds", "Time of database queries, by the query's name; of statements that are sent together, since the end of the one before.", seconds(), "query"),
		errors:   f.counter("db_query_errors_total", "Database queries that failed, by the query's name and the kind of failure.", "query", "kind"),
	}
}

// failure is a kind of failed queries.
type failure struct {
	kind string
	err  error // nil for any
}

// failures returns the kinds of failed queries. The first that matches counts: with ErrReplica, the
// query went to the primary next, whatever else the error is.
func failures() []failure {
	return []failure{{"replica", wpstore.ErrReplica}, {"unavailable", wpstore.ErrUnavailable}, {"schema", wpstore.ErrSchema}, {"canceled", context.Canceled}, {"other", nil}}
}

// Query counts a database query; it fits sitedb.Config.Observe.
func (q *Queries) Query(name string, took time.Duration, err error) {
	q.observe(q.times.add(name, took))
	if err == nil {
		return
	}
	q.settle() // the series exist before the first failure
	for _, f := range failures() {
		if f.err == nil || errors.Is(err, f.err) {
			q.errors.WithLabelValues(name, f.kind).Inc()
			return
		}
	}
}

// settle observes all times that have been collected.
func (q *Queries) settle() { q.observe(q.times.take()) }

// observe adds times to the histograms.
func (q *Queries) observe(times []queryTime) {
	for _, t := range times {
		duration, known := q.bound.Load(t.name)
		if !known {
			duration = q.duration.WithLabelValues(t.name)
			q.bound.Store(t.name, duration)
			for _, f := range failures() {
				q.errors.WithLabelValues(t.name, f.kind)
			}
		}
		duration.(prometheus.Observer).Observe(t.took.Seconds())
	}
}
