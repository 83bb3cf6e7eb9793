package metrics

import (
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"calbridge/rest/api"
	"calbridge/rest/rollout"
	"calbridge/rest/tribev1"
)

// TestRollout follows a plan, what was asked of WordPress, and comparisons.
func TestRollout(t *testing.T) {
	m := New(Build{}, Values{Routes: tribev1.Templates()})
	for _, c := range []struct {
		collector prometheus.Collector
		series    int
	}{
		{m.Rollout.upstream, 4 * len(rollout.Results())}, {m.Rollout.dropped, len(rollout.DropReasons())}, {m.Requests.unfaithful, 2},
		{m.Rollout.comparisons, (len(tribev1.Templates()) + 1) * len(rollout.Outcomes())},
		{m.Rollout.differences, (len(tribev1.Templates()) + 1) * len(DifferenceKinds())},
	} {
		if got := testutil.CollectAndCount(c.collector); got != c.series {
			t.Errorf("%d series from the start, want %d", got, c.series)
		}
	}
	m.Rollout.Use(rollout.Plan{Mode: rollout.DiffProxy, Clients: 100, Compared: 100})
	m.Rollout.Use(rollout.Plan{Mode: rollout.DiffNative, Clients: 10, Compared: 50})
	m.Rollout.Upstream(rollout.ForClient, rollout.ResultAway, time.Second)
	m.Rollout.Compared(&rollout.Compared{Route: "/events", Outcome: rollout.Different, Kinds: []string{"headers", "bytes"}})
	m.Rollout.Compared(&rollout.Compared{Outcome: rollout.Same})
	m.Rollout.NotCompared(rollout.DropQueue)
	m.Requests.Turned()
	m.Requests.Answered(&api.Observation{Method: "GET", Route: "/events", Status: 200, NotRendered: []string{"shop/cart"}})
	const want = `
# HELP calbridge_rollout_mode 1 for the running mode in use, 0 for the others.
# TYPE calbridge_rollout_mode gauge
calbridge_rollout_mode{mode="auto"} 0
calbridge_rollout_mode{mode="diff-native"} 1
calbridge_rollout_mode{mode="diff-proxy"} 0
calbridge_rollout_mode{mode="native"} 0
calbridge_rollout_mode{mode="proxy"} 0
# HELP calbridge_rollout_share_percent Share of the clients that the mode is for, and of their GETs that are compared.
# TYPE calbridge_rollout_share_percent gauge
calbridge_rollout_share_percent{of="clients"} 10
calbridge_rollout_share_percent{of="compared"} 50
# HELP calbridge_unfaithful_requests_total Requests for texts with blocks or shortcodes that only other plugins can render, by who answered.
# TYPE calbridge_unfaithful_requests_total counter
calbridge_unfaithful_requests_total{by="calbridge"} 1
calbridge_unfaithful_requests_total{by="wordpress"} 1
`
	if err := testutil.GatherAndCompare(m.Gatherer(), strings.NewReader(want), "calbridge_rollout_mode", "calbridge_rollout_share_percent", "calbridge_unfaithful_requests_total"); err != nil {
		t.Error(err)
	}
	for name, got := range map[string]float64{
		"upstream":    testutil.ToFloat64(m.Rollout.upstream.WithLabelValues(rollout.ForClient, rollout.ResultAway)),
		"different":   testutil.ToFloat64(m.Rollout.comparisons.WithLabelValues("/events", "different")),
		"same":        testutil.ToFloat64(m.Rollout.comparisons.WithLabelValues(none, "same")),
		"by headers":  testutil.ToFloat64(m.Rollout.differences.WithLabelValues("/events", "headers")),
		"by bytes":    testutil.ToFloat64(m.Rollout.differences.WithLabelValues("/events", "bytes")),
		"not dropped": testutil.ToFloat64(m.Rollout.dropped.WithLabelValues(rollout.DropQueue)),
	} {
		if got != 1 {
			t.Errorf("%s is counted %v times", name, got)
		}
	}
}
