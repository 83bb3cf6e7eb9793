package metrics

import (
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"calbridge/rest/fragment"
	"calbridge/rest/proof"
)

// fragmentSeries returns the number of series of fragments.
func fragmentSeries() int { return 6 + len(fragment.Endings()) }

// TestProof: all series exist from the start, and follow the prover that is watched.
func TestProof(t *testing.T) {
	m := New(Build{}, Values{})
	for _, c := range []struct{ got, want int }{
		{testutil.CollectAndCount(m.Proof.answers), len(proof.Reasons()) + 1}, {testutil.CollectAndCount(m.Proof.endings), len(proof.Endings())},
		{testutil.CollectAndCount(m.Proof), len(proof.States()) + 3 + fragmentSeries()},
	} {
		if c.got != c.want {
			t.Errorf("%d series from the start, want %d", c.got, c.want)
		}
	}
	stop := m.Proof.Watch(func() proof.Figures {
		return proof.Figures{Shapes: map[proof.State]int{proof.Proven: 3, proof.Differing: 1}, Seen: 70, Closed: 2, Age: 90 * time.Second,
			Fragments: fragment.Figures{Held: 5, Bytes: 9000, Volatile: 1, Hits: 6, Misses: 2, Fills: 8, Endings: map[fragment.Ending]int64{fragment.EndRows: 3}}}
	})
	m.Proof.Decided(proof.None)
	m.Proof.Decided(proof.Differs)
	m.Proof.Ended(proof.EndDifference)
	const want = `
# HELP calbridge_fragment_bytes Memory of WordPress's own rendering of objects in modes auto and native, in bytes.
# TYPE calbridge_fragment_bytes gauge
calbridge_fragment_bytes 9000
# HELP calbridge_fragment_composed_total Responses in modes auto and native that were to be composed of WordPress's objects: hit, or miss where one was missing.
# TYPE calbridge_fragment_composed_total counter
calbridge_fragment_composed_total{result="hit"} 6
calbridge_fragment_composed_total{result="miss"} 2
# HELP calbridge_fragment_fills_total Objects that WordPress has sent for modes auto and native to hold.
# TYPE calbridge_fragment_fills_total counter
calbridge_fragment_fills_total 8
# HELP calbridge_fragment_volatile Objects whose rendering by WordPress varies by itself, so that modes auto and native never serve it.
# TYPE calbridge_fragment_volatile gauge
calbridge_fragment_volatile 1
# HELP calbridge_fragments Events, venues, organizers and terms of which modes auto and native hold WordPress's own rendering.
# TYPE calbridge_fragments gauge
calbridge_fragments 5
# HELP calbridge_proof_last_comparison_age_seconds Time since the last comparison in mode auto, or since the start before there was one; 0 in other modes.
# TYPE calbridge_proof_last_comparison_age_seconds gauge
calbridge_proof_last_comparison_age_seconds 90
# HELP calbridge_proof_objects Posts and terms in mode auto that WordPress has shown, by route and language, or has refused.
# TYPE calbridge_proof_objects gauge
calbridge_proof_objects{state="closed"} 2
calbridge_proof_objects{state="seen"} 70
# HELP calbridge_proof_shapes Kinds of requests in mode auto by the state of their proof; calbridge answers those that are proven.
# TYPE calbridge_proof_shapes gauge
calbridge_proof_shapes{state="differing"} 1
calbridge_proof_shapes{state="proven"} 3
calbridge_proof_shapes{state="proving"} 0
calbridge_proof_shapes{state="unstable"} 0
`
	if err := testutil.GatherAndCompare(m.Gatherer(), strings.NewReader(want), "calbridge_proof_shapes", "calbridge_proof_objects", "calbridge_proof_last_comparison_age_seconds",
		"calbridge_fragments", "calbridge_fragment_bytes", "calbridge_fragment_volatile", "calbridge_fragment_composed_total", "calbridge_fragment_fills_total"); err != nil {
		t.Error(err)
	}
	for name, got := range map[string]float64{
		"native": testutil.ToFloat64(m.Proof.answers.WithLabelValues("calbridge", "none")), "proxied": testutil.ToFloat64(m.Proof.answers.WithLabelValues("wordpress", "differing")),
		"ended": testutil.ToFloat64(m.Proof.endings.WithLabelValues("difference")),
	} {
		if got != 1 {
			t.Errorf("%s is counted %v times", name, got)
		}
	}
	stop()
	if got := testutil.CollectAndCount(m.Proof); got != len(proof.States())+3+fragmentSeries() {
		t.Errorf("%d series in another mode", got)
	}
}
