package logging

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"calbridge/rest/api"
)

// TestMark checks that each request has a unique id, and the trace id of a valid traceparent
// header (W3C Trace Context, section 3.2).
func TestMark(t *testing.T) {
	const trace, parent = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	ids := map[string]bool{}
	for header, want := range map[string]string{
		"":                                       "",
		"00-" + trace + "-" + parent + "-01":     trace,
		"cc-" + trace + "-" + parent + "-01-x":   trace, // a later version may add fields
		"00-" + trace + "-" + parent:             "",
		"00-" + trace[1:] + "-" + parent + "-01": "",
		"00-" + strings.ToUpper(trace) + "-" + parent + "-01":      "",
		"00-" + strings.Repeat("0", 32) + "-" + parent + "-01":     "",
		"00-" + trace + "-" + parent + "-1":                        "",
		"00-" + trace + "-" + strings.Repeat("z", 16) + "-01":      "",
		"0-" + trace + "-" + parent + "-01":                        "",
		"00-" + trace + "\n" + parent + "-01-00-00-00-00-00-00-00": "",
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Traceparent", header)
		Mark(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			id := RequestID(r.Context())
			if len(id) != 16 || ids[id] {
				t.Errorf("id %q", id)
			}
			ids[id] = true
			var out bytes.Buffer
			logger, flush := New(&out, Config{Format: "json"})
			Access(logger, &api.Observation{Context: r.Context()})
			flush()
			var line struct{ ID, Trace string }
			if err := json.Unmarshal(out.Bytes(), &line); err != nil || line.ID != id || line.Trace != want {
				t.Errorf("%q: %s, want trace %q", header, &out, want)
			}
		})).ServeHTTP(nil, r)
	}
	if id := RequestID(context.Background()); id != "" {
		t.Errorf("without a request: %q", id)
	}
}

// TestAccess checks that the line has everything known about a request, and never its query.
func TestAccess(t *testing.T) {
	plain := api.Observation{Method: "GET", Path: "/events", Route: "/events", Status: 200, Bytes: 5, Took: 1500 * time.Microsecond, Queries: 2, Cache: api.CacheOff, Auth: "none"}
	full := plain
	full.Cache, full.Language, full.UserID, full.Auth, full.Code, full.Err = api.CacheMiss, "cs", 7, "basic", "rest_x", errors.New("broken")
	failed := plain
	failed.Status = 500
	missing := plain
	missing.Status = 501
	for name, c := range map[string]struct {
		level string
		o     api.Observation
		want  string
	}{
		"plain":             {"info", plain, "level=INFO msg=request method=GET path=/events route=/events status=200 bytes=5 ms=1.5 queries=2"},
		"full":              {"info", full, "level=INFO msg=request method=GET path=/events route=/events status=200 bytes=5 ms=1.5 queries=2 cache=miss language=cs user=7 auth=basic code=rest_x err=broken"},
		"failed":            {"info", failed, "level=ERROR msg=request method=GET path=/events route=/events status=500 bytes=5 ms=1.5 queries=2"},
		"a setting missing": {"info", missing, "level=WARN msg=request method=GET path=/events route=/events status=501 bytes=5 ms=1.5 queries=2"},
		"not logged":        {"warn", plain, ""},
		"failed, at a time": {"warn", failed, "level=ERROR msg=request method=GET path=/events route=/events status=500 bytes=5 ms=1.5 queries=2"},
		"unknown level":     {"loud", plain, "level=INFO msg=request method=GET path=/events route=/events status=200 bytes=5 ms=1.5 queries=2"},
	} {
		var out bytes.Buffer
		logger, flush := New(&out, Config{Format: "text", Level: c.level})
		c.o.Context = t.Context()
		Access(logger, &c.o)
		flush()
		_, line, _ := strings.Cut(strings.TrimSpace(out.String()), " ") // cut off the time
		if line != c.want {
			t.Errorf("%s: %q, want %q", name, line, c.want)
		}
	}
}

func TestPath(t *testing.T) {
	for path, want := range map[string]string{
		"/events/1":              "/events/1",
		"/\xff\xfe":              "/\uFFFD",
		strings.Repeat("x", 512): strings.Repeat("x", 512),
		strings.Repeat("x", 513): strings.Repeat("x", 512) + "…",
		strings.Repeat("é", 300): strings.Repeat("é", 256) + "…",
	} {
		if got := Path(path); got != want {
			t.Errorf("%.20q: %q", path, got)
		}
	}
}
