package proof

import (
	"slices"
	"testing"
	"time"
)

// TestHarmless: the list has queues, statistics, logs and sessions, and nothing that decides about
// access. The owner adds tables and takes some off.
func TestHarmless(t *testing.T) {
	for _, c := range []struct {
		name     string
		patterns []string
		want     bool
	}{
		{"actionscheduler_actions", nil, true},
		{"wfHits", nil, true},
		{"woocommerce_sessions", nil, true},
		{"redirection_logs", nil, true},
		{"redirection_items", nil, false},
		{"wfblocks7", nil, false},
		{"wc_orders", nil, false},
		{"wc_order_product_lookup", nil, false},
		{"wc_customer_lookup", nil, false},
		{"members_guards", nil, false},
		{"options:active_plugins", nil, false},
		{"members_guards", []string{"members_*"}, true},
		{"stream", []string{"!stream"}, false},
		{"stream_meta", []string{"!stream"}, true},
		{"members_log", []string{"!members_log"}, false},
		{"slim_stats", []string{"!slim_*", "slim_stats"}, true},
	} {
		if got := harmless(c.name, c.patterns); got != c.want {
			t.Errorf("%s with %q: %t", c.name, c.patterns, got)
		}
	}
	plugins := map[string]bool{}
	for _, of := range harmlessTables {
		if plugins[of.plugin] || len(of.names) == 0 {
			t.Errorf("%s is listed twice, or without tables", of.plugin)
		}
		plugins[of.plugin] = true
	}
}

// TestProbablyHarmless: a table is reported after a day of changes that identical comparisons
// followed. It is never assumed to be harmless. A difference or a refusal starts over.
func TestProbablyHarmless(t *testing.T) {
	for _, c := range []struct {
		name  string
		hours int
		// each is called after a change, n counting the hours.
		each func(p *prover, n int)
		want bool
	}{
		{"identical for a day", 24, func(p *prover, n int) { p.Record(p.result("/same", Same)) }, true},
		{"less than a day", 22, func(p *prover, n int) { p.Record(p.result("/same", Same)) }, false},
		{"rarely compared", 24, func(p *prover, n int) {
			if n%4 == 0 {
				p.Record(p.result("/same", Same))
			}
		}, false},
		{"a difference in between", 24, func(p *prover, n int) {
			if n == 12 {
				p.Record(p.result("/c", Different, "body $.title"))
				return
			}
			p.Record(p.result("/same", Same))
		}, false},
		{"no comparison", 24, func(*prover, int) {}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newTestProver(t, false)
			p.prove(t)
			for n := range c.hours + 1 {
				p.at = p.at.Add(time.Hour)
				p.Others([]string{"busy"})
				p.at = p.at.Add(time.Second)
				c.each(p, n)
			}
			r := p.Report()
			if got := slices.Equal(r.Harmless, []string{"busy"}); got != c.want {
				t.Errorf("probably harmless: %v, want %t", r.Harmless, c.want)
			}
			if r.Tables["busy"] != int64(c.hours+1) || r.Endings[EndTable] != int64(c.hours+1) {
				t.Errorf("%d changes, endings %v", r.Tables["busy"], r.Endings)
			}
		})
	}
}
