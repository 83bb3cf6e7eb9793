package rest

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"calbridge/i18n"
	"calbridge/rest/api"
)

func TestPlainGET(t *testing.T) {
	for _, c := range []struct {
		method, target, body, override string
		want                           bool
	}{
		{"GET", "/wp-json/calendar/events/v1/events?page=2", "", "", true},
		{"GET", "/?rest_route=/calendar/events/v1/events", "", "", true},
		{"GET", "/wp-json/x?x_method=DELETE&method=POST", "", "", true},
		{"HEAD", "/wp-json/x", "", "", false},
		{"OPTIONS", "/wp-json/x", "", "", false},
		{"POST", "/wp-json/x", "", "", false},
		{"get", "/wp-json/x", "", "", false},
		{"GET", "/wp-json/x", `{"title":"x"}`, "", false},
		{"GET", "/wp-json/x", "", "DELETE", false},
		{"GET", "/wp-json/x?_method=DELETE", "", "", false},
		{"GET", "/wp-json/x?_method=", "", "", false},
		// what PHP makes the same name of
		{"GET", "/wp-json/x?page=1&%5Fmethod=DELETE", "", "", false},
		{"GET", "/wp-json/x?.method=DELETE", "", "", false},
		{"GET", "/wp-json/x?%20%20_method=DELETE", "", "", false},
		{"GET", "/wp-json/x?_method[]=DELETE", "", "", false},
		{"GET", "/wp-json/x?" + strings.Repeat("a=1&", 1500) + "_method=DELETE", "", "", false},
	} {
		r := httptest.NewRequest(c.method, c.target, strings.NewReader(c.body))
		if c.override != "" {
			r.Header.Set("X-HTTP-Method-Override", c.override)
		}
		if got := api.PlainGET(r); got != c.want {
			t.Errorf("%s %.60s: %v, want %v", c.method, c.target, got, c.want)
		}
	}
}

// TestDecline asks for events with what only other plugins can render.
func TestDecline(t *testing.T) {
	var asked []string
	declined := false
	s := newTestSite(t, func(c *Config) {
		c.Decline = func(_ *http.Request, names []string) bool { asked = names; return declined }
	})
	page := s.get("events?per_page=1")
	id := page.json("events.0.id")
	s.exec("UPDATE wp_posts SET post_content = ? WHERE ID = ?", `Tickets [1]: [shop_cart event="7"]`, id)
	for _, c := range []struct {
		ask  ask
		asks bool
	}{
		{ask{target: "events/" + id}, true},
		{ask{target: "events?per_page=1"}, true},
		{ask{target: "events/" + id + "?_envelope=1"}, true},
		{ask{target: "venues"}, false},
		{ask{target: ""}, false},
		{ask{target: "events/" + id + "?_method=GET"}, false},
		{ask{target: "events/" + id, method: "HEAD"}, false},
		{ask{target: "events/" + id, method: "OPTIONS"}, false},
		{ask{target: "events/" + id, method: "POST", as: "adela", contentType: "application/json", body: `{"cost":"5"}`}, false},
	} {
		for _, declined = range []bool{false, true} {
			asked, s.seen = nil, nil
			got := s.do(c.ask)
			if (asked != nil) != c.asks || c.asks && !slices.Equal(asked, []string{"[shop_cart]"}) {
				t.Errorf("%s %s: asked about %q", c.ask.method, c.ask.target, asked)
			}
			written := got.body != "" || len(got.header) > 0
			if silent := c.asks && declined; silent == written || silent != (s.seen == nil) {
				t.Errorf("%s %s, declined %v: %d %v %.100s, observed %+v", c.ask.method, c.ask.target, declined, got.status, got.header, got.body, s.seen)
			}
		}
	}
}

// TestRefuse: a response of its own in the wording of the other errors.
func TestRefuse(t *testing.T) {
	s := emptyTestSite(t)
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		w := httptest.NewRecorder()
		s.srv.Refuse(w, httptest.NewRequest(method, "/", nil), "calbridge_loop")
		want := `{"code":"calbridge_loop","message":"` + i18n.Catalogues()["en"].Errors["calbridge_loop"] + `","data":{"status":508}}`
		if method == http.MethodHead {
			want = ""
		}
		if w.Code != http.StatusLoopDetected || w.Body.String() != want || w.Header().Get("Content-Type") != "application/json; charset=UTF-8" {
			t.Errorf("%s: %d %v %s", method, w.Code, w.Header(), w.Body)
		}
	}
}

// TestKeptUnfaithful: a response from memory is as unfaithful as it was when it was
// made.
func TestKeptUnfaithful(t *testing.T) {
	declined := false
	s, _ := cachingSite(t, func(c *Config) {
		c.Decline = func(_ *http.Request, names []string) bool { return declined }
	})
	s.exec("UPDATE wp_posts SET post_content = '[shop_cart]' WHERE ID = 101")
	for _, want := range []api.CacheResult{api.CacheMiss, api.CacheHit} {
		if got := s.get("events/101"); got.status != http.StatusOK || !slices.Equal(s.seen.NotRendered, []string{"[shop_cart]"}) {
			t.Errorf("%s: %s, %q", want, got.outcome(), s.seen.NotRendered)
		}
		s.wantCache("events/101", want)
	}
	declined = true
	if got := s.get("events/101"); got.body != "" {
		t.Errorf("declined, and answered %.100s", got.body)
	}
}
