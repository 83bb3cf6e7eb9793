package trial

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestProbe checks that each obstacle is explained, and that an ordinary site has none.
func TestProbe(t *testing.T) {
	index := func(namespaces string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"name":"Town","namespaces":[` + namespaces + `]}`))
		}
	}
	status := func(code int, body string, headers ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			for i := 0; i < len(headers); i += 2 {
				w.Header().Set(headers[i], headers[i+1])
			}
			w.WriteHeader(code)
			_, _ = w.Write([]byte(body))
		}
	}
	for _, c := range []struct {
		name        string
		site        http.HandlerFunc
		active      bool
		found, next string // of the obstacle, "" for none
	}{
		{"ordinary", index(`"wp/v2","tribe/events/v1"`), true, "", ""},
		{"active only on the site", index(`"tribe/events/v1"`), false, "", ""},
		{"no calendar", index(`"wp/v2"`), false, "The Events Calendar is not active", "Activate"},
		{"namespace switched off", index(`"wp/v2"`), true, "has no namespace tribe/events/v1", "Switch its REST API on"},
		{"basic authentication", status(401, "", "WWW-Authenticate", "Basic"), true, "is behind a login", "--url"},
		{"login page", status(302, "", "Location", "/wp-login.php?redirect_to=x"), true, "is behind a login", "--url"},
		{"maintenance", status(503, "<h1>Briefly unavailable for scheduled maintenance.</h1>"), true, "is in maintenance", "again"},
		{"overloaded", status(503, "x", "Retry-After", "60"), true, "is in maintenance", "again"},
		{"broken", status(500, "x"), true, "answers with status 500", "Repair"},
		{"another host", status(301, "", "Location", "https://www.town.example/"), true, "redirects to https://www.town.example", "--url https://www.town.example"},
		{"another folder", status(301, "", "Location", "/wordpress/"), true, "redirects its REST API to /wordpress/", "with its folder"},
		{"no WordPress", status(404, "not found"), true, "doesn't answer as a WordPress with a REST API (status 404)", "--url"},
		{"a page", status(200, "<html>"), true, "doesn't answer as a WordPress with a REST API (status 200)", "--url"},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := httptest.NewServer(c.site)
			defer server.Close()
			judge(t, Probe(t.Context(), Address{URL: server.URL}, c.active), c.found, c.next)
		})
	}
	t.Run("wrong certificate", func(t *testing.T) {
		server := httptest.NewUnstartedServer(index(`"tribe/events/v1"`))
		server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
		server.StartTLS()
		defer server.Close()
		judge(t, Probe(t.Context(), Address{URL: server.URL}, true), "the certificate of", "http://")
	})
	t.Run("not running", func(t *testing.T) {
		server := httptest.NewServer(nil)
		server.Close()
		judge(t, Probe(t.Context(), Address{URL: server.URL}, true), "can't be reached", "Start the site")
	})
	t.Run("no name", func(t *testing.T) {
		judge(t, Probe(t.Context(), Address{URL: "http://nothing.invalid"}, true), "can't be re", ".")
	})
	t.Run("no URL", func(t *testing.T) {
		judge(t, Probe(t.Context(), Address{URL: "town.example"}, true), "is not the URL of a site", "https://")
	})
	t.Run("the site's own name", func(t *testing.T) {
		var host, scheme string
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			host, scheme = r.Host, r.Header.Get("X-Forwarded-Proto")
			index(`"tribe/events/v1"`)(w, r)
		}))
		defer server.Close()
		if err := Probe(t.Context(), Address{URL: server.URL, Host: "https://town.example"}, true); err != nil || host != "town.example" || scheme != "https" {
			t.Errorf("%q by %q: %v", host, scheme, err)
		}
	})
}

// judge compares an error with the obstacle that is expected.
func judge(t *testing.T, err error, found, next string) {
	t.Helper()
	var obstacle *Obstacle
	switch {
	case found == "" && err == nil:
	case !errors.As(err, &obstacle):
		t.Errorf("%v, want %q", err, found)
	case !strings.Contains(obstacle.Found, found) || !strings.Contains(obstacle.Advice, next):
		t.Errorf("%q, %q; want %q, %q", obstacle.Found, obstacle.Advice, found, next)
	}
}
