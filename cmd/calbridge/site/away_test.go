package site

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"calbridge/rest/proof"
	"calbridge/wpstore/synthetic"
)

// TestAutoAway checks that, while WordPress doesn't respond, proven requests are still
// answered natively, other requests are refused with Retry-After, and no proof grows.
func TestAutoAway(t *testing.T) {
	s := newAutoSite(t, autoDatabase(t), hooks()[0])
	s.prove()
	before := s.prover.Report()
	s.wp.away.Store(true)
	changed := fmt.Sprint("events/", synthetic.FirstEvent)
	s.wp.exec("UPDATE wp_posts SET post_title = 'Changed while WordPress is away' WHERE ID = ?", synthetic.FirstEvent)
	s.settle()
	for range 3 {
		for _, target := range targets() {
			rec := s.ask(target)
			if native := s.last.Load() == proof.None; native && rec.Code != http.StatusOK ||
				!native && (rec.Code != http.StatusBadGateway && rec.Code != http.StatusServiceUnavailable || rec.Header().Get("Retry-After") == "") {
				t.Errorf("%s: natively %t: status %d, %v", target, native, rec.Code, rec.Header())
			}
			if native := s.last.Load() == proof.None; target == changed && native || strings.HasPrefix(target, "events/") && target != changed && !native {
				t.Errorf("%s: natively %t", target, native)
			}
		}
	}
	s.quiet() // running comparisons send requests to WordPress
	asked := s.wp.asked.Load()
	s.clock.Add(-int64(10 * time.Second)) // still within the pause
	for range 10 {
		s.clock.Add(-int64(10 * time.Second)) // the pause grows by the same amount
		s.ask(fmt.Sprint("events/", synthetic.FirstEvent+1))
	}
	if n := s.wp.asked.Load() - asked; n > 0 {
		t.Errorf("WordPress was asked for %d comparisons while they pause", n)
	}
	after := s.prover.Report()
	if after.Seen > before.Seen || !after.LastCompared.Equal(before.LastCompared) || len(after.Endings) > len(before.Endings) {
		t.Errorf("proofs changed: %+v\nbefore: %+v", after, before)
	}
	for i, p := range after.Shapes {
		if b := before.Shapes[i]; p.Identical != b.Identical || p.State != b.State {
			t.Errorf("%+v, before %+v", p, b)
		}
	}
	s.wp.away.Store(false)
	s.clock.Add(int64(time.Minute))
	s.prove()
	if s.wrong > 0 {
		t.Errorf("%d wrong answers", s.wrong)
	}
}
