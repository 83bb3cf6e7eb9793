package rest

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"os"
	"strings"
	"testing"
	"time"
)

// TestTimedBody sends requests over one connection to a handler whose deadline passes.
func TestTimedBody(t *testing.T) {
	const limit = 100 * time.Millisecond
	var read, gone error
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), limit)
		defer cancel()
		_, read = io.Copy(io.Discard, withTimedBody(ctx, w, r).Body)
		<-ctx.Done()
		time.Sleep(limit / 2) // a missed deadline would be noticed by now
		gone = r.Context().Err()
	}))
	defer server.Close()
	send := func(t *testing.T, body io.Reader) (reused bool) {
		ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{GotConn: func(i httptrace.GotConnInfo) { reused = i.Reused }})
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL, body)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := server.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, resp.Body); err != nil {
			t.Error(err)
		}
		resp.Body.Close()
		return reused
	}
	t.Run("a body that has arrived", func(t *testing.T) {
		for i := range 3 {
			if reused := send(t, strings.NewReader("title=A")); reused != (i > 0) || read != nil || gone != nil {
				t.Fatalf("request %d: connection reused %t, reading: %v, context: %v", i, reused, read, gone)
			}
		}
	})
	t.Run("a body that stalls", func(t *testing.T) {
		stalled, end := io.Pipe()
		defer end.Close()
		go func() { _, _ = end.Write([]byte("title=")) }()
		send(t, stalled)
		if !errors.Is(read, os.ErrDeadlineExceeded) {
			t.Errorf("reading: %v", read)
		}
	})
}
