package proof

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"calbridge/wpstore/invalidation"
)

// TestStoring checks that whatever ends the decision to answer natively is reported, once, so that
// caches in front are purged, and that a response whose headers are written later isn't stored.
func TestStoring(t *testing.T) {
	refused := func(p *prover) {
		r := p.result("/a", Different, "status")
		r.Ours.Body, r.Theirs.Status = []byte(`{"id":7}`), http.StatusForbidden
		p.Record(r)
	}
	for _, c := range []struct {
		name string
		end  func(t *testing.T, p *prover)
	}{
		{"a difference", func(_ *testing.T, p *prover) { p.Record(p.result("/a", Different, "body title")) }},
		{"WordPress disagrees with itself", func(_ *testing.T, p *prover) { p.Record(p.result("/a", Disagreeing, "body title")) }},
		{"a refusal", func(_ *testing.T, p *prover) { refused(p) }},
		{"a table that calbridge doesn't know", func(_ *testing.T, p *prover) { p.Others([]string{"wp_guards"}) }},
		{"facts", func(t *testing.T, p *prover) {
			p.facts = Facts{"plugins": "b"}
			if err := p.Refresh(t.Context()); err != nil {
				t.Fatal(err)
			}
		}},
		{"facts from elsewhere", func(_ *testing.T, p *prover) { p.Change("site") }},
		{"code that reads who asks", func(t *testing.T, p *prover) {
			p.code, p.facts = Facts{CodeFact: "read", "code plugins/a": "2"}, Facts{"plugins": "a", VisitorFact + " plugins/a": "hooked"}
			if err := p.RefreshCode(t.Context()); err != nil {
				t.Fatal(err)
			}
		}},
		{"code that can't be read", func(t *testing.T, p *prover) {
			p.at = p.at.Add(time.Minute)
			p.Here()
			p.err = errors.New("no code")
			if err := p.RefreshCode(t.Context()); err == nil {
				t.Fatal("it can")
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newTestProver(t, false)
			p.prove(t)
			reports := 0
			p.Listen(func() { reports++ })
			c.end(t, p)
			if reports != 0 {
				t.Error("reported although nothing was stored")
			}
			p = newTestProver(t, false)
			p.prove(t)
			p.Listen(func() { reports++ })
			s := p.Release(asked{}, p.draft).Storing
			if !s.Holds.Holds() || s.Age < 1000*time.Hour {
				t.Fatalf("%+v", s)
			}
			c.end(t, p)
			if reports == 0 || s.Holds.Holds() {
				t.Errorf("%d reports; it still holds: %t", reports, s.Holds.Holds())
			}
		})
	}
	t.Run("a row changes", func(t *testing.T) {
		p := newTestProver(t, false)
		p.prove(t)
		s := p.Release(asked{}, p.draft).Storing
		p.cfg.Tracker.Invalidate(invalidation.Tag{Kind: invalidation.Post, ID: 7})
		if s.Holds.Holds() {
			t.Error("it still holds")
		}
	})
	t.Run("age", func(t *testing.T) {
		p := newTestProver(t, false)
		p.cfg.MaxAge = time.Hour
		p.prove(t)
		for _, c := range []struct{ after, want time.Duration }{{0, 45 * time.Minute}, {30 * time.Minute, 15 * time.Minute}, {50 * time.Minute, -5 * time.Minute}} {
			begin := p.at
			p.at = p.at.Add(c.after)
			if got := p.Release(asked{}, p.draft).Storing.Age; got != c.want {
				t.Errorf("after %s: %s, want %s", c.after, got, c.want)
			}
			p.at = begin
		}
	})
}
