package respcache

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestPrepare: the requests of a browser and of a shared cache (RFC 9110, section 13;
// RFC 9111, section 4).
func TestPrepare(t *testing.T) {
	short := &Answer{Status: 200, Body: []byte("{}")}
	long := &Answer{Status: 200, Body: []byte(strings.Repeat("{}", MinCompressed))}
	tag := func(a *Answer, suffix string) string { return `"` + a.ETag() + suffix + `"` }
	for name, c := range map[string]struct {
		answer               *Answer
		accept, ifNoneMatch  string
		cookieMatters, head  bool
		status               int
		empty                bool
		etag, encoding, vary string
	}{
		"short":                {answer: short, accept: "gzip", status: 200, etag: tag(short, "")},
		"long":                 {answer: long, status: 200, etag: tag(long, "")},
		"gzip":                 {answer: long, accept: "gzip", status: 200, etag: tag(long, "-gzip"), encoding: "gzip"},
		"zstd":                 {answer: long, accept: "gzip, zstd", status: 200, etag: tag(long, "-zstd"), encoding: "zstd"},
		"HEAD":                 {answer: long, accept: "gzip", head: true, status: 200, empty: true, etag: tag(long, "-gzip"), encoding: "gzip"},
		"known copy":           {answer: short, ifNoneMatch: tag(short, ""), status: 304, empty: true, etag: tag(short, "")},
		"weak":                 {answer: short, ifNoneMatch: `"x", W/` + tag(short, ""), status: 304, empty: true, etag: tag(short, "")},
		"any copy":             {answer: short, ifNoneMatch: "*", status: 304, empty: true, etag: tag(short, "")},
		"old copy":             {answer: short, ifNoneMatch: `"x"`, status: 200, etag: tag(short, "")},
		"copy in another form": {answer: long, accept: "zstd", ifNoneMatch: tag(long, "-gzip"), status: 200, etag: tag(long, "-zstd"), encoding: "zstd"},
		"cookie":               {answer: short, cookieMatters: true, status: 200, etag: tag(short, ""), vary: ", Cookie"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Accept-Encoding", c.accept)
		if c.ifNoneMatch != "" {
			r.Header.Set("If-None-Match", c.ifNoneMatch)
		}
		h := http.Header{"Content-Type": {"application/json"}}
		status, body := NewSender("").Prepare(h, r, c.answer, c.cookieMatters, c.head)
		if status != c.status || (len(body) == 0) != c.empty {
			t.Errorf("%s: status %d, %d bytes", name, status, len(body))
		}
		for field, want := range map[string]string{
			"Etag": c.etag, "Content-Encoding": c.encoding, "Cache-Control": "no-cache",
			"Vary": "Origin, Accept-Encoding, Authorization, X-WP-Nonce" + c.vary,
		} {
			if got := h.Get(field); got != want {
				t.Errorf("%s: %s: %q, want %q", name, field, got, want)
			}
		}
		if got := h.Get("Content-Type"); (got == "") != (c.status == 304) {
			t.Errorf("%s: Content-Type %q", name, got)
		}
	}
	h := http.Header{}
	NewSender("max-age=60").Prepare(h, httptest.NewRequest("GET", "/", nil), short, false, false)
	if got := h.Get("Cache-Control"); got != "max-age=60" {
		t.Errorf("Cache-Control: %s", got)
	}
}
