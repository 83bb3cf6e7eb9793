package wprest

import (
	"testing"

	"calbridge/compat/compattest"
	"calbridge/compat/recording"
)

func TestReadRequest(t *testing.T) {
	text := func(s string) *string { return &s }
	for _, c := range []struct {
		name          string
		r             recording.Request
		method, route string
		id            string
		reached       bool
	}{
		{"path", recording.Request{Method: "get", Path: "/en/wp-json/ns/v1/events/5/?x=1"}, "GET", "/ns/v1/events/5", "5", true},
		{"argument before the path", recording.Request{Method: "GET", Path: "/wp-json/a?rest_route=/b"}, "GET", "/b", "0", true},
		{"elsewhere", recording.Request{Method: "GET", Path: "/about"}, "GET", "/", "0", false},
		{"override by argument", recording.Request{Method: "POST", Path: "/wp-json/x?_method=delete", Headers: map[string]string{"x-http-method-override": "PUT"}}, "DELETE", "/x", "0", true},
		{"override by header", recording.Request{Method: "POST", Path: "/wp-json/x", Headers: map[string]string{"X-HTTP-Method-Override": "put"}}, "PUT", "/x", "0", true},
		{"id in the query before the path", recording.Request{Method: "GET", Path: "/wp-json/events/5?id=7"}, "GET", "/events/5", "7", true},
		{"id in JSON before the query", recording.Request{Method: "POST", Path: "/wp-json/events/5?id=7", Headers: map[string]string{"content-type": "application/json"}, Body: text(`{"id":9,"n":null,"s":"x"}`)}, "POST", "/events/5", "9", true},
		{"an empty id in JSON is 0", recording.Request{Method: "POST", Path: "/wp-json/events/5", Headers: map[string]string{"content-type": "application/json"}, Body: text(`{"id":""}`)}, "POST", "/events/5", "0", true},
		{"broken JSON", recording.Request{Method: "POST", Path: "/wp-json/events/5", Headers: map[string]string{"content-type": "application/json"}, Body: text(`{"id":`)}, "POST", "/events/5", "5", true},
		{"id in a form", recording.Request{Method: "POST", Path: "/wp-json/events/5", Body: text("id=8&id=9")}, "POST", "/events/5", "9", true},
		{"a GET has no form", recording.Request{Method: "GET", Path: "/wp-json/events/5", Body: text("id=8")}, "GET", "/events/5", "5", true},
		{"a slug of digits is not an id", recording.Request{Method: "GET", Path: "/wp-json/events/by-slug/2026"}, "GET", "/events/by-slug/2026", "0", true},
	} {
		request, reached := ReadRequest(c.r)
		if request.Method != c.method || request.Route != c.route || request.ID() != c.id || reached != c.reached {
			t.Errorf("%s: %+v, id %s, reached %v", c.name, request, request.ID(), reached)
		}
	}
}

// TestIntegerText checks that numeric texts become integers as in PHP, and other texts 0.
func TestIntegerText(t *testing.T) {
	for text, want := range map[string]string{
		"12": "12", " 12 ": "12", "+5": "5", "007": "7", "-3": "-3", "1.9": "1", "1e3": "1000", "abc": "0", "": "0", "12abc": "0", "-": "0",
		"9223372036854775808": "9223372036854775807", "-1e99": "-9223372036854775808", "1e999": "9223372036854775807",
	} {
		if got := integerText(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestReadAnswer(t *testing.T) {
	namespace := NewNamespace("/tribe/events/v1/")
	for _, c := range []struct{ path, body, want string }{
		{"/wp-json/tribe/events/v1/events", `{"a":1}`, `{"a":1}`},
		{"/wp-json/tribe/events/v1/events?_jsonp=f", `/**/f({"a":1})`, `{"a":1}`},
		{"/wp-json/tribe/events/v1/events?_envelope=1", `{"body":{"a":1},"status":200,"headers":{}}`, `{"a":1}`},
		{"/wp-json/", `{"routes":{}}`, `{"routes":{}}`},
		{"/wp-json/nowhere", `{"code":"x"}`, `{"code":"x"}`},
		{"/wp-json/wp/v2/posts", `{"a":1}`, ""},
		{"/wp-json/tribe/events/v1/events?_locale=user", `{"a":1}`, ""},
		{"/wp-json/tribe/events/v1/events", `<html>`, ""},
		{"/about", `{"a":1}`, ""},
	} {
		_, root, ok := ReadAnswer(compattest.Exchange("a", "GET", c.path, c.body), namespace)
		if ok != (c.want != "") || ok && root.Raw() != c.want {
			t.Errorf("%s: %v", c.path, ok)
		}
	}
	if got := namespace.Below("/TRIBE/Events/v1/venues"); got != "/venues" {
		t.Errorf("below the namespace: %s", got)
	}
	if got := namespace.Below("/wp/v2"); got != "/wp/v2" {
		t.Errorf("outside the namespace: %s", got)
	}
}

func TestRewriteOfNothing(t *testing.T) {
	for _, w := range []Rewrite{NewRewrite("", "a/v1"), NewRewrite("a/v1", ""), NewRewrite("a/v1", "a/v1")} {
		request := w.Request(recording.Request{Method: "GET", Path: "/wp-json/a/v1"})
		if answer := w.Response(recording.Response{Body: "a/v1"}); request.Path != "/wp-json/a/v1" || answer.Body != "a/v1" {
			t.Errorf("%s, %s", request.Path, answer.Body)
		}
	}
}
