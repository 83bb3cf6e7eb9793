package rollout

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
)

const events = "/wp-json/calendar/events/v1/events"

// TestWhoAnswers: each mode has its side answer, writes reach one side alone, and
// nothing but plain GETs is asked of both.
func TestWhoAnswers(t *testing.T) {
	for _, c := range []struct {
		mode Mode
		body string
	}{{Native, "ours"}, {Proxy, "theirs"}, {DiffNative, "ours"}, {DiffProxy, "theirs"}} {
		s := newSides(t, Plan{Mode: c.mode, Clients: 100, Compared: 100})
		single := []string{"POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "GET _method", "GET body", "GET header"}
		for _, method := range single {
			target, body, header := events, "", []string{}
			if method == "POST" {
				body = "title=x"
			}
			switch method {
			case "GET _method":
				method, target = "GET", events+"?_method=DELETE"
			case "GET body":
				method, body = "GET", "{}"
			case "GET header":
				method, header = "GET", []string{"X-HTTP-Method-Override: PUT"}
			}
			status, got := s.send(method, target, body, header...)
			if status != 200 || method != "HEAD" && !strings.HasPrefix(got, c.body) {
				t.Errorf("%s, %s %s: %d %q", c.mode, method, target, status, got)
			}
		}
		if status, got := s.send("GET", events, ""); status != 200 || !strings.HasPrefix(got, c.body) {
			t.Errorf("%s: %d %q", c.mode, status, got)
		}
		compared := strings.HasPrefix(string(c.mode), "diff")
		if compared {
			s.settle(1)
		}
		s.end()
		ours, theirs := len(s.native.seen()), s.wp.count()
		wantOurs, wantTheirs := len(single)+1, 0
		if c.body == "theirs" {
			wantOurs, wantTheirs = 0, len(single)+1
		}
		if compared { // once for the client, or else for the comparison; and once more to be sure
			if c.body == "theirs" {
				wantOurs += 2
				wantTheirs++
			} else {
				wantTheirs += 2
				wantOurs += 2
			}
			if got := s.notes.outcomes(); got != "/events different" {
				t.Errorf("%s: %s", c.mode, got)
			}
			if p := s.notes.recorded[0]; string(p.Ours.Body) != "ours" || string(p.Theirs.Body) != "theirs" || p.Request.RequestURI != events {
				t.Errorf("%s: recorded %q %q", c.mode, p.Ours.Body, p.Theirs.Body)
			}
		}
		if ours != wantOurs || theirs != wantTheirs {
			t.Errorf("%s: %d requests here, %d there; want %d and %d", c.mode, ours, theirs, wantOurs, wantTheirs)
		}
	}
}

// TestPages: what turns out to be a page of WordPress is passed on with its method, in all modes,
// and isn't compared. WordPress's errors reach the client, since there is no other response.
func TestPages(t *testing.T) {
	for _, mode := range Modes() {
		s := newSides(t, Plan{Mode: mode, Clients: 100, Compared: 100})
		for i, method := range []string{"GET", "HEAD", "POST", "OPTIONS"} {
			status, body := s.send(method, "/venue/mill/?ical=1", "")
			if r, _ := s.wp.last(); status != 200 || method != "HEAD" && body != "theirs" || r.Method != method || r.RequestURI != "/venue/mill/?ical=1" {
				t.Errorf("%s, %s: %d %q, %s %s", mode, method, status, body, r.Method, r.RequestURI)
			}
			if mode == Native && s.wp.count() != i+1 {
				t.Errorf("%d requests there", s.wp.count())
			}
		}
		if mode == DiffProxy {
			s.settle(1)
		}
		s.wp.answers(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
		if status, _ := s.send("GET", "/venue/mill/?ical=1&again", ""); status != http.StatusInternalServerError {
			t.Errorf("%s: %d", mode, status)
		}
		s.end()
		for _, c := range s.notes.compared {
			if c.Outcome != Unfaithful && c.Outcome != Incomplete {
				t.Errorf("%s: %+v", mode, c)
			}
		}
		if mode == Native && s.notes.asked[0].Purpose != ForPage {
			t.Errorf("asked for %s", s.notes.asked[0].Purpose)
		}
	}
	alone := newSides(t, Plan{Mode: Native, Clients: 100}, func(c *Config) { c.Upstream = nil })
	if _, body := alone.send("GET", "/venue/mill/?ical=1", ""); body != "ours" {
		t.Errorf("without an upstream: %q", body)
	}
}

// TestPassedOn: what WordPress is sent.
func TestPassedOn(t *testing.T) {
	s := newSides(t, Plan{Mode: Proxy, Clients: 100})
	for _, target := range []string{
		events, events + "?", events + "?search=a%2Fb;c&x=%zz", events + "/by-slug/a%2Fb%5c", events + "/by-slug/%C4%8D", "//wp-json/calendar/events/v1/events",
		"/?rest_route=%2Fcalendar%2Fevents%2Fv1%2Fevents", events + "/by-slug/\"x|y^\xc4\x8d",
	} {
		s.send("GET", target, "")
		if r, _ := s.wp.last(); r.RequestURI != target {
			t.Errorf("%s arrives as %s", target, r.RequestURI)
		}
	}
	s.send("POST", events, "title=A%20fair", "Content-Type: application/x-www-form-urlencoded", "Authorization: Basic YTpiIGM=", "Cookie: a=b", "X-WP-Nonce: 1",
		"X-Forwarded-For: 203.0.113.7, 192.0.2.9", "X-Forwarded-Proto: https", "X-Real-IP: 1.2.3.4", "Forwarded: for=1.2.3.4", "Connection: close, X-Secret", "X-Secret: 1",
		"Upgrade: websocket", "Accept-Encoding: br, gzip", "Te: trailers")
	r, body := s.wp.last()
	want := map[string]string{
		"Content-Type": "application/x-www-form-urlencoded", "Authorization": "Basic YTpiIGM=", "Cookie": "a=b", "X-Wp-Nonce": "1",
		"X-Forwarded-For": "192.0.2.9", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "town.example", Marker: "1", "Accept-Encoding": "gzip",
		"X-Real-Ip": "", "Forwarded": "", "X-Secret": "", "Upgrade": "", "User-Agent": "",
	}
	for name, value := range want {
		if got := r.Header.Get(name); got != value {
			t.Errorf("%s is %q, want %q", name, got, value)
		}
	}
	if body != "title=A%20fair" || r.Method != "POST" || r.Host != "town.example" {
		t.Errorf("%s to %s with %q", r.Method, r.Host, body)
	}
	named := newSides(t, Plan{Mode: Proxy, Clients: 100}, func(c *Config) { c.Upstream.Host = "other.example:8443" })
	named.send("GET", events, "")
	if r, _ := named.wp.last(); r.Host != "other.example:8443" || r.Header.Get("X-Forwarded-Host") != "town.example" {
		t.Errorf("host %s, forwarded %s", r.Host, r.Header.Get("X-Forwarded-Host"))
	}
}

// TestLoop: a request that has been here is not sent around again, in any mode.
func TestLoop(t *testing.T) {
	for _, mode := range Modes() {
		s := newSides(t, Plan{Mode: mode, Clients: 100, Compared: 100}, func(c *Config) {
			if c.Mode == Native {
				c.Upstream = nil
			}
		})
		if status, body := s.send("GET", events, "", Marker+": 1"); status != http.StatusLoopDetected || body != "calbridge_loop" {
			t.Errorf("%s: %d %s", mode, status, body)
		}
		if s.wp.count()+len(s.native.seen()) != 0 {
			t.Errorf("%s: passed on", mode)
		}
	}
}

// TestClosed: where native responses may show what the site has closed, WordPress answers, and
// nobody does without it.
func TestClosed(t *testing.T) {
	for _, mode := range Modes() {
		s := newSides(t, Plan{Mode: mode, Clients: 100, Compared: 100}, func(c *Config) { c.Closed = func() bool { return true } })
		if status, body := s.send("GET", events, ""); status != http.StatusOK || !strings.HasPrefix(body, "theirs") || len(s.native.seen()) != 0 {
			t.Errorf("%s: %d %s", mode, status, body)
		}
	}
	alone := newSides(t, Plan{Mode: Native, Clients: 100}, func(c *Config) { c.Upstream, c.Closed = nil, func() bool { return true } })
	if status, body := alone.send("GET", events, ""); status != http.StatusServiceUnavailable || body != "calbridge_site_closed" || len(alone.native.seen()) != 0 {
		t.Errorf("without WordPress: %d %s", status, body)
	}
}

// TestOwn checks that WordPress never receives requests for routes that it doesn't have, in any
// mode and with any share of clients, and that a closed site answers them with an error.
func TestOwn(t *testing.T) {
	own := func(c *Config) {
		c.Own = func(r *http.Request) bool { return strings.HasSuffix(r.RequestURI, "events.ics") }
	}
	for _, mode := range Modes() {
		s := newSides(t, Plan{Mode: mode, Clients: 0, Compared: 100}, own)
		if status, body := s.send("GET", events+".ics", ""); status != http.StatusOK || !strings.HasPrefix(body, "ours") || len(s.native.seen()) != 1 {
			t.Errorf("%s: %d %s", mode, status, body)
		}
		if _, body := s.send("GET", events, ""); !strings.HasPrefix(body, "theirs") {
			t.Errorf("%s: another route: %s", mode, body)
		}
		closed := newSides(t, Plan{Mode: mode, Clients: 100, Compared: 100}, own, func(c *Config) { c.Closed = func() bool { return true } })
		if status, body := closed.send("GET", events+".ics", ""); status != http.StatusServiceUnavailable || len(closed.native.seen()) != 0 {
			t.Errorf("%s, closed: %d %s", mode, status, body)
		}
	}
}

// TestNotPassedOn: methods that are not the REST API's never reach WordPress.
func TestNotPassedOn(t *testing.T) {
	for _, mode := range []Mode{Proxy, DiffProxy, DiffNative, Native} {
		s := newSides(t, Plan{Mode: mode, Clients: 100, Compared: 100})
		without := newSides(t, Plan{Mode: mode}) // WordPress answers all clients
		for _, line := range [][2]string{
			{"CONNECT", "town.example:443"}, {"CONNECT", events}, {"CONNECT", "/"}, {"TRACE", events}, {"TRACE", "/"}, {"PRI", "*"}, {"PRI", events}, {"GET", "*"}, {"POST", "*"},
			{"OPTIONS", "*"}, {"TRACK", events}, {"DEBUG", events}, {"PURGE", events}, {"PROPFIND", events}, {"get", events}, {"BREW", events},
		} {
			for _, s := range []*sides{s, without} {
				s.send(line[0], line[1], "")
				s.send(line[0], line[1], "title=x", "X-HTTP-Method-Override: POST")
			}
		}
		for _, s := range []*sides{s, without} {
			s.end()
			if n := s.wp.count(); n > 0 {
				r, _ := s.wp.last()
				t.Errorf("%s: %d reach WordPress, %s %s for instance", mode, n, r.Method, r.RequestURI)
			}
		}
	}
}

// TestContent: what calbridge cannot render, WordPress answers, as long as it does.
func TestContent(t *testing.T) {
	for _, mode := range []Mode{Native, DiffNative} {
		s := newSides(t, Plan{Mode: mode, Clients: 100, Compared: 100})
		const target = events + "/by-slug/shop"
		if _, body := s.send("GET", target, ""); body != "theirs" {
			t.Errorf("%s: %q", mode, body)
		}
		if _, body := s.send("POST", target, "x=1"); body != "ours" {
			t.Errorf("%s, written: %q", mode, body)
		}
		s.wp.answers(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "down", http.StatusBadGateway) })
		if status, body := s.send("GET", target, ""); status != 200 || body != "ours" {
			t.Errorf("%s, failing: %d %q", mode, status, body)
		}
		hanging := newSides(t, s.h.Plan, hangs)
		release := make(chan struct{})
		hanging.wp.answers(func(http.ResponseWriter, *http.Request) { <-release })
		if status, body := hanging.send("GET", target, ""); status != 200 || body != "ours" {
			t.Errorf("%s, hanging: %d %q", mode, status, body)
		}
		close(release)
		if got := hanging.notes.results(); got != "content slow" {
			t.Errorf("%s: %s", mode, got)
		}
		if got := s.notes.results(); got != "content answered, content failed" || !slices.Equal(s.notes.turned, []string{"[shop_cart]"}) {
			t.Errorf("%s: %s, turned %q", mode, got, s.notes.turned)
		}
		if got := s.notes.outcomes(); got != "" {
			t.Errorf("%s: compared %s", mode, got)
		}
	}
	s := newSides(t, Plan{Mode: DiffProxy, Clients: 100, Compared: 100})
	s.send("GET", events+"/by-slug/shop", "")
	s.settle(1)
	if got := s.notes.outcomes(); got != " unfaithful" {
		t.Errorf("compared %q", got)
	}
}

// TestShares: a client stays on its side, which grows with the share.
func TestShares(t *testing.T) {
	for _, bad := range []Plan{{"other", 100, 100}, {Native, -1, 100}, {Native, 101, 0}, {DiffProxy, 50, 200}} {
		if _, err := New(Config{Plan: bad, Upstream: &Upstream{URL: "http://127.0.0.1:1"}}); err == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
	for _, bad := range []Plan{{Proxy, 100, 100}, {Native, 99, 100}, {DiffNative, 100, 100}} {
		if _, err := New(Config{Plan: bad}); err == nil {
			t.Errorf("%+v is taken without WordPress", bad)
		}
	}
	for _, bad := range []string{"", "127.0.0.1", "ftp://x", "http://x/y", "http://a:b@x", "http://x?y"} {
		if _, err := New(Config{Plan: Plan{Proxy, 100, 100}, Upstream: &Upstream{URL: bad}}); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
	var before []string
	for _, share := range []float64{0, 1, 10, 50, 100} {
		var in []string
		for i := range 5000 {
			if client := fmt.Sprintf("192.0.2.%d:%d", i%256, i); (Plan{Clients: share}).has(client) {
				in = append(in, client)
			}
		}
		if got := float64(len(in)) / 50; got < share*.7 || got > share*1.3 {
			t.Errorf("a share of %g %% has %g %% of the clients", share, got)
		}
		for _, client := range before {
			if !slices.Contains(in, client) {
				t.Errorf("%s has left the share of %g %%", client, share)
			}
		}
		before = in
	}
	s := newSides(t, Plan{Mode: Native, Clients: 50})
	sides := map[string]string{}
	for i := range 100 {
		client := fmt.Sprint("client", i%20)
		_, body := s.send("GET", events, "", "X-Test-Client: "+client)
		if side, known := sides[client]; known && side != body {
			t.Errorf("%s changes sides", client)
		}
		sides[client] = body
	}
	if n := len(s.native.seen()); n == 0 || n == 100 || s.wp.count() != 100-n {
		t.Errorf("%d of 100 requests are answered here", n)
	}
}

// TestEncodings: answers are compared as they were before being packed.
func TestEncodings(t *testing.T) {
	s := newSides(t, Plan{Mode: DiffProxy, Clients: 100, Compared: 100})
	s.native.body = strings.Repeat("equal ", 100)
	s.wp.answers(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", r.Header.Get("Accept-Encoding"))
		if r.URL.RawQuery == "odd" {
			w.Header().Set("Content-Encoding", "br")
		}
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, s.native.body)
		_ = z.Close()
	})
	s.send("GET", events, "", "Accept-Encoding: br, gzip")
	s.settle(1)
	s.send("GET", events+"?odd", "", "Accept-Encoding: gzip")
	s.settle(2)
	if got := s.notes.outcomes(); got != "/events same, /events incomplete" {
		t.Error(got)
	}
}
