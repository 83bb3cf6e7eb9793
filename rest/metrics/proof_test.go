package metrics

import (
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"calbridge/rest/proof"
)

// TestProof: all series exist from the start, and follow the prover that is watched.
func TestProof(t *testing.T) {
	m := New(Build{})
	for _, c := range []struct{ got, want int }{
		{testutil.CollectAndCount(m.Proof.answers), len(proof.Reasons()) + 1}, {testutil.CollectAndCount(m.Proof.endings), len(proof.Endings())},
		{testutil.CollectAndCount(m.Proof), len(proof.States()) + 3},
	} {
		if c.got != c.want {
			t.Errorf("%d series from the start, want %d", c.got, c.want)
		}
	}
	m.Proof.Watch(func() proof.Figures {
		return proof.Figures{Shapes: map[proof.State]int{proof.Proven: 3, proof.Differing: 1}, Seen: 70, Closed: 2, Age: 90 * time.Second}
	})
	m.Proof.Decided(proof.None)
	m.Proof.Decided(proof.Differs)
	m.Proof.Ended(proof.EndDifference)
	const want = `
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
	if err := testutil.GatherAndCompare(m.Gatherer(), strings.NewReader(want), "calbridge_proof_shapes", "calbridge_proof_objects", "calbridge_proof_last_comparison_age_seconds"); err != nil {
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
	m.Proof.Watch(nil)
	if got := testutil.CollectAndCount(m.Proof); got != len(proof.States())+3 {
		t.Errorf("%d series in another mode", got)
	}
}
