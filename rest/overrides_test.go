package rest

import (
	"fmt"
	"net/http"
	"testing"

	"calbridge/rest/api"
)

// TestOverridesAreNotStored: a cache in front must not give the response to one method to
// those who ask with another.
func TestOverridesAreNotStored(t *testing.T) {
	s := newTestSite(t, func(c *Config) { c.Compat = api.Safe })
	for _, method := range []string{"HEAD", "OPTIONS", "GET", "POST", "BREW"} {
		for _, a := range []ask{
			{target: "tags", header: http.Header{"X-Http-Method-Override": {method}}}, {target: "tags?_method=" + method},
		} {
			if got := s.do(a); got.header.Get("Cache-Control") == "" || got.header.Get("Etag") != "" {
				t.Errorf("%+v: %v", a, got.header)
			}
		}
	}
	if got := s.get("events/101?_method[]=x").outcome(); got != "400 rest_invalid_param" {
		t.Errorf("a list as the method: %s", got)
	}
}

// TestWebsites: no website is stored whose scheme a browser would run as a script, in a
// post itself or in data from which an event makes a linked one.
func TestWebsites(t *testing.T) {
	s := newTestSite(t, func(c *Config) { c.Compat = api.Safe })
	for website, ok := range map[string]bool{
		"javascript://a.example/%0aalert(1)": false, "JavaScript://a.example/%0aalert(1)": false, "data://a.example/x": false, "vbscript://a.example": false,
		"https://a.example/": true, "mailto://a.example": true,
	} {
		for target, body := range map[string]string{
			"events/101": `{"website":"%s"}`, "venues/201": `{"website":"%s"}`, "organizers/301": `{"website":"%s"}`,
			"events/102": `{"venue":{"venue":"A hall","website":"%s"}}`, "events/103": `{"organizer":[{"organizer":"A club","website":"%s"}]}`,
		} {
			want := "400 rest_invalid_param"
			if ok {
				want = "200"
			}
			got := s.send("edita", "PUT", target, fmt.Sprintf(body, website))
			if got.outcome() != want {
				t.Errorf("%s, %s: %s", target, website, got.outcome())
			}
		}
	}
}
