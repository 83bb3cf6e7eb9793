package rest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"calbridge/rest/api"
	"calbridge/wpstore/invalidation"
)

// BenchmarkFeedFromMemory asks for a feed that is in the response cache, over connections that
// are kept; BenchmarkBareHandler asks a handler that does nothing but write the same bytes.
func BenchmarkFeedFromMemory(b *testing.B) {
	s := feedInMemory(b)
	for _, target := range []string{allEvents, oneEvent} {
		b.Run(target, func(b *testing.B) { askAgain(b, s.srv, target) })
	}
}

func BenchmarkBareHandler(b *testing.B) {
	s := feedInMemory(b)
	for _, target := range []string{allEvents, oneEvent} {
		body := []byte(s.get(target).body)
		b.Run(target, func(b *testing.B) {
			askAgain(b, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/calendar; charset=utf-8")
				w.Header().Set("Content-Length", strconv.Itoa(len(body)))
				_, _ = w.Write(body)
			}), target)
		})
	}
}

// The feeds that are asked for.
const (
	allEvents = "events.ics"
	oneEvent  = "events/101.ics"
)

// feedInMemory caches responses, as a site with a change feed does. It has 57 events.
func feedInMemory(b *testing.B) *testSite {
	tracker := invalidation.NewTracker()
	tracker.Resume(true)
	s := newTestSite(b, extended, func(c *Config) {
		c.Tracker, c.CacheBytes, c.Complete = tracker, 32<<20, true
	})
	s.manyEvents(50, 1000)
	for range 2 {
		for _, target := range []string{allEvents, oneEvent} {
			s.get(target)
		}
	}
	if s.seen.Cache != api.CacheHit {
		b.Fatalf("not in memory: %s", s.seen.Cache)
	}
	s.srv.cfg.Observe = func(*api.Observation) {}
	return s
}

// askAgain sends a request again and again. Its client does as little as it can, so that the
// server's work shows.
func askAgain(b *testing.B, h http.Handler, target string) {
	server := httptest.NewServer(h)
	defer server.Close()
	request := []byte(fmt.Sprintf("GET %s/%s HTTP/1.1\r\nHost: village.example\r\nX-Forwarded-Proto: https\r\nUser-Agent: bench\r\nAccept: */*\r\n\r\n", testBase, target))
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			b.Error(err)
			return
		}
		defer conn.Close()
		in := bufio.NewReaderSize(conn, 64<<10)
		for pb.Next() {
			if _, err := conn.Write(request); err != nil {
				b.Error(err)
				return
			}
			if n, err := readAnswer(in); err != nil || n == 0 {
				b.Errorf("%d bytes: %v", n, err)
				return
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
}

// readAnswer reads a good answer over and returns the length of its body.
func readAnswer(in *bufio.Reader) (length int, err error) {
	for first := true; ; first = false {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		if first && !strings.HasPrefix(string(line), "HTTP/1.1 200 ") {
			return 0, fmt.Errorf("%s", line)
		}
		if len(line) <= 2 {
			return io.ReadFull(in, make([]byte, length))
		}
		if n, ok := strings.CutPrefix(string(line), "Content-Length: "); ok {
			length, _ = strconv.Atoi(strings.TrimSpace(n))
		}
	}
}
