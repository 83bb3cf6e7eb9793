package wordpress_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"calbridge/rest/notice"
)

// receiver is calbridge's side: a handler and the notices that it received.
type receiver struct {
	http.Handler
	mu  sync.Mutex
	got []notice.Notice
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{}
	r.Handler = notice.NewHandler(func() string { return secret },
		func(n notice.Notice) { r.mu.Lock(); r.got = append(r.got, n); r.mu.Unlock() },
		func(reason string) { t.Errorf("a notice of WordPress is refused: %s", reason) },
	)
	return r
}

// waitFor returns the first matching notice and discards all others.
func (r *receiver) waitFor(t *testing.T, suits func(notice.Notice) bool) notice.Notice {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(25 * time.Millisecond) {
		r.mu.Lock()
		at := slices.IndexFunc(r.got, suits)
		if at >= 0 {
			n := r.got[at]
			r.got = nil
			r.mu.Unlock()
			return n
		}
		r.mu.Unlock()
	}
	t.Errorf("no such notice among %+v", r.got)
	return notice.Notice{}
}

// silent asserts that no notice arrives.
func (r *receiver) silent(t *testing.T) {
	t.Helper()
	time.Sleep(300 * time.Millisecond)
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.got) > 0 {
		t.Errorf("received %+v", r.got)
	}
	r.got = nil
}

func (r *receiver) forget() {
	time.Sleep(300 * time.Millisecond)
	r.mu.Lock()
	r.got = nil
	r.mu.Unlock()
}

// tell delivers one notice, which WordPress must accept.
func tell(t *testing.T, s *site, n notice.Notice) {
	t.Helper()
	if log := deliver(t, s, n); log != "" {
		t.Fatal(log)
	}
}

// deliver delivers one notice and returns the log output.
func deliver(t *testing.T, s *site, n notice.Notice) string {
	t.Helper()
	var log bytes.Buffer // of failures
	c, err := notice.New(notice.Options{Site: s.url, Secret: secret, Timeout: time.Minute, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	c.Send(n)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	if err := c.Close(ctx); err != nil {
		t.Fatalf("%v; %s", err, &log)
	}
	return log.String()
}
