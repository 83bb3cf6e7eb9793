package systemtest

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"calbridge/cmd/calbridge/cachesync"
	"calbridge/wpstore/wptest"
)

// BenchmarkStrict measures what a cached response costs in this process under strict, with the
// query that proves it fresh, and without that in the default mode.
func BenchmarkStrict(b *testing.B) {
	s := newCoherentSite(b, wptest.Replicated(b), 200)
	for _, mode := range []cachesync.Mode{cachesync.Strict, cachesync.Auto} {
		b.Run(string(mode), func(b *testing.B) {
			cached, _ := s.keeping(b, mode)
			r := httptest.NewRequest(http.MethodGet, "/wp-json/calendar/events/v1/events/10001", nil)
			r.RequestURI = r.URL.Path
			b.ReportAllocs()
			for b.Loop() {
				cached.ServeHTTP(discarded{http.Header{}}, r)
			}
		})
	}
}

// discarded is an answer that nobody reads.
type discarded struct{ header http.Header }

func (d discarded) Header() http.Header         { return d.header }
func (d discarded) Write(p []byte) (int, error) { return len(p), nil }
func (d discarded) WriteHeader(int)             {}
