package recording

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestExchange(t *testing.T) {
	body := "b"
	r := Request{Method: "GET", Path: "/", Headers: map[string]string{"Accept": "", "X-A": "1"}, Body: &body}
	if value, sent := r.Header("accept"); value != "" || !sent {
		t.Error("an empty header is sent too")
	}
	if _, sent := r.Header("origin"); sent {
		t.Error("a header that was not sent")
	}
	if a, b := RequestID("x", r), RequestID("y", r); a == b || len(a) != 10 || a != RequestID("x", r) {
		t.Errorf("ids %s and %s", a, b)
	}
	headers := HeadersOf(http.Header{"Content-Type": {"a"}, "Set-Cookie": {"b", "c"}})
	answer := Response{Status: 201, Headers: headers, Body: "x"}
	if answer.Header("set-cookie") != "b, c" || answer.Header("none") != "" {
		t.Errorf("headers %v", headers)
	}
	upper := answer.Map(strings.ToUpper)
	want := Response{Status: 201, Headers: map[string]HeaderValues{"content-type": {"A"}, "set-cookie": {"B", "C"}}, Body: "X"}
	if diff := cmp.Diff(want, upper); diff != "" || answer.Body != "x" || headers["content-type"][0] != "a" {
		t.Error(diff)
	}
	if !ConnectionHeader("date") || ConnectionHeader("vary") {
		t.Error("Date belongs to the connection, Vary to the API")
	}
	if got := Milliseconds(1234567 * time.Nanosecond); got != 1.235 {
		t.Errorf("%v ms", got)
	}
}

func TestBodies(t *testing.T) {
	for body, encoding := range map[string]string{"<b>&": "", "\xff\x00": base64Encoding} {
		data, err := json.Marshal(Response{Status: 200, Body: body})
		if err != nil {
			t.Fatal(err)
		}
		var back Response
		if err := json.Unmarshal(data, &back); err != nil || back.Body != body || strings.Contains(string(data), base64Encoding) != (encoding != "") {
			t.Errorf("%s: %q, %v", data, back.Body, err)
		}
	}
	for _, bad := range []string{`{"body":"x","encoding":"rot13"}`, `{"body":"%","encoding":"base64"}`, `{"body":5}`, `{"headers":{"a":{}}}`} {
		if err := json.Unmarshal([]byte(bad), new(Response)); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
	if _, err := MarshalPlain(func() {}); err == nil {
		t.Error("a function has no JSON")
	}
}
