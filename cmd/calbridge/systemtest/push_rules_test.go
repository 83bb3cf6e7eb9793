package systemtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestVarnishRules checks each rule of docker/varnish/calbridge.vcl: which requests Varnish answers, which it
// passes to calbridge, and which calls of other programs it refuses.
func TestVarnishRules(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short; set CALBRIDGE_REQUIRE_OPS=1 to insist on Varnish")
	}
	v := newVarnished(t, "PURGE")
	const target = "/wp-json/calendar/events/v1/events?per_page=5"
	ask := func(t *testing.T, method string, header ...string) (status int, h http.Header) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, "http://"+v.varnish+target, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = "example.com"
		for i := 0; i+1 < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		resp, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode, resp.Header
	}
	stored := func(t *testing.T) {
		t.Helper()
		waitFor(t, func() bool { // until changes arrive, nothing is stored
			_, h := ask(t, "GET")
			return fromCache(h)
		})
	}
	type request struct {
		name, method string
		header       []string
		hit          bool
	}
	check := func(t *testing.T, cases []request) {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				stored(t)
				if _, h := ask(t, c.method, c.header...); fromCache(h) != c.hit {
					t.Errorf("from Varnish: %t", fromCache(h))
				}
			})
		}
	}
	stored(t)
	time.Sleep(time.Second) // until the purge of the start is repeated
	check(t, []request{
		{"anonymous", "GET", nil, true},
		{"HEAD", "HEAD", nil, true},
		{"POST", "POST", nil, false},
		{"cookie of an analytics program", "GET", []string{"Cookie", "_ga=GA1.1.1; _gid=2"}, true},
		{"unknown cookie", "GET", []string{"Cookie", "something=else"}, true},
		{"unknown cookie, HEAD", "HEAD", []string{"Cookie", "something=else"}, true},
		{"cookie of a login", "GET", []string{"Cookie", "_ga=1; wordpress_logged_in_0123=admin"}, false},
		{"secure cookie of a login", "GET", []string{"Cookie", "wordpress_sec_0123=admin"}, false},
		{"cookie of a post's password", "GET", []string{"Cookie", "wp-postpass_0123=x"}, false},
		{"cookie of calbridge", "GET", []string{"Cookie", "calbridge_session=x"}, false},
		{"Authorization", "GET", []string{"Authorization", "Basic eDp5"}, false},
		{"X-WP-Nonce", "GET", []string{"X-WP-Nonce", "0123456789"}, false},
		{"Origin", "GET", []string{"Origin", "https://elsewhere.example"}, false},
		{"X-HTTP-Method-Override", "GET", []string{"X-HTTP-Method-Override", "PUT"}, false},
	})
	t.Run("scheme", func(t *testing.T) {
		stored(t)
		_, first := ask(t, "GET", "X-Forwarded-Proto", "https")
		_, second := ask(t, "GET", "X-Forwarded-Proto", "https")
		if fromCache(first) || !fromCache(second) {
			t.Errorf("links with another scheme are from Varnish at first: %t, and then: %t", fromCache(first), fromCache(second))
		}
	})
	t.Run("headers of the client", func(t *testing.T) {
		stored(t)
		_, h := ask(t, "GET")
		if h.Get("Xkey") != "" || strings.Contains(h.Get("Cache-Control"), "s-maxage") {
			t.Errorf("the client got %v", h)
		}
	})
	calls := func(t *testing.T, want map[string]int) {
		for call, status := range want {
			method, name, _ := strings.Cut(call, " ")
			header := []string{name, "cal-nothing"}
			if name == "" {
				header = nil
			}
			if got, _ := ask(t, method, header...); got != status {
				t.Errorf("%s: %d, want %d", call, got, status)
			}
		}
	}
	t.Run("calls", func(t *testing.T) {
		calls(t, map[string]int{"PURGE xkey": 200, "BAN xkey-pattern": 200, "PURGE": 400, "BAN": 400, "PURGE xkey-pattern": 400, "BAN xkey": 400})
	})
	t.Run("purged", func(t *testing.T) {
		for _, header := range [][]string{{"PURGE", "xkey", "cal-site"}, {"BAN", "xkey-pattern", "cal-site"}} {
			stored(t)
			ask(t, header[0], header[1:]...)
			if _, h := ask(t, "GET"); fromCache(h) {
				t.Errorf("after %s, Varnish has it still", header[0])
			}
		}
	})

	restart := func(edit func(string) string) {
		v.stopVarnish()
		v.edit = edit
		v.startVarnish()
	}
	restart(func(vcl string) string {
		const from = "    # if (regsuball(req.http.Cookie"
		before, rule, found := strings.Cut(vcl, from)
		if !found {
			t.Fatal("the rule for --mode auto isn't found")
		}
		return before + strings.Replace(strings.Replace("    # if (regsuball(req.http.Cookie"+rule, "    # if", "    if", 1), "    #     return (pass);\n    # }", "        return (pass);\n    }", 1)
	})
	t.Run("with the rule for --mode auto", func(t *testing.T) {
		check(t, []request{
			{"anonymous", "GET", nil, true},
			{"cookies that count visitors", "GET", []string{"Cookie", "_ga=1; _gid=2; _fbp=3; cookieyes-consent=x; CookieConsent=y"}, true},
			{"unknown cookie", "GET", []string{"Cookie", "something=else"}, false},
			{"unknown cookie beside one that counts", "GET", []string{"Cookie", "_ga=1; something=else"}, false},
			{"a name that only ends like one that counts", "GET", []string{"Cookie", "x_ga=1"}, false},
			{"cookie of a login", "GET", []string{"Cookie", "wordpress_logged_in_0123=admin"}, false},
		})
	})
	restart(func(vcl string) string {
		elsewhere := strings.Replace(vcl, "acl purgers {\n    \"127.0.0.1\";\n    \"::1\";", "acl purgers {\n    \"192.0.2.1\";", 1)
		if elsewhere == vcl {
			t.Fatal("the addresses that may purge aren't found")
		}
		return elsewhere
	})
	t.Run("calls from elsewhere", func(t *testing.T) {
		calls(t, map[string]int{"PURGE xkey": 403, "BAN xkey-pattern": 403, "PURGE": 403})
		stored(t)
		if status, h := ask(t, "GET"); status != 200 || !fromCache(h) {
			t.Error(fmt.Sprint(status, h))
		}
	})
}
