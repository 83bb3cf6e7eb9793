package rest

import (
	"net/http"
	"testing"

	"calbridge/rest/api"
)

// TestOverridesAreNotStored: a cache in front must not give the answer to one method to
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
	for website, want := range map[string]string{"javascript://a.example/%0aalert(1)": "400 rest_invalid_param", "https://a.example/": "200", "mailto://a.example": "200"} {
		if got := s.send("edita", "PUT", "venues/201", `{"website":"`+website+`"}`).outcome(); got != want {
			t.Errorf("%s: %s", website, got)
		}
	}
}
