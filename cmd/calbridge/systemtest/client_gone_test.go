package systemtest

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"calbridge/wpstore/wptest"
)

// TestClientGone checks that a client that closes its connection while the database works
// doesn't count as a failure of the server: it is counted under code 499, outside the error
// budget, and logged like any request. A client that waits until the server gives up does
// count as a failure.
func TestClientGone(t *testing.T) {
	t.Parallel()
	node := wptest.StartNode(t)
	db := node.Site("mono")
	s := start(t, nil, "serve", "--dsn", node.DSN("calendar"), "--table-prefix", db.TablePrefix, "--namespace", "tribe/events/v1", "--cache", "off", "--request-timeout", "2s")
	url := s.api + "/wp-json/tribe/events/v1/events"
	if resp, _ := fetch(t, url); resp.StatusCode != http.StatusOK {
		t.Fatal(resp.Status)
	}
	node.Hang()
	defer node.Resume()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if resp, err := http.DefaultTransport.RoundTrip(req); err == nil {
		t.Fatalf("answered with %d", resp.StatusCode)
	}
	s.awaitMetric(`calbridge_http_requests_total{code="499",language="none",method="GET",route="/events"}`, 1)
	if n := s.metric(`calbridge_rest_errors_total{code="calbridge_client_gone"}`); n != 1 {
		t.Errorf("counted %v times by its code", n)
	}
	_, metrics := fetch(t, s.ops+"/metrics")
	if strings.Contains(metrics, `calbridge_http_requests_total{code="503"`) {
		t.Error("counted as a failure of the server")
	}
	waitFor(t, func() bool { return strings.Contains(s.stderr.String(), "status=499") })
	for line := range strings.Lines(s.stderr.String()) {
		if strings.Contains(line, "msg=request") && strings.Contains(line, "level=ERROR") {
			t.Errorf("logged as an error: %s", line)
		}
	}
	if resp, _ := fetch(t, url); resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a client that waits gets %d", resp.StatusCode)
	}
	waitFor(t, func() bool {
		_, metrics := fetch(t, s.ops+"/metrics")
		return strings.Contains(metrics, `calbridge_http_requests_total{code="503"`)
	})
}
