package docker_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// streams are the streams of an upstream. A stream ends once its client reports that it
// has read the first message, because some web servers detect late that a client has
// gone.
type streams struct{ read chan struct{} }

func newStreams() streams { return streams{make(chan struct{}, 1)} }

// answer handles the requests for streams.
func (s streams) answer(w http.ResponseWriter, r *http.Request) bool {
	switch {
	case strings.HasSuffix(r.URL.Path, "/events/stream/read"):
		s.read <- struct{}{}
		w.WriteHeader(http.StatusNoContent)
	case strings.HasSuffix(r.URL.Path, "/events/stream"):
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Accel-Buffering", "no")
		_, _ = io.WriteString(w, "id: 1\n\n")
		_ = http.NewResponseController(w).Flush()
		select {
		case <-s.read:
		case <-r.Context().Done():
		}
	default:
		return false
	}
	return true
}

// tryStream requests a stream from a web server. The first message must arrive while the
// stream is open.
func tryStream(t *testing.T, addr, target string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	get := func(target string) *http.Response {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+target, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept", "text/event-stream")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatalf("a stream: %v", err)
		}
		return resp
	}
	resp := get(target)
	defer resp.Body.Close()
	line, err := bufio.NewReader(resp.Body).ReadString('\n')
	if line != "id: 1\n" || resp.Header.Get("Content-Encoding") != "" {
		t.Errorf("a stream begins with %q, %v, %v", line, err, resp.Header)
	}
	if end := get(target + "/read"); end.StatusCode != http.StatusNoContent {
		t.Errorf("status %d", end.StatusCode)
	}
}
