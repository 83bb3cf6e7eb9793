package site

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"calbridge/rest/proof"
	"calbridge/rest/rollout"
)

// BenchmarkAuto compares what a natively answered request costs with --mode native and with --mode
// auto, alternately. Both answer from memory, and auto makes no comparisons meanwhile.
//
//	go test -run - -bench Auto ./cmd/calbridge/site
func BenchmarkAuto(b *testing.B) {
	s := newAutoSite(b, autoDatabase(b), hooks()[0])
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
	for _, target := range []string{targets()[0], targets()[autoEvents]} {
		for run := range 5 {
			for _, c := range []struct {
				mode string
				h    http.Handler
			}{{"native", native}, {"auto", s.h}} {
				name := "one event"
				if target != targets()[0] {
					name = "ten events"
				}
				b.Run(fmt.Sprintf("%s/%d/%s", name, run+1, c.mode), func(b *testing.B) {
					r := httptest.NewRequest(http.MethodGet, "/wp-json/calendar/events/v1/"+target, nil)
					r.RequestURI = "/wp-json/calendar/events/v1/" + target
					w := httptest.NewRecorder()
					b.ReportAllocs()
					for b.Loop() {
						w.Body.Reset()
						c.h.ServeHTTP(w, r)
					}
					if last := s.last.Load(); w.Code != http.StatusOK || last != proof.None {
						b.Errorf("status %d, %v", w.Code, last)
					}
				})
			}
		}
	}
}
