package api

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"calbridge/rest/phpform"
	"calbridge/rest/phpjson"
)

func TestJSONType(t *testing.T) {
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
		if got := jsonType.MatchString(contentType); got != want {
			t.Errorf("jsonType matches %q: %v", contentType, got)
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
	req, err := read(r, query, lim)
	if err != nil {
		t.Fatal(err)
	}
	return req
}

func read(r *http.Request, query string, lim Limits) (*Request, error) {
	req, err := Parse(r, phpform.Parse(query, lim.Form))
	if err != nil {
		return nil, err
	}
	body := NewBodies(lim).Of(r)
	defer body.Release()
	if err := body.Form(context.Background(), req); err != nil {
		return nil, err
	}
	return req, body.JSON(context.Background(), req, true)
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

func TestPlainGET(t *testing.T) {
	for _, c := range []struct {
		method, target, header string
		body                   int64
		want                   bool
	}{
		{"GET", "/events?a=1", "", 0, true}, {"GET", "http://village.example?_method", "", 0, false}, {"GET", "/events?_method=GET", "", 0, false},
		{"GET", "/events?%5Fmethod=POST", "", 0, false}, {"GET", "/events?_m%65thod=POST", "", 0, false}, {"GET", "/events?.method[]=POST", "", 0, false},
		{"GET", "/events?search=method", "", 0, true}, {"GET", "/events?search=100%25", "", 0, true},
		{"HEAD", "/events", "", 0, false}, {"GET", "/events", "POST", 0, false}, {"GET", "/events", "", 3, false}, {"GET", "/events", "", -1, false},
	} {
		r := &http.Request{Method: c.method, RequestURI: c.target, ContentLength: c.body, Header: http.Header{}}
		if c.header != "" {
			r.Header.Set("X-HTTP-Method-Override", c.header)
		}
		if got := PlainGET(r); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestSplitTarget(t *testing.T) {
	for target, want := range map[string][2]string{
		"/a/b?c=d?e": {"/a/b", "c=d?e"}, "/a": {"/a", ""}, "http://village.example/a?b": {"/a", "b"}, "http://village.example?b": {"", "b"},
		"http://village.example": {"/", ""}, "/a?u=http://x/y": {"/a", "u=http://x/y"}, "*": {"*", ""},
	} {
		path, query := SplitTarget(target)
		if got := [2]string{path, query}; got != want {
			t.Errorf("%s: %q", target, got)
		}
	}
}

func TestBodyErrors(t *testing.T) {
	for _, c := range []struct{ contentType, body, want string }{
		{"application/json", "12345678901", "calbridge_too_large"}, {"application/json", "", ""}, {"application/x-www-form-urlencoded", "12345678901", "calbridge_too_large"},
		{"text/plain", "12345678901", ""}, // it is not read
	} {
		r := &http.Request{Method: "POST", Body: io.NopCloser(strings.NewReader(c.body)), Header: http.Header{"Content-Type": {c.contentType}}}
		if _, err := read(r, "", Limits{Body: 10}); (err == nil) != (c.want == "") || err != nil && PublicError(err).Code != c.want {
			t.Errorf("%s %q: %v", c.contentType, c.body, err)
		}
		r.ContentLength = 11
		if _, err := read(r, "", Limits{Body: 10}); err == nil || PublicError(err).Code != "calbridge_too_large" {
			t.Errorf("%s, announced: %v", c.contentType, err)
		}
	}
	broken := io.NopCloser(io.MultiReader(strings.NewReader("x"), iotest.ErrReader(io.ErrUnexpectedEOF)))
	if _, err := read(&http.Request{Method: "PUT", Body: broken, Header: http.Header{}}, "", Limits{Body: 10}); err == nil || PublicError(err).Code != "calbridge_bad_body" {
		t.Errorf("a broken body: %v", err)
	}
	if req := parsed(t, "POST", "", "application/json", "{"); req.JSONErr == nil || req.JSON != nil {
		t.Error("a broken JSON body has no error")
	}
	if _, err := read(&http.Request{Method: "GET", Header: http.Header{}}, "_method[]=PUT", Limits{}); err == nil || PublicError(err).Code != "internal_server_error" {
		t.Errorf("a list as the method: %v", err)
	}
}
