package site

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"calbridge/rest/proof"
	"calbridge/rest/rollout"
	"calbridge/wpstore/invalidation"
)

// BenchmarkAuto compares what a natively answered request costs with --mode native, with --mode auto,
// and with --mode auto on a site whose plugin changes each event, so that the response is composed of
// WordPress's objects. They answer from memory, or build the response again because an event has
// changed that it doesn't show. Auto makes no comparisons meanwhile.
//
//	go test -run - -bench Auto ./cmd/calbridge/site
func BenchmarkAuto(b *testing.B) {
	dsn := autoDatabase(b)
	s := newAutoSite(b, dsn, hooks()[0])
	s.prove()
	native, err := rollout.New(rollout.Config{
		Plan: rollout.Plan{Mode: rollout.Native, Clients: 100}, Native: s.ours, Upstream: &rollout.Upstream{URL: "http://127.0.0.1:9"},
		Client: func(*http.Request) string { return "" }, MaxBody: 1 << 20, Observer: s, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		b.Fatal(err)
	}
	defer native.Close()
	s.prover.Away() // stops the clock of the proofs, and with it comparisons
	b.Run("native", func(b *testing.B) { s.bench(b, native) })
	b.Run("auto", func(b *testing.B) { s.bench(b, s.h) })
	i := slices.IndexFunc(hooks(), func(h *hook) bool { return h.name == "field from another table" })
	plugin := newAutoSite(b, dsn, hooks()[i])
	plugin.activate(true)
	plugin.prove()
	plugin.prover.Away()
	b.Run("auto with WordPress's objects", func(b *testing.B) { plugin.bench(b, plugin.h) })
}

// bench measures a single event and a list of ten.
func (s *autoSite) bench(b *testing.B, h http.Handler) {
	for _, c := range []struct {
		name, target string
		rebuilt      bool
	}{
		{"one event", targets()[0], false}, {"ten events", targets()[autoEvents], false},
		{"ten events, built again", targets()[autoEvents], true},
	} {
		b.Run(c.name, func(b *testing.B) {
			r := httptest.NewRequest(http.MethodGet, "/wp-json/calendar/events/v1/"+c.target, nil)
			r.RequestURI = "/wp-json/calendar/events/v1/" + c.target
			w := httptest.NewRecorder()
			b.ReportAllocs()
			for b.Loop() {
				if c.rebuilt {
					s.tracker.Invalidate(invalidation.Tag{Kind: invalidation.Events})
				}
				w.Body.Reset()
				h.ServeHTTP(w, r)
			}
			if last := s.last.Load(); w.Code != http.StatusOK || last != proof.None {
				b.Errorf("status %d, %v", w.Code, last)
			}
		})
	}
}
