package rest

import (
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

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

// TestNotRendered checks which responses name what only other plugins can render, and that nothing
// is sent or observed until the caller sends them.
func TestNotRendered(t *testing.T) {
	s := newTestSite(t)
	page := s.get("events?per_page=1")
	id := page.json("events.0.id")
	s.exec("UPDATE wp_posts SET post_content = ? WHERE ID = ?", `Tickets [1]: [shop_cart event="7"]`, id)
	for _, c := range []struct {
		ask   ask
		named bool
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
		t.Run(c.ask.method+" "+c.ask.target, func(t *testing.T) {
			s.seen = nil
			w := httptest.NewRecorder()
			a := s.srv.Answer(w, s.request(c.ask))
			defer a.Close()
			names := a.NotRendered()
			if (names != nil) != c.named || c.named && !slices.Equal(names, []string{"[shop_cart]"}) || a.Elsewhere() {
				t.Errorf("not rendered: %q", names)
			}
			if w.Body.Len() > 0 || len(w.Header()) > 0 || s.seen != nil {
				t.Errorf("sent before Send: %v %.100s, observed %+v", w.Header(), w.Body, s.seen)
			}
			a.Send(w)
			if len(w.Header()) == 0 || s.seen == nil {
				t.Errorf("not sent: %v, observed %+v", w.Header(), s.seen)
			}
		})
	}
}

// TestProvisionalIDs checks that requests for one occurrence of a recurring event are for WordPress.
// Sent nevertheless, they are a 503.
func TestProvisionalIDs(t *testing.T) {
	for _, c := range []struct {
		name, option, target string
		elsewhere            bool
	}{
		{"no option", "", "events/10000005", false},
		{"below", "10000000", "events/101", false},
		{"first", "10000000", "events/10000000", true},
		{"later", "10000000", "events/10000005", true},
		{"in the query", "10000000", "events/101?id=10000005", true},
		{"a list", "10000000", "events", false},
		{"an empty option", "0", "events/10000005", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newTestSite(t)
			if c.option != "" {
				s.insert("options", row{"option_name": "tec_custom_tables_v1_provisional_post_base_provisional_id", "option_value": c.option})
			}
			w := httptest.NewRecorder()
			a := s.srv.Answer(w, s.request(ask{target: c.target}))
			defer a.Close()
			if a.Elsewhere() != c.elsewhere {
				t.Errorf("elsewhere: %t", a.Elsewhere())
			}
			if a.Send(w); c.elsewhere != (w.Code == http.StatusServiceUnavailable && strings.Contains(w.Body.String(), "calbridge_site_closed")) {
				t.Errorf("%d %.200s", w.Code, w.Body)
			}
		})
	}
}

// TestCopy checks that a copy of a response has what is sent, and is not observed.
func TestCopy(t *testing.T) {
	s, _ := cachingSite(t)
	for _, want := range []api.CacheResult{api.CacheMiss, api.CacheHit} {
		t.Run(string(want), func(t *testing.T) {
			s.seen = nil
			copied, sent := httptest.NewRecorder(), httptest.NewRecorder()
			a := s.srv.Answer(copied, s.request(ask{target: "events"}))
			defer a.Close()
			if err := a.Copy(copied); err != nil || s.seen != nil {
				t.Errorf("%v, observed %+v", err, s.seen)
			}
			a.Send(sent)
			if s.seen == nil || s.seen.Cache != want {
				t.Errorf("observed %+v", s.seen)
			}
			if copied.Code != sent.Code || copied.Body.String() != sent.Body.String() || !reflect.DeepEqual(copied.Header(), sent.Header()) {
				t.Errorf("copied %d %v %.100s\nsent %d %v %.100s", copied.Code, copied.Header(), copied.Body, sent.Code, sent.Header(), sent.Body)
			}
		})
	}
}

// TestHeldAnswer checks that the recorded duration of a request lacks the time in which its response
// waits to be sent.
func TestHeldAnswer(t *testing.T) {
	s, _ := cachingSite(t)
	for _, want := range []api.CacheResult{api.CacheMiss, api.CacheHit} {
		t.Run(string(want), func(t *testing.T) {
			a := s.srv.Answer(nil, s.request(ask{target: "events"}))
			defer a.Close()
			const wait = 2 * time.Second
			time.Sleep(wait)
			if a.Send(httptest.NewRecorder()); s.seen.Cache != want || s.seen.Took <= 0 || s.seen.Took >= wait {
				t.Errorf("observed %+v", s.seen)
			}
		})
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

// TestKeptUnfaithful checks that a cached response is as unfaithful as it was when it was made.
func TestKeptUnfaithful(t *testing.T) {
	s, _ := cachingSite(t)
	s.exec("UPDATE wp_posts SET post_content = '[shop_cart]' WHERE ID = 101")
	for _, want := range []api.CacheResult{api.CacheMiss, api.CacheHit} {
		if got := s.get("events/101"); got.status != http.StatusOK || !slices.Equal(s.seen.NotRendered, []string{"[shop_cart]"}) {
			t.Errorf("%s: %s, %q", want, got.outcome(), s.seen.NotRendered)
		}
		s.wantCache("events/101", want)
	}
	a := s.srv.Answer(nil, s.request(ask{target: "events/101"}))
	defer a.Close()
	if names := a.NotRendered(); !slices.Equal(names, []string{"[shop_cart]"}) {
		t.Errorf("from the cache: %q", names)
	}
}
