package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
)

func TestPieces(t *testing.T) {
	for _, c := range []struct {
		body   string
		pieces int
	}{
		{`{"events":[{"id":1,"x":[{}]},{"id":1,"x":[{}]},{"id":2}],"total":3}`, 7}, {`{"events":[],"total":0}`, 1}, {`{"id":5}`, 1},
	} {
		got, err := pieces([]byte(c.body))
		if err != nil || len(got) != c.pieces || string(bytes.Join(got, nil)) != c.body {
			t.Errorf("%s: %q, %v", c.body, got, err)
		}
	}
}

// TestRecord checks that the second response is recorded, with calbridge's statements other
// than those that read the site and its options.
func TestRecord(t *testing.T) {
	tap, asked := &tap{}, 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		if asked == 2 {
			tap.seen = append(tap.seen, "SET NAMES utf8mb4", "/* calbridge:options.read */ SELECT 1", "/* calbridge:site.time */ SELECT 2", "/* calbridge:posts.read */ SELECT 3")
		}
		_, _ = w.Write([]byte(`{"events":[{"id":1}]}`))
	}))
	defer server.Close()
	r, err := record(t.Context(), tap, server.Listener.Addr().String(), "list", "/list")
	if err != nil || r.Name != "list" || r.Path != "/list" || string(r.body()) != `{"events":[{"id":1}]}` || !slices.Equal(r.Statements, []string{"/* calbridge:posts.read */ SELECT 3"}) {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := record(t.Context(), tap, server.Listener.Addr().String(), "list", "/list"); err == nil {
		t.Error("an answer without statements is recorded")
	}
}
