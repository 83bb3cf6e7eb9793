package rest

import (
	"io"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestMethodOverrideOfRoutes(t *testing.T) {
	s := newTestSite(t)
	for target, want := range map[string]string{
		"events/101?_method=":              "404 rest_no_route",
		"events/101?_method=BREW":          "404 rest_no_route",
		"events/101?_method[]=GET":         "500 internal_server_error",
		"events/101?_method=DELETE":        "401 rest_forbidden",
		"events?_method=POST":              "400 rest_missing_callback_param",
		"events/101?_method=OPTIONS":       "200",
		"events?_method=PUT":               "404 rest_no_route",
		"categories/31?_method=put":        "401 rest_forbidden",
		"events/by-slug/dance?_method=PUT": "401 rest_forbidden",
	} {
		if got := s.get(target).outcome(); got != want {
			t.Errorf("%s: %s, want %s", target, got, want)
		}
	}
	for method, body := range map[string]bool{"HEAD": false, "GET": true} {
		if a := s.get("events?_method=" + method); a.status != 200 || (a.body != "") != body {
			t.Errorf("_method=%s: %d, %d bytes", method, a.status, len(a.body))
		}
	}
}

func TestBodyLimits(t *testing.T) {
	s := newTestSite(t, func(c *Config) { c.MaxBody = 100; c.MaxVars = 3; c.MaxDepth = 2 })
	big := strings.Repeat("x", 101)
	if got := s.do(ask{method: "POST", target: "events", body: big, contentType: "application/json"}).outcome(); got != "413 calbridge_too_large" {
		t.Error("a large body:", got)
	}
	if got := s.do(ask{method: "POST", target: "events", body: `{"title":"x"}`, contentType: "application/json"}).outcome(); got != "400 rest_missing_callback_param" {
		t.Error("a small body:", got)
	}
	// The fourth variable is dropped, as PHP does; so page 2 is not asked for.
	if got := s.get("events?a=1&b=2&c=3&page=2").outcome(); got != "200" {
		t.Error("surplus variables:", got)
	}
	broken := s.request(ask{method: "POST", target: "events", contentType: "application/json"})
	broken.Body = io.NopCloser(io.MultiReader(strings.NewReader("a"), brokenReader{}))
	w := httptest.NewRecorder()
	if s.srv.ServeHTTP(w, broken); !strings.Contains(w.Body.String(), "calbridge_bad_body") {
		t.Error("a body that breaks off:", w.Body)
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// TestWhoseIDCounts: a parameter beats the path.
func TestWhoseIDCounts(t *testing.T) {
	s := newTestSite(t)
	for _, c := range []struct {
		a    ask
		want string
	}{
		{ask{target: "events/999?id=102"}, "102"},
		{ask{target: "events/101?id=102", body: `{"id":103}`, contentType: "application/json"}, "103"},
		{ask{target: "events/by-slug/dance?slug=reading"}, "102"},
		{ask{target: "categories/31?id=33"}, "33"},
		{ask{target: "venues/201?id=202"}, "202"},
	} {
		if got := s.do(c.a).json("id"); got != c.want {
			t.Errorf("%s %s: id %s, want %s", c.a.target, c.a.body, got, c.want)
		}
	}
	if got := s.get("events/101?id=").outcome(); got != "400 rest_invalid_param" {
		t.Error("an empty id beats the path:", got)
	}
	// A null does not beat it, but its type is checked.
	if got := s.do(ask{target: "events/101", body: `{"id":null}`, contentType: "application/json"}).json("data.details.id.code"); got != "rest_invalid_type" {
		t.Error("a null id:", got)
	}
}

func TestJSONErrors(t *testing.T) {
	s := newTestSite(t)
	for body, want := range map[string]string{
		`{bad`: "4", `{"a":1,}`: "4", `{]`: "2", "\"x": "3", "{\"a\":\"\x01\"}": "3", "\"\xff\"": "5", `"\ud800"`: "10",
		strings.Repeat("[", 600) + strings.Repeat("]", 600): "1",
	} {
		a := s.do(ask{method: "POST", target: "events", body: body, contentType: "application/json"})
		if a.outcome() != "400 rest_invalid_json" || a.json("data.json_error_code") != want {
			t.Errorf("%.20q: %s, JSON error %s, want %s", body, a.outcome(), a.json("data.json_error_code"), want)
		}
		if a.header.Get("Allow") != "GET" {
			t.Errorf("%.20q: the route has matched, so Allow is sent: %q", body, a.header.Get("Allow"))
		}
	}
	for method, want := range map[string]string{"GET": "400 rest_invalid_json", "OPTIONS": "200", "PUT": "404 rest_no_route"} {
		if got := s.do(ask{method: method, target: "events", body: "{", contentType: "application/json"}).outcome(); got != want {
			t.Errorf("%s with a broken body: %s, want %s", method, got, want)
		}
	}
}
