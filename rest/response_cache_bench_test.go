package rest

import (
	"net/http"
	"testing"

	"calbridge/rest/api"
	"calbridge/wpstore/invalidation"
)

// BenchmarkCached measures a cached response without the network.
func BenchmarkCached(b *testing.B) {
	tracker := invalidation.NewTracker()
	tracker.Resume(true)
	s := newTestSite(b, func(c *Config) {
		c.Compat, c.Tracker, c.CacheBytes, c.Observe = api.Safe, tracker, 32<<20, func(*api.Observation) {}
	})
	for name, target := range map[string]string{"single": "events/101", "list": "events?start_date=2026-01-01&end_date=2028-01-01"} {
		b.Run(name, func(b *testing.B) {
			r := s.request(ask{target: target})
			b.ReportAllocs()
			for b.Loop() {
				s.srv.ServeHTTP(discardResponse{http.Header{}}, r)
			}
		})
	}
}
