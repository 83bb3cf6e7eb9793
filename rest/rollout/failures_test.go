package rollout

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

// hangs gives up a WordPress that does not answer, soon.
func hangs(c *Config) { c.Upstream.Timeout = 100 * time.Millisecond }

// TestUpstreamFails: what clients get when WordPress does not answer.
func TestUpstreamFails(t *testing.T) {
	s := newSides(t, Plan{Mode: Proxy, Clients: 100})
	s.wp.answers(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	if status, body := s.send("GET", events, ""); status != http.StatusBadGateway || body != "calbridge_upstream_away" {
		t.Errorf("cutting: %d %s", status, body)
	}
	s.wp.answers(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, "half")
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	if status, body := s.send("GET", events, ""); status == 200 && !strings.Contains(body, "broken off") {
		t.Errorf("breaking off: looks whole to the client: %q", body)
	}
	s.wp.answers(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "theirs", http.StatusInternalServerError) })
	if status, body := s.send("GET", events, ""); status != 500 || !strings.HasPrefix(body, "theirs") {
		t.Errorf("failing: %d %s", status, body)
	}
	if status, body := s.send("POST", events, strings.Repeat("x", 1001)); status != 413 || body != "calbridge_too_large" {
		t.Errorf("large: %d %s", status, body)
	}
	if status, body := s.send("POST", events, "", "Transfer-Encoding: chunked\r\n\r\n7d0\r\n"+strings.Repeat("x", 2000)+"\r\n0"); status != 413 || body != "calbridge_too_large" {
		t.Errorf("large in chunks: %d %s", status, body)
	}
	s.wp.Close()
	if status, body := s.send("GET", events, ""); status != http.StatusBadGateway || body != "calbridge_upstream_away" {
		t.Errorf("away: %d %s", status, body)
	}
	want := "client away, client away, client failed, client toolarge, client away"
	if got := s.notes.results(); got != want {
		t.Errorf("observed %s, want %s", got, want)
	}
}

// TestRetryAfter checks that clients receive a time to retry if WordPress is away (502) or too slow
// (503). In mode auto the comparisons pause.
func TestRetryAfter(t *testing.T) {
	for _, mode := range []Mode{Proxy, Auto} {
		s := newSides(t, Plan{Mode: mode, Clients: 100, Compared: 100}, hangs)
		expect := func(status int, code, result string) {
			t.Helper()
			resp, err := http.Get(s.front.URL + events)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			body, err := io.ReadAll(resp.Body)
			if seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After")); err != nil || resp.StatusCode != status || string(body) != code || seconds < 1 {
				t.Errorf("%s: %d %s, retry after %q, want %d %s", mode, resp.StatusCode, body, resp.Header.Get("Retry-After"), status, code)
			}
			if got := s.notes.results(); got != result {
				t.Errorf("%s: observed %s, want %s", mode, got, result)
			}
		}
		release := make(chan struct{})
		s.wp.answers(func(http.ResponseWriter, *http.Request) { <-release })
		expect(http.StatusServiceUnavailable, "calbridge_upstream_slow", "client slow")
		close(release)
		s.wp.Close()
		expect(http.StatusBadGateway, "calbridge_upstream_away", "client slow, client away")
	}
}

// TestBadBodies: what is wrong with a client's body is no fault of WordPress.
func TestBadBodies(t *testing.T) {
	chunked := func(body string) []string { return []string{"Transfer-Encoding: chunked\r\n\r\n" + body} }
	bad := []string{"zz\r\nab\r\n0\r\n", "5\r\nab\r\n0\r\n", "2\r\nab\r\n-1\r\n", "ffffffffffffffffff\r\nab", "2;" + strings.Repeat("x", 5000) + "\r\nab\r\n0\r\n"}
	for _, mode := range []Mode{Proxy, DiffProxy} {
		s := newSides(t, Plan{Mode: mode, Clients: 100, Compared: 100})
		for _, body := range bad {
			if status, got := s.send("POST", events, "", chunked(body)...); status != 400 || !strings.HasPrefix(got, "calbridge_bad_body") {
				t.Errorf("%s, %.20q: %d %s", mode, body, status, got)
			}
		}
		if status, got := s.send("POST", events, "", chunked("2\r\nab\r\n0\r\n")...); status != 200 || got != "theirs" {
			t.Errorf("%s, a good body: %d %s", mode, status, got)
		}
		if got, want := s.notes.results(), strings.Repeat("client badbody, ", len(bad))+"client answered"; got != want {
			t.Errorf("%s: observed %s, want %s", mode, got, want)
		}
	}
}
