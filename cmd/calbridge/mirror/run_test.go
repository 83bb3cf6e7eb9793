package mirror

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestRefusals checks that, before there is a copy, a refusal that only a person can resolve
// ends the command with advice, and that afterwards the mirror continues.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
		want   string
	}{
		{404, `{"code":"rest_no_route","message":"x"}`, "start the remote calbridge with --extensions"},
		{404, `<html>`, "start the remote calbridge with --extensions"},
		{501, `{"code":"calbridge_no_changes","message":"x","data":{"status":501,"reason":"state-dir"}}`, "start the remote calbridge with --state-dir"},
		{501, `{"code":"calbridge_no_changes","message":"x","data":"binary-log"}`, "binary log"},
		{501, `{"code":"calbridge_no_changes","message":"x","data":{"reason":"journal"}}`, "can't open its journal"},
		{501, `{"message":"no\n\u001b[31m"}`, `can't track changes (its message: "no\n\x1b[31m")`},
		{401, `{"message":"Sorry"}`, "pass --user and --password-file (its message: \"Sorry\")"},
		{400, `{"message":"Invalid parameter(s): categories"}`, "correct --filter"},
	} {
		var asked atomic.Int32
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			asked.Add(1)
			answer(w, c.status, c.body)
		}))
		o := options(t, server.URL, t.TempDir())
		if err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%d %s: %v", c.status, c.body, err)
		}
		server.Close()
	}
	s := newStandIn(1)
	var closed atomic.Bool
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if closed.Load() {
			asked.Add(1)
			answer(w, http.StatusNotFound, "")
			return
		}
		s.ServeHTTP(w, r)
	}))
	defer server.Close()
	o := options(t, server.URL, t.TempDir())
	o.Once = true
	if err := Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	closed.Store(true)
	if err := Run(t.Context(), o); err == nil {
		t.Error("--once succeeds without the server")
	}
	o.Once = false
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- Run(ctx, o) }()
	eventually(t, "the mirror doesn't try again", func() bool { return asked.Load() > 5 })
	s.change()
	closed.Store(false)
	db := reader(t, o.Out)
	eventually(t, "the mirror doesn't recover", func() bool { return maps.Equal(copied(t, db), s.list()) })
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestCredentials checks that a user's copy is requested with the login, and never over the
// stream.
func TestCredentials(t *testing.T) {
	s := newStandIn(1)
	var streams, strangers atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user != "jana" || password != "abcd efgh" {
			strangers.Add(1)
		}
		if strings.HasSuffix(r.URL.Path, "stream") {
			streams.Add(1)
		}
		s.ServeHTTP(w, r)
	}))
	defer server.Close()
	o := options(t, server.URL, t.TempDir())
	o.Source.user, o.Source.password = "jana", "abcd efgh"
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- Run(ctx, o) }()
	db := reader(t, o.Out)
	eventually(t, "no copy", func() bool { return tables(t, o.Out) && maps.Equal(copied(t, db), s.list()) })
	s.change()
	eventually(t, "the copy isn't the calendar after a change", func() bool { return maps.Equal(copied(t, db), s.list()) })
	cancel()
	if err := <-ended; err != nil || streams.Load() > 0 || strangers.Load() > 0 {
		t.Errorf("%v, %d streams, %d requests without login", err, streams.Load(), strangers.Load())
	}
}

// tables reports whether the file already has its tables.
func tables(t *testing.T, file string) bool {
	t.Helper()
	if _, err := os.Stat(file); err != nil {
		return false
	}
	var n int
	err := reader(t, file).QueryRow("SELECT COUNT(*) FROM sqlite_master WHERE name = 'events'").Scan(&n)
	return err == nil && n == 1
}

// TestSilence checks that a silent server is given up, on both routes and within a response,
// and that a slow server isn't.
func TestSilence(t *testing.T) {
	for _, when := range []string{"no answer", "in a page", "in an error", "slow"} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch when {
			case "in an error":
				w.WriteHeader(http.StatusNotFound)
				fallthrough
			case "in a page":
				_, _ = w.Write([]byte(`{"events": [`))
				w.(http.Flusher).Flush()
			case "slow":
				for _, c := range []byte(`{"events": [], "sync_token": "t"}`) {
					_, _ = w.Write([]byte{c})
					w.(http.Flusher).Flush()
					time.Sleep(10 * time.Millisecond)
				}
				return
			}
			<-r.Context().Done()
		}))
		s, err := ParseSource(server.URL, nil, "", "")
		if err != nil {
			t.Fatal(err)
		}
		r := &remote{client: NewClient(), source: s, silence: 200 * time.Millisecond, pageTime: pageTime, now: time.Now}
		_, err = r.changes(t.Context(), position{listing: true})
		if slow := when == "slow"; slow && err != nil || !slow && !errors.Is(err, errSilent) {
			t.Errorf("%s: %v", when, err)
		}
		server.Close()
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write([]byte("data: x\n\n"))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	defer server.Close()
	s, err := ParseSource(server.URL, nil, "", "")
	if err != nil {
		t.Fatal(err)
	}
	r := &remote{client: NewClient(), source: s, silence: 50 * time.Millisecond, now: time.Now}
	if err := r.follow(t.Context(), "t", func() {}, func([]item, string) error { return nil }); !errors.Is(err, errSilent) {
		t.Error(err)
	}
}

// TestRetryAfter checks that waits grow, are partly random, and are at least what the server
// asks for.
func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Duration{"": 0, "x": 0, "-1": 0, "0": 0, "7": 7 * time.Second, "99999999999": 0,
		now.Add(time.Minute).Format(http.TimeFormat): time.Minute, now.Add(-time.Minute).Format(http.TimeFormat): 0} {
		if got := parseRetryAfter(text, now); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	for jitter, want := range map[float64][]time.Duration{0: {500, 1000, 2000, 4000, 8000, 16000, 30000, 30000}, 1: {1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000}} {
		b := backoff{first: firstWait, jitter: func() float64 { return jitter }}
		for i, ms := range want {
			if got := b.next(0); got != ms*time.Millisecond {
				t.Errorf("wait %d: %v, want %v ms", i, got, ms)
			}
		}
		for range 100 {
			b.next(0)
		}
		if got := b.next(7 * time.Hour); got > longestRetryAfter+longestWait || got < longestRetryAfter {
			t.Error(got)
		}
		b.reset()
		if got := b.next(7 * time.Second); got < 7*time.Second || got > 8*time.Second {
			t.Error(got)
		}
	}
}

// TestBusyStream checks that changes are requested while the server has no room for another
// stream.
func TestBusyStream(t *testing.T) {
	s := newStandIn(1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "stream") {
			w.Header().Set("Retry-After", "600")
			answer(w, http.StatusTooManyRequests, "")
			return
		}
		s.ServeHTTP(w, r)
	}))
	defer server.Close()
	o := options(t, server.URL, t.TempDir())
	o.Lines = ""
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- Run(ctx, o) }()
	eventually(t, "no tables", func() bool { return tables(t, o.Out) })
	db := reader(t, o.Out)
	for range 3 {
		eventually(t, "the copy isn't the calendar", func() bool { return maps.Equal(copied(t, db), s.list()) })
		s.change()
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestOnceAndBusy checks that Once retries a busy server, but not forever.
func TestOnceAndBusy(t *testing.T) {
	s := newStandIn(1)
	var refusals atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if refusals.Add(-1) >= 0 {
			answer(w, http.StatusServiceUnavailable, "")
			return
		}
		s.ServeHTTP(w, r)
	}))
	defer server.Close()
	o := options(t, server.URL, t.TempDir())
	o.Once = true
	refusals.Store(3)
	if err := Run(t.Context(), o); err != nil {
		t.Error(err)
	}
	if db := reader(t, o.Out); !maps.Equal(copied(t, db), s.list()) {
		t.Error("the copy isn't the calendar")
	}
	refusals.Store(1 << 40)
	now := time.Now()
	o.Now = func() time.Time { now = now.Add(patience / 10); return now }
	if err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "busy") {
		t.Error(err)
	}
}

// TestRedirects checks that credentials aren't sent to a URL without https.
func TestRedirects(t *testing.T) {
	plain := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("asked without https") }))
	defer plain.Close()
	secure := httptest.NewTLSServer(http.RedirectHandler(plain.URL, http.StatusFound))
	defer secure.Close()
	client := NewClient()
	client.Transport = secure.Client().Transport
	if resp, err := client.Get(secure.URL); err == nil || !strings.Contains(err.Error(), "without https") {
		t.Error(resp, err)
	}
}
