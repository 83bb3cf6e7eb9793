package httpserver

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestTake(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	l := NewLimiter(func() time.Time { return now }, nil, nil)
	take := func(client string, want time.Duration) {
		t.Helper()
		if got := l.take(client); got != want {
			t.Errorf("%s waits %s, want %s", client, got, want)
		}
	}
	for range 10 {
		take("unlimited", 0)
	}
	l.Set(2, 3)
	for range 3 {
		take("a", 0)
	}
	take("a", 500*time.Millisecond)
	take("b", 0)
	now = now.Add(500 * time.Millisecond)
	take("a", 0)
	take("a", 500*time.Millisecond)
	now = now.Add(time.Hour)
	for range 3 {
		take("a", 0)
	}
	take("a", 500*time.Millisecond)
	for i := range 3 * maxClients {
		l.take(strconv.Itoa(i))
	}
	clients := l.current.Load()
	clients.CleanUp()
	if n := clients.EstimatedSize(); n > maxClients {
		t.Errorf("%d clients are remembered", n)
	}
	l.Set(0, 1)
	for range 10 {
		take("a", 0)
	}
}

// TestHandler checks that a client over its limit gets 429 with the time to wait (RFC 6585,
// section 4), and that other clients are served.
func TestHandler(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	rejected := 0
	l := NewLimiter(func() time.Time { return now }, ByAddress([]netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}), func() { rejected++ })
	l.Set(0.4, 1)
	h := l.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	for _, c := range []struct {
		method, peer, forwarded string
		status                  int
		body                    bool
	}{
		{"GET", "192.0.2.1:1", "", 204, false},
		{"GET", "192.0.2.1:2", "", 429, true},
		{"HEAD", "192.0.2.1:3", "", 429, false},
		{"GET", "192.0.2.1:4", "192.0.2.9", 429, true},
		{"GET", "10.0.0.1:1", "192.0.2.9", 204, false},
		{"GET", "10.0.0.1:1", "192.0.2.9", 429, true},
		{"GET", "[2001:db8::1:2:3:4]:1", "", 204, false},
		{"GET", "[2001:db8::9]:1", "", 429, true},
		{"GET", "[2001:db8:0:1::9]:1", "", 204, false},
	} {
		r := httptest.NewRequest(c.method, "/", nil)
		r.RemoteAddr = c.peer
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != c.status || strings.Contains(w.Body.String(), `"status":429`) != c.body {
			t.Errorf("%+v: %d %s", c, w.Code, w.Body)
		}
		if w.Code == 429 && w.Header().Get("Retry-After") != "3" {
			t.Errorf("%+v: wait %s s", c, w.Header().Get("Retry-After"))
		}
	}
	if rejected != 5 {
		t.Errorf("%d requests are counted as rejected", rejected)
	}
}

// TestTakeAfterClockJump checks that a jump of the clock gives a client one burst at most, and that
// nobody waits longer than for one request.
func TestTakeAfterClockJump(t *testing.T) {
	for name, jump := range map[string]time.Duration{"forwards": 24 * time.Hour, "backwards": -24 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			now := time.Unix(1_000_000, 0)
			l := NewLimiter(func() time.Time { return now }, nil, nil)
			l.Set(2, 3)
			for range 3 {
				l.take("a")
			}
			now = now.Add(jump)
			admitted := 0
			for range 10 {
				switch wait := l.take("a"); {
				case wait == 0:
					admitted++
				case wait > 500*time.Millisecond:
					t.Errorf("waits %s", wait)
				}
			}
			if admitted > 3 {
				t.Errorf("%d requests at once", admitted)
			}
			now = now.Add(500 * time.Millisecond)
			if wait := l.take("a"); wait != 0 {
				t.Errorf("half a second later it waits %s", wait)
			}
		})
	}
}
