package wprest

import (
	"strings"
	"testing"

	"calbridge/compat/recording"
)

func TestNamespaceMapping(t *testing.T) {
	m := NewRewrite("tribe/events/v1", "calendar/events/v1")
	for path, want := range map[string]string{
		"/wp-json/tribe/events/v1/events?x=1":             "/wp-json/calendar/events/v1/events?x=1",
		"/en/?rest_route=%2Ftribe%2Fevents%2Fv1%2Fevents": "/en/?rest_route=%2Fcalendar%2Fevents%2Fv1%2Fevents",
		"/?rest_route=/tribe%2fevents%2fv1":               "/?rest_route=/calendar%2fevents%2fv1",
		"/wp-json/TRIBE/events/v1/EVENTS":                 "/wp-json/CALENDAR/EVENTS/V1/EVENTS",
		"/wp-json/Tribe/Events/v1":                        "/wp-json/calendar/events/v1",
		"/wp-json/wp/v2/posts":                            "/wp-json/wp/v2/posts",
	} {
		if got := m.path(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	response := m.Response(recording.Response{Status: 200, Body: `{"rest_url":"https:\/\/x\/wp-json\/tribe\/events\/v1\/events"}`,
		Headers: map[string]recording.HeaderValues{"link": {`<https://x/wp-json/tribe/events/v1/events?page=2>; rel="next"`}}})
	if !strings.Contains(response.Body, `\/calendar\/events\/v1\/events`) || !strings.Contains(response.Header("link"), "/calendar/events/v1/events?page=2") {
		t.Errorf("mapped %+v", response)
	}
	body := `{"url":"tribe/events/v1"}`
	request := m.Request(recording.Request{Method: "POST", Path: "/", Body: &body, Headers: map[string]string{"X": "/tribe/events/v1"}})
	if *request.Body != `{"url":"calendar/events/v1"}` || request.Headers["X"] != "/calendar/events/v1" || body == *request.Body {
		t.Errorf("mapped %+v", request)
	}
}
