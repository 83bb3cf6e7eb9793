package metrics

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"calbridge/rest/api"
	"calbridge/wpstore"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/sqlconn/server"
	"calbridge/wpstore/wptest"
)

// used returns metrics that have seen one of everything.
func used() *Metrics {
	m := New(Build{"1.2.3", "abc", "go1.26"}, Values{Routes: []string{"/events", "/events/{id}"}, Gone: []string{"expired"}})
	m.Requests.Answered(&api.Observation{Method: "GET", Route: "/events", Language: "de", Status: 200, Bytes: 1000, Queries: 7, Took: 3 * time.Millisecond, Auth: "none"})
	m.Requests.Answered(&api.Observation{Method: "GET", Status: 404, Code: "rest_no_route", Auth: "none"})
	m.Requests.Answered(&api.Observation{Method: "GET", Route: "/events", Status: 401, Code: "incorrect_password", Auth: "basic"})
	m.Requests.Answered(&api.Observation{Method: "POST", Route: "/events", Status: 500, Panicked: true, Auth: "cookie", UserID: 3})
	m.Requests.Answered(&api.Observation{Method: "GET", Status: 403, Code: "rest_cookie_invalid_nonce", Auth: "none"})
	m.Requests.Answered(&api.Observation{Method: "GET", Route: "/events.ics", Status: 200, Auth: "none", LeftOut: 3})
	m.Queries.Query("events.ids", time.Millisecond, nil)
	m.Queries.Query("events.ids", time.Second, fmt.Errorf("query: %w", wpstore.ErrUnavailable))
	m.Queries.Query("events.ids", time.Second, wpstore.ErrSchema)
	m.Queries.Query("events.ids", time.Second, fmt.Errorf("%w: %w", wpstore.ErrReplica, wpstore.ErrUnavailable))
	m.Queries.Query("events.ids", time.Second, context.Canceled)
	m.Queries.Query("events.ids", time.Second, fmt.Errorf("else"))
	return m
}

// TestSizesReadOnce checks that a scrape reads the sizes of each site's caches once, and that the evicted
// answers of sites that are closed are still counted.
func TestSizesReadOnce(t *testing.T) {
	m := New(Build{}, Values{})
	var reads int
	size := func(evicted uint64) func() CacheSizes {
		return func() CacheSizes {
			reads++
			return CacheSizes{Answers: 3, Evicted: evicted}
		}
	}
	m.Caches.WatchSizes(size(5))
	stop := m.Caches.WatchSizes(size(2))
	for _, c := range []struct {
		name, want string
		reads      int
	}{{"two sites", "6", 2}, {"one is closed", "3", 1}} {
		t.Run(c.name, func(t *testing.T) {
			reads = 0
			if err := testutil.GatherAndCompare(m.registry, strings.NewReader(`
# HELP calbridge_cache_answers Answers in the response cache.
# TYPE calbridge_cache_answers gauge
calbridge_cache_answers `+c.want+`
# HELP calbridge_cache_evictions_total Answers evicted for lack of room.
# TYPE calbridge_cache_evictions_total counter
calbridge_cache_evictions_total 7
`), "calbridge_cache_answers", "calbridge_cache_evictions_total"); err != nil {
				t.Error(err)
			}
			if reads != c.reads {
				t.Errorf("the sizes were read %d times, want %d", reads, c.reads)
			}
			if c.reads == 2 {
				stop()
			}
		})
	}
}

func TestFigures(t *testing.T) {
	m := used()
	const want = `
# HELP calbridge_auth_attempts_total Requests with credentials, by their scheme and whether they were good.
# TYPE calbridge_auth_attempts_total counter
calbridge_auth_attempts_total{result="bad",scheme="basic"} 1
calbridge_auth_attempts_total{result="bad",scheme="cookie"} 1
calbridge_auth_attempts_total{result="good",scheme="basic"} 0
calbridge_auth_attempts_total{result="good",scheme="cookie"} 1
# HELP calbridge_build_info Always 1; the labels tell the build.
# TYPE calbridge_build_info gauge
calbridge_build_info{goversion="go1.26",revision="abc",version="1.2.3"} 1
# HELP calbridge_db_query_errors_total Database queries that failed, by the query's name and the kind of failure.
# TYPE calbridge_db_query_errors_total counter
calbridge_db_query_errors_total{kind="canceled",query="events.ids"} 1
calbridge_db_query_errors_total{kind="other",query="events.ids"} 1
calbridge_db_query_errors_total{kind="replica",query="events.ids"} 1
calbridge_db_query_errors_total{kind="schema",query="events.ids"} 1
calbridge_db_query_errors_total{kind="unavailable",query="events.ids"} 1
# HELP calbridge_feed_events_left_out_total Events left out of feeds because their dates can't be written.
# TYPE calbridge_feed_events_left_out_total counter
calbridge_feed_events_left_out_total 3
# HELP calbridge_http_panics_total Requests that ended in a panic, answered with status 500.
# TYPE calbridge_http_panics_total counter
calbridge_http_panics_total 1
# HELP calbridge_http_requests_total Requests answered, by route template, method, status and language.
# TYPE calbridge_http_requests_total counter
calbridge_http_requests_total{code="200",language="de",method="GET",route="/events"} 1
calbridge_http_requests_total{code="200",language="none",method="GET",route="/events.ics"} 1
calbridge_http_requests_total{code="401",language="none",method="GET",route="/events"} 1
calbridge_http_requests_total{code="403",language="none",method="GET",route="none"} 1
calbridge_http_requests_total{code="404",language="none",method="GET",route="none"} 1
calbridge_http_requests_total{code="500",language="none",method="POST",route="/events"} 1
`
	err := testutil.GatherAndCompare(m.Gatherer(), strings.NewReader(want), "calbridge_auth_attempts_total", "calbridge_build_info",
		"calbridge_db_query_errors_total", "calbridge_feed_events_left_out_total", "calbridge_http_panics_total", "calbridge_http_requests_total")
	if err != nil {
		t.Error(err)
	}
	for code, want := range map[string]float64{"incorrect_password": 1, "rest_cookie_invalid_nonce": 1, "rest_no_route": 1, "rest_invalid_param": 0} {
		if got := testutil.ToFloat64(m.Requests.restErrors.WithLabelValues(code)); got != want {
			t.Errorf("%v errors %s are counted, want %v", got, code, want)
		}
	}
}

// TestKnownLabels sees that what can be counted exists before it happens, so that
// the first time is an increase.
func TestKnownLabels(t *testing.T) {
	known := Values{Routes: []string{"/events", "/events/{id}"}, Codes: []string{"rest_no_route"}, Gone: []string{"expired", "site"}}
	m := New(Build{}, known)
	for _, c := range []struct {
		collector prometheus.Collector
		series    int
	}{
		{m.Requests.duration, len(known.Routes) + 1}, {m.Requests.size, len(known.Routes) + 1}, {m.Requests.queries, len(known.Routes) + 1},
		{m.Requests.restErrors, len(known.Codes)}, {m.Requests.authAttempts, 4}, {m.Process.rejected, 2 + len(wpstore.CostClasses())},
	} {
		if got := testutil.CollectAndCount(c.collector); got != c.series {
			t.Errorf("%d series from the start, want %d", got, c.series)
		}
	}
	m.Queries.Query("events.ids", time.Millisecond, nil)
	m.Queries.settle()
	if got := testutil.CollectAndCount(m.Queries.errors); got != 5 {
		t.Errorf("a query has %d kinds of failures, want 5", got)
	}
}

// TestQueryTimes: what is served has all queries up to then, and many queries wait for no one
// to look.
func TestQueryTimes(t *testing.T) {
	m := New(Build{}, Values{})
	total := 0
	for _, n := range []int{1, maxQueryTimes - 1, maxQueryTimes, 2*maxQueryTimes + 7, 0} {
		var group sync.WaitGroup
		for range n {
			group.Go(func() { m.Queries.Query("events.ids", time.Millisecond, nil) })
		}
		group.Wait()
		total += n
		if len(m.Queries.times.pending) >= maxQueryTimes {
			t.Errorf("%d times wait", len(m.Queries.times.pending))
		}
		served := httptest.NewRecorder()
		m.Handler().ServeHTTP(served, httptest.NewRequest(http.MethodGet, "/metrics", nil))
		if want := fmt.Sprintf("calbridge_db_query_duration_seconds_count{query=\"events.ids\"} %d\n", total); !strings.Contains(served.Body.String(), want) {
			t.Errorf("after %d queries there is no line %q", total, want)
		}
	}
}

// TestLife follows reloads, limits, a certificate and a pool that is replaced.
func TestLife(t *testing.T) {
	m := New(Build{}, Values{})
	m.Process.Reloaded(true)
	m.Process.Reloaded(false)
	m.Process.Rejected(OverRate)
	for _, day := range []int{1, 2} {
		m.Process.CertificateExpires(time.Date(2026, 1, day, 0, 0, 0, 0, time.UTC))
	}
	m.Process.WatchReady(func() bool { return true })
	for range 2 {
		db, err := sitedb.Open(t.Context(), sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, "sqlite::memory:")}})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		defer m.Servers.WatchPools(db.Pools())()
	}
	const want = `
# HELP calbridge_config_last_reload_successful Whether the last reading of the settings worked; the one at the start did.
# TYPE calbridge_config_last_reload_successful gauge
calbridge_config_last_reload_successful 0
# HELP calbridge_http_rejected_total Requests and connections turned away because of a limit, by the limit.
# TYPE calbridge_http_rejected_total counter
calbridge_http_rejected_total{reason="connections"} 0
calbridge_http_rejected_total{reason="exports"} 0
calbridge_http_rejected_total{reason="rate"} 1
calbridge_http_rejected_total{reason="reads"} 0
calbridge_http_rejected_total{reason="slow"} 0
calbridge_http_rejected_total{reason="writes"} 0
# HELP calbridge_ready Whether requests can be answered now, as /readyz says.
# TYPE calbridge_ready gauge
calbridge_ready 1
# HELP calbridge_tls_certificate_expiry_timestamp_seconds When the certificate in use becomes invalid.
# TYPE calbridge_tls_certificate_expiry_timestamp_seconds gauge
calbridge_tls_certificate_expiry_timestamp_seconds 1.767312e+09
`
	err := testutil.GatherAndCompare(m.Gatherer(), strings.NewReader(want), "calbridge_config_last_reload_successful",
		"calbridge_http_rejected_total", "calbridge_ready", "calbridge_tls_certificate_expiry_timestamp_seconds")
	if err != nil {
		t.Error(err)
	}
	if n, err := testutil.GatherAndCount(m.Gatherer(), "go_sql_open_connections"); err != nil || n != 2 {
		t.Errorf("%d pools, %v", n, err)
	}
}

// TestLint holds all names and helps to Prometheus's conventions.
func TestLint(t *testing.T) {
	m := used()
	db, err := sitedb.Open(t.Context(), sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, "sqlite::memory:")}})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	m.Servers.WatchPools(db.Pools())
	families, err := m.Gatherer().Gather()
	if err != nil {
		t.Fatal(err)
	}
	problems, err := promlint.NewWithMetricFamilies(families).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

func TestHandler(t *testing.T) {
	w := httptest.NewRecorder()
	used().Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	for _, want := range []string{"calbridge_http_request_duration_seconds_bucket", "calbridge_http_requests_in_flight 0", "go_goroutines", "process_"} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s is missing", want)
		}
	}
}

// TestReplicaFigures follows the servers of a site through a reload.
func TestReplicaFigures(t *testing.T) {
	m := New(Build{}, Values{})
	open := func() *sql.DB {
		db, err := sitedb.Open(t.Context(), sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, "sqlite::memory:")}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		return db.SQL()
	}
	stop := m.Servers.WatchPools(map[string]*sql.DB{"primary": open(), "replica1": open(), "replica2": open()})
	m.Servers.WatchPools(map[string]*sql.DB{"primary": open(), "replica1": open(), "replica3": open()})
	stop()
	m.Servers.Replica("replica1", server.ReplicaState{InUse: true, Lag: 1500 * time.Millisecond})
	m.Servers.Replica("replica2", server.ReplicaState{InUse: true}) // gone since the reload
	m.Servers.Statement("replica1", 2*time.Second)
	m.Servers.Statement("replica1", time.Second)
	const want = `
# HELP calbridge_db_server_in_use Whether a replica is read from; always 1 for the primary.
# TYPE calbridge_db_server_in_use gauge
calbridge_db_server_in_use{server="primary"} 1
calbridge_db_server_in_use{server="replica1"} 1
calbridge_db_server_in_use{server="replica3"} 0
# HELP calbridge_db_server_lag_seconds How old the oldest transaction may be that a replica lacks; +Inf while that is not known, 0 for the primary.
# TYPE calbridge_db_server_lag_seconds gauge
calbridge_db_server_lag_seconds{server="primary"} 0
calbridge_db_server_lag_seconds{server="replica1"} 1.5
calbridge_db_server_lag_seconds{server="replica3"} +Inf
# HELP calbridge_db_statements_total Statements outside of transactions, and transactions, by the server that was asked.
# TYPE calbridge_db_statements_total counter
calbridge_db_statements_total{server="primary"} 0
calbridge_db_statements_total{server="replica1"} 2
calbridge_db_statements_total{server="replica2"} 0
calbridge_db_statements_total{server="replica3"} 0
# HELP calbridge_db_wait_seconds_total Time that they waited because all connections to the server were in use.
# TYPE calbridge_db_wait_seconds_total counter
calbridge_db_wait_seconds_total{server="primary"} 0
calbridge_db_wait_seconds_total{server="replica1"} 3
calbridge_db_wait_seconds_total{server="replica2"} 0
calbridge_db_wait_seconds_total{server="replica3"} 0
`
	err := testutil.GatherAndCompare(m.Gatherer(), strings.NewReader(want), "calbridge_db_server_in_use", "calbridge_db_server_lag_seconds",
		"calbridge_db_statements_total", "calbridge_db_wait_seconds_total")
	if err != nil {
		t.Error(err)
	}
	if n, err := testutil.GatherAndCount(m.Gatherer(), "go_sql_open_connections"); err != nil || n != 3 {
		t.Errorf("%d pools, %v", n, err)
	}
}
