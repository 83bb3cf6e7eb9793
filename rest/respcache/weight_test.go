package respcache

import (
	"bytes"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/wptest"
)

// TestWeightIsMemory: what answers are said to take in memory is what they take,
// compressed or not.
func TestWeightIsMemory(t *testing.T) {
	headers := []string{
		"Content-Type", "X-Robots-Tag", "Link", "X-Content-Type-Options", "Access-Control-Expose-Headers", "Access-Control-Allow-Headers", "Allow", "Last-Modified",
		"X-Tec-Total", "X-Tec-Totalpages",
	}
	compressor := NewCompressor()
	for _, c := range []struct {
		name                string
		body, headers, tags int
		encodings           []Encoding
		instead             bool // another body is sent
	}{
		{name: "tiny", body: 200, headers: 8, tags: 2},
		{name: "single events", body: 6500, headers: 8, tags: 7},
		{name: "single events, compressed", body: 6500, headers: 8, tags: 7, encodings: []Encoding{Gzip, Zstd}},
		{name: "single events, replaced and compressed", body: 6500, headers: 8, tags: 7, encodings: []Encoding{Gzip}, instead: true},
		{name: "lists", body: 43_000, headers: 10, tags: 60},
		{name: "lists, compressed", body: 43_000, headers: 10, tags: 60, encodings: []Encoding{Zstd}},
	} {
		t.Run(c.name, func(t *testing.T) {
			many := 12 << 20 / (c.body + 2000)
			before := wptest.LiveHeap()
			cache, tracker := newCache(t, 1<<30)
			for i := range many {
				a := &Answer{Status: 200, Header: http.Header{}, Body: make([]byte, 0, 2*c.body), Route: "/events", Built: tracker.Generation(), Tags: make([]invalidation.Tag, c.tags)}
				for n := 0; len(a.Body) < c.body; n++ {
					a.Body = fmt.Appendf(a.Body, `{"id":%d,"title":"Koncert %d","description":"<p>%x</p>"},`, i, n, i*n*n)
				}
				for _, name := range headers[:c.headers] {
					a.Header.Set(name, strings.Clone("some value of "+name))
				}
				if i%2 > 0 {
					a.Header.Set("Last-Modified", fmt.Sprint("Sat, 21 Nov 2026 20:04:23 GMT ", i))
				}
				key := Key{HTTPS: true, Host: strings.Clone("www.example.org"), URI: fmt.Sprint("/wp-json/tribe/events/v1/events/", i)}
				cache.Put(key, a)
				sent := cache.Get(key, 0)
				if c.instead {
					sent = sent.Instead(bytes.Clone(sent.Body))
				}
				for _, e := range c.encodings {
					sent.Encoded(e, compressor)
				}
				sent.ETag()
			}
			cache.answers.CleanUp()
			runtime.KeepAlive(compressor)
			cached, size := cache.Size()
			took, said := wptest.LiveHeap()-before, float64(size)
			t.Logf("%d answers take %.0f bytes each, said to take %.0f", cached, took/float64(cached), said/float64(cached))
			if ratio := took / said; cached != many || ratio < 0.85 || ratio > 1.15 {
				t.Errorf("%d of %d answers, which take %.0f bytes, are said to take %.0f", cached, many, took, said)
			}
		})
	}
}
