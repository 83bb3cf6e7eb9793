package systemtest

import (
	"strings"
	"testing"
)

// TestMetrics checks that the ops listener shows the figures of a request.
func TestMetrics(t *testing.T) {
	s := start(t, nil, "demo")
	fetch(t, s.api+"/wp-json/calendar/events/v1/events?per_page=2")
	fetch(t, s.api+"/wp-json/calendar/events/v1/nowhere/42")
	_, body := fetch(t, s.ops+"/metrics")
	for _, want := range []string{
		`calbridge_http_requests_total{code="200",language="cs",method="GET",route="/events"} 1`,
		`calbridge_http_requests_total{code="404",language="cs",method="GET",route="none"} 1`,
		`calbridge_rest_errors_total{code="rest_no_route"} 1`,
		`calbridge_db_query_duration_seconds_count{query="options.read"} `,
		`calbridge_http_request_queries_sum{route="/events"} `,
		`go_sql_open_connections{db_name="primary"} `,
		`calbridge_build_info{`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("lacks %s", want)
		}
	}
	if strings.Contains(body, "nowhere") {
		t.Error("a client's text is in a label")
	}
}
