package rest

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"calbridge/rest/phpform"
	"calbridge/rest/phpjson"
)

func TestIsJSON(t *testing.T) {
	for contentType, want := range map[string]bool{
		"application/json":                 true,
		"application/json; charset=utf-8":  true,
		"APPLICATION/Json":                 true,
		"application/vnd.api+json":         true,
		"application/problem+json;x=y":     true,
		"application/json+oembed":          true,
		"application/json,text/plain":      true,
		"text/plain, application/json":     true,
		" application/json":                true,
		"text/plain,application/ld+json":   true,
		"application/x application/json":   true,
		"":                                 false,
		"json":                             false,
		"text/json":                        false,
		"application/x-json":               false,
		"application/jsonx":                false,
		"application/jsonp":                false,
		"xapplication/json":                false,
		"application/+json":                false,
		"application/":                     false,
		"application/application/json":     false,
		"multipart/form-data; boundary=ab": false,
		"application/a/b+json":             false,
	} {
		if got := isJSON(contentType); got != want {
			t.Errorf("isJSON(%q) = %v", contentType, got)
		}
	}
}

// parsed reads a request as the server would.
func parsed(t *testing.T, method, query, contentType, body string, header ...string) *Request {
	t.Helper()
	r := &http.Request{Method: method, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	lim := Limits{Body: 1 << 20, Form: phpform.Limits{MaxVars: 100, MaxDepth: 8}}
	req, err := Parse(r, phpform.Parse(query, lim.Form), lim)
	if err != nil {
		t.Fatal(err)
	}
	return req
}

func TestSourcesAndTheirOrder(t *testing.T) {
	const form, json = "application/x-www-form-urlencoded", "application/json"
	for _, c := range []struct {
		name, method, query, contentType, body string
		want                                   string // the value of a
	}{
		{"query", "GET", "a=q", "", "", `"q"`},
		{"nothing", "GET", "", "", "", `null`},
		{"JSON before query", "POST", "a=q", json, `{"a":1}`, `1`},
		{"JSON counts for GET too", "GET", "a=q", json, `{"a":"j"}`, `"j"`},
		{"a JSON null hides nothing", "POST", "a=q", json, `{"a":null}`, `"q"`},
		{"form before query", "POST", "a=q", form, "a=f", `"f"`},
		{"an empty text is a value", "POST", "a=q", form, "a=", `""`},
		{"form of a GET is not read", "GET", "a=q", form, "a=f", `"q"`},
		{"form of PUT", "PUT", "a=q", form, "a=f", `"f"`},
		{"form of DELETE", "DELETE", "", form, "a=f", `"f"`},
		{"form with charset", "POST", "", form + "; charset=utf-8", "a=f", `"f"`},
		{"untyped body of PUT", "PUT", "", "", "a=f", `"f"`},
		{"untyped body of POST", "POST", "a=q", "", "a=f", `"q"`},
		{"other types are ignored", "PUT", "a=q", "text/plain", "a=f", `"q"`},
		{"multipart of POST", "POST", "", "multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nm\r\n--x--\r\n", `"m"`},
		{"multipart of PUT is not read", "PUT", "a=q", "multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nm\r\n--x--\r\n", `"q"`},
		{"multipart without a boundary", "POST", "a=q", "multipart/form-data", "--x\r\n", `"q"`},
		{"a body of 0 is no body", "POST", "a=q", json, "0", `"q"`},
		{"JSON text with form type", "POST", "a=q", form, `{"a":1}`, `"q"`},
		{"arrays", "GET", "a[]=1&a[]=2&a[x]=3", "", "", `{"0":"1","1":"2","x":"3"}`},
		{"later values win", "GET", "a=1&a=2", "", "", `"2"`},
		{"semicolons are data", "GET", "a=1;b=2", "", "", `"1;b=2"`},
		{"real POST overridden to GET has no form", "POST", "_method=GET&a=q", form, "a=f", `"q"`},
		{"real POST overridden to DELETE keeps it", "POST", "_method=DELETE&a=q", form, "a=f", `"f"`},
		{"real GET overridden to POST has none", "GET", "_method=POST&a=q", form, "a=f", `"q"`},
	} {
		req := parsed(t, c.method, c.query, c.contentType, c.body)
		if got := string(phpjson.Append(nil, req.Get("a"))); got != c.want {
			t.Errorf("%s: a = %s, want %s", c.name, got, c.want)
		}
	}
}

func TestJSONNullIsThere(t *testing.T) {
	req := parsed(t, "POST", "", "application/json", `{"a":null}`)
	if !req.Has("a") || req.Get("a") != nil || req.Has("b") {
		t.Error("a JSON null must count as present, and have no value")
	}
}

func TestJSONScalarsAreNumbered(t *testing.T) {
	for body, want := range map[string]string{`5`: "5", `"x"`: "x", `[1,2]`: "1", `null`: ""} {
		if got := parsed(t, "POST", "", "application/json", body).Text("0"); got != want {
			t.Errorf("body %s: parameter 0 is %q", body, got)
		}
	}
}

func TestMethodOverride(t *testing.T) {
	const header = "X-HTTP-Method-Override"
	for _, c := range []struct {
		method, query string
		header        []string
		want          string
		byHeader      bool
	}{
		{"GET", "", nil, "GET", false},
		{"get", "", nil, "GET", false},
		{"POST", "_method=delete", nil, "DELETE", false},
		{"POST", "", []string{header, "put"}, "PUT", true},
		{"POST", "_method=PATCH", []string{header, "PUT"}, "PATCH", false},
		{"GET", "_method=", []string{header, "PUT"}, "", false},
		{"GET", "", []string{header, ""}, "GET", false},
		{"GET", "_method=HEAD", nil, "HEAD", false},
		{"BREW", "", nil, "BREW", false},
	} {
		req := parsed(t, c.method, c.query, "", "", c.header...)
		if req.Method != c.want || req.HeaderOverride != c.byHeader {
			t.Errorf("%s ?%s %v: %q, by header %v", c.method, c.query, c.header, req.Method, req.HeaderOverride)
		}
	}
}

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
	broken := &http.Request{Method: "POST", Header: http.Header{}, Body: io.NopCloser(io.MultiReader(strings.NewReader("a"), brokenReader{}))}
	if _, err := Parse(broken, nil, Limits{Body: 10}); err == nil || publicError(err).Code != "calbridge_bad_body" {
		t.Error("a body that breaks off:", err)
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
