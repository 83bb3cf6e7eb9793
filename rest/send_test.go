package rest

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"calbridge/rest/api"
)

// TestLastingAnswers: anonymous responses carry what caches and browsers need, from
// memory and from the database alike.
func TestLastingAnswers(t *testing.T) {
	caching, _ := cachingSite(t, func(c *Config) { c.Compat = api.Safe })
	plain := newTestSite(t, func(c *Config) { c.Compat = api.Safe })
	for name, s := range map[string]*testSite{"cached": caching, "not cached": plain} {
		first := s.get("events/101")
		etag := first.header.Get("ETag")
		if len(etag) < 10 || first.header.Get("Cache-Control") != "no-cache" || first.header.Get("Last-Modified") == "" {
			t.Errorf("%s: %v", name, first.header)
		}
		if vary := first.header.Get("Vary"); vary != "Origin, Accept-Encoding, Authorization, X-WP-Nonce" {
			t.Errorf("%s: Vary %q", name, vary)
		}
		for header, want := range map[string]int{
			etag: 304, "W/" + etag: 304, `"x", ` + etag: 304, "*": 304, `"x"`: 200, strings.Trim(etag, `"`): 200,
		} {
			again := s.do(ask{target: "events/101", header: http.Header{"If-None-Match": {header}}})
			if again.status != want || want == 304 && (again.body != "" || again.header.Get("ETag") != etag || again.header.Get("Content-Length") != "") {
				t.Errorf("%s: If-None-Match: %s: %d %v", name, header, again.status, again.header)
			}
		}
		if head := s.do(ask{method: http.MethodHead, target: "events/101"}); head.header.Get("ETag") != etag || head.body != "" {
			t.Errorf("%s: HEAD: %v", name, head.header)
		}
		for encoding, decode := range map[string]func(io.Reader) (io.Reader, error){
			"gzip": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
			"zstd": func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) },
		} {
			a := s.do(ask{target: "events/101", header: http.Header{"Accept-Encoding": {encoding}}})
			r, err := decode(strings.NewReader(a.body))
			if err != nil {
				t.Fatalf("%s: %s: %v", name, encoding, err)
			}
			var body bytes.Buffer
			if _, err := body.ReadFrom(r); err != nil || body.String() != first.body || a.header.Get("Content-Encoding") != encoding {
				t.Errorf("%s: %s: %v %v", name, encoding, a.header, err)
			}
			own := a.header.Get("ETag")
			if own == etag {
				t.Errorf("%s: one strong tag for two different bodies", name)
			}
			confirmed := s.do(ask{target: "events/101", header: http.Header{"Accept-Encoding": {encoding}, "If-None-Match": {own}}})
			if confirmed.status != 304 || confirmed.header.Get("Content-Encoding") != "" {
				t.Errorf("%s: %s: %d %v", name, encoding, confirmed.status, confirmed.header)
			}
		}
	}
}

// TestAnswersThatDoNotLast: users' answers, errors and writes carry none of it, nor
// does anything in exact.
func TestAnswersThatDoNotLast(t *testing.T) {
	safe := newTestSite(t, func(c *Config) { c.Compat = api.Safe })
	for name, a := range map[string]answer{
		"a user":  safe.do(ask{target: "events/101", as: "edita"}),
		"missing": safe.get("events/99999"),
		"options": safe.do(ask{method: http.MethodOptions, target: "events"}),
		"exact":   newTestSite(t).do(ask{target: "events/101", header: http.Header{"Accept-Encoding": {"gzip"}}}),
	} {
		for _, header := range []string{"ETag", "Last-Modified", "Content-Encoding"} {
			if v := a.header.Get(header); v != "" {
				t.Errorf("%s: %s: %s", name, header, v)
			}
		}
	}
	if control := safe.do(ask{target: "events/101", as: "edita"}).header.Get("Cache-Control"); !strings.Contains(control, "private") {
		t.Errorf("a user's answer: %q", control)
	}
}
