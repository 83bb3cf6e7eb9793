package systemtest

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"calbridge/cmd/calbridge/settings"
	"calbridge/wpstore/wptest"
)

// BenchmarkChangeSeen measures the time from the commit of another program's change until it
// appears in responses, while nothing else happens.
func BenchmarkChangeSeen(b *testing.B) {
	s := newCoherentSite(b, wptest.Replicated(b), 300)
	for _, mode := range []settings.CacheMode{settings.CacheAuto, settings.CacheStrict} {
		b.Run(string(mode), func(b *testing.B) {
			cached, _ := s.keeping(b, mode)
			ctx, cancel := context.WithTimeout(b.Context(), 10*time.Second)
			defer cancel()
			delays := s.delays(ctx, cached, new(atomic.Int64))
			for _, share := range []int{50, 99} {
				b.ReportMetric(float64(delays[len(delays)*share/100].Microseconds()), fmt.Sprintf("µs-p%d", share))
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}
