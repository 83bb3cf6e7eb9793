package metrics

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"calbridge/rest"
	"calbridge/wpstore"
)

// used returns metrics that have seen one of everything.
func used() *Metrics {
	m := New(Build{"1.2.3", "abc", "go1.26"})
	m.Request(&rest.Observation{Method: "GET", Route: "/events", Status: 200, Bytes: 1000, Queries: 7, Took: 3 * time.Millisecond, Auth: "none"})
	m.Request(&rest.Observation{Method: "GET", Status: 404, Code: "rest_no_route", Auth: "none"})
	m.Request(&rest.Observation{Method: "GET", Route: "/events", Status: 401, Code: "incorrect_password", Auth: "basic"})
	m.Request(&rest.Observation{Method: "POST", Route: "/events", Status: 500, Panicked: true, Auth: "cookie", UserID: 3})
	m.Request(&rest.Observation{Method: "GET", Status: 403, Code: "rest_cookie_invalid_nonce", Auth: "none"})
	m.Query("events.ids", time.Millisecond, nil)
	m.Query("events.ids", time.Second, fmt.Errorf("query: %w", wpstore.ErrUnavailable))
	m.Query("events.ids", time.Second, wpstore.ErrSchema)
	m.Query("events.ids", time.Second, context.Canceled)
	m.Query("events.ids", time.Second, fmt.Errorf("else"))
	return m
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
calbridge_db_query_errors_total{kind="schema",query="events.ids"} 1
calbridge_db_query_errors_total{kind="unavailable",query="events.ids"} 1
# HELP calbridge_http_panics_total Requests that ended in a panic, answered with status 500.
# TYPE calbridge_http_panics_total counter
calbridge_http_panics_total 1
# HELP calbridge_http_requests_total Requests answered, by route template, method and status.
# TYPE calbridge_http_requests_total counter
calbridge_http_requests_total{code="200",method="GET",route="/events"} 1
calbridge_http_requests_total{code="401",method="GET",route="/events"} 1
calbridge_http_requests_total{code="403",method="GET",route="none"} 1
calbridge_http_requests_total{code="404",method="GET",route="none"} 1
calbridge_http_requests_total{code="500",method="POST",route="/events"} 1
# HELP calbridge_rest_errors_total Errors answered, by their code.
# TYPE calbridge_rest_errors_total counter
calbridge_rest_errors_total{code="incorrect_password"} 1
calbridge_rest_errors_total{code="rest_cookie_invalid_nonce"} 1
calbridge_rest_errors_total{code="rest_no_route"} 1
`
	err := testutil.GatherAndCompare(m.Gatherer(), strings.NewReader(want), "calbridge_auth_attempts_total", "calbridge_build_info",
		"calbridge_db_query_errors_total", "calbridge_http_panics_total", "calbridge_http_requests_total", "calbridge_rest_errors_total")
	if err != nil {
		t.Error(err)
	}
}

// TestLint holds all names and helps to Prometheus's conventions.
func TestLint(t *testing.T) {
	m := used()
	db, err := wpstore.Open(t.Context(), wpstore.Config{DSN: "sqlite::memory:"})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	m.WatchPool(db.SQL(), "wordpress")
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
