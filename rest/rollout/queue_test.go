package rollout

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestHangingUpstream: neither clients of calbridge nor its end wait for WordPress,
// which hangs here for good, and what waits is bounded.
func TestHangingUpstream(t *testing.T) {
	s := newSides(t, Plan{Mode: DiffNative, Clients: 100, Compared: 100}, func(c *Config) { c.Limits = Limits{Workers: 2, Queue: 5} })
	release := make(chan struct{})
	defer close(release)
	s.wp.answers(func(http.ResponseWriter, *http.Request) { <-release })
	for range 50 {
		if status, body := s.send("GET", events, ""); status != 200 || body != "ours" {
			t.Fatalf("%d %q", status, body)
		}
	}
	if n := s.notes.dropped[DropQueue]; n < 50-2-5 || n > 50-5 {
		t.Errorf("%d of 50 comparisons were dropped", n)
	}
	if held := s.h.shadow.bytes.Load(); held <= 0 || held > 7*4096 {
		t.Errorf("7 requests hold %d bytes", held)
	}
	s.end() // gives up what waits
	if s.notes.dropped[DropClosed] == 0 || s.h.shadow.bytes.Load() != 0 {
		t.Errorf("after closing: %d given up, %d bytes held", s.notes.dropped[DropClosed], s.h.shadow.bytes.Load())
	}
}

// TestBounds: answers that are too large, or too many to be held.
func TestBounds(t *testing.T) {
	s := newSides(t, Plan{Mode: DiffProxy, Clients: 100, Compared: 100}, func(c *Config) {
		c.Limits = Limits{Workers: 1, Queue: 100, QueueBytes: 200_000, Answer: 50_000}
	})
	size := 50_001
	s.wp.answers(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, strings.Repeat("y", size)) })
	if _, body := s.send("GET", events, ""); len(body) < size || s.notes.dropped[DropTooLarge] != 1 {
		t.Errorf("%d bytes, %v", len(body), s.notes.dropped)
	}
	size = 30_000
	s.native.mu.Lock() // hangs
	for range 10 {
		s.send("GET", events, "")
	}
	held := s.h.shadow.bytes.Load()
	s.native.mu.Unlock()
	if held > 200_000 || s.notes.dropped[DropMemory] < 4 {
		t.Errorf("%d bytes held, %v", held, s.notes.dropped)
	}
	s.settle(1)
	s.native.mu.Lock()
	s.native.body = strings.Repeat("x", 50_001)
	s.native.mu.Unlock()
	s.settle(10 - s.notes.dropped[DropMemory])
	s.send("GET", events, "")
	s.settle(11 - s.notes.dropped[DropMemory])
	if c := s.notes.compared[len(s.notes.compared)-1]; c.Outcome != Incomplete {
		t.Errorf("an answer of ours that is too large: %+v", c)
	}
}

// TestConditions: what a client already has does not keep the responses from being
// compared as a whole.
func TestConditions(t *testing.T) {
	for _, mode := range []Mode{DiffNative, DiffProxy} {
		s := newSides(t, Plan{Mode: mode, Clients: 100, Compared: 100})
		s.native.body = "theirs"
		s.wp.answers(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("If-None-Match") != "" {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, "theirs")
		})
		s.send("GET", events, "", `If-None-Match: "x"`, "Accept-Encoding: br", "Range: bytes=0-1")
		s.settle(1)
		if got := s.notes.outcomes(); got != "/events same" {
			t.Errorf("%s: %s", mode, got)
		}
		if r, _ := s.wp.last(); r.Header.Get("If-None-Match") != "" || r.Header.Get("Range") != "" {
			t.Errorf("%s: compared with %v", mode, r.Header)
		}
	}
}

// TestChanged: what is the same when asked again was no difference.
func TestChanged(t *testing.T) {
	s := newSides(t, Plan{Mode: DiffNative, Clients: 100, Compared: 100})
	s.native.body = "after the write"
	first := true
	s.wp.answers(func(w http.ResponseWriter, _ *http.Request) {
		if first {
			_, _ = io.WriteString(w, "before the write")
		} else {
			_, _ = io.WriteString(w, "after the write")
		}
		first = false
	})
	s.send("GET", events, "")
	s.settle(1)
	s.native.mu.Lock()
	s.native.code = http.StatusServiceUnavailable
	s.native.mu.Unlock()
	s.send("GET", events, "")
	s.settle(2)
	if got := s.notes.outcomes(); got != "/events changed, /events incomplete" || len(s.notes.recorded) != 0 {
		t.Errorf("%s, %d recorded", got, len(s.notes.recorded))
	}
}

// TestComparedShare: only so many GETs are compared.
func TestComparedShare(t *testing.T) {
	s := newSides(t, Plan{Mode: DiffNative, Clients: 100, Compared: 25}, func(c *Config) { c.Limits = Limits{Queue: 1000} })
	s.native.body = "theirs"
	for range 400 {
		s.send("GET", events, "")
	}
	s.end()
	n := s.wp.count()
	if n < 50 || n > 160 {
		t.Errorf("%d of 400 are compared, want about 100", n)
	}
}
