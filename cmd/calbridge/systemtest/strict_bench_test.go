package systemtest

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"calbridge/cmd/calbridge/settings"
	"calbridge/wpstore/wptest"
)

// BenchmarkStrict measures the cost of a cached response in this process: in strict mode, with
// the query that shows that it is fresh, and in the default mode, without that query.
func BenchmarkStrict(b *testing.B) {
	s := newCoherentSite(b, wptest.Replicated(b), 200)
	for _, mode := range []settings.CacheMode{settings.CacheStrict, settings.CacheAuto} {
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

// discarded is a response that is not read.
type discarded struct{ header http.Header }

func (d discarded) Header() http.Header         { return d.header }
func (d discarded) Write(p []byte) (int, error) { return len(p), nil }
func (d discarded) WriteHeader(int)             {}
