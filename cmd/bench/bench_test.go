package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"calbridge/wpstore/mysqlwire"
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

// TestTap passes a login, two statements and another command.
func TestTap(t *testing.T) {
	packet := func(sequence byte, payload string) string {
		return string(mysqlwire.AppendPacket(nil, sequence, []byte(payload)))
	}
	long := strings.Repeat("x", 300)
	sent := packet(1, "login") + packet(0, "\x03SELECT 1") + packet(0, "\x0e") + packet(0, "\x03"+long)
	var passed bytes.Buffer
	tap := &tap{}
	_ = tap.pass(&passed, strings.NewReader(sent)) // ends with the end of the text
	if passed.String() != sent {
		t.Errorf("%q came through", passed.String())
	}
	if got := tap.statements(); !slices.Equal(got, []string{"SELECT 1", long}) {
		t.Errorf("%q", got)
	}
	if got := tap.statements(); len(got) != 0 {
		t.Errorf("again %q", got)
	}
}

// TestMeasure loads a server that counts.
func TestMeasure(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/bad" {
			http.Error(w, "no", http.StatusTeapot)
			return
		}
		_, _ = w.Write([]byte("hello"))
	}))
	defer server.Close()
	target := target{addr: server.Listener.Addr().String(), pid: os.Getpid()}
	r, err := measure(t.Context(), target, 4, 0, 100, func(int) request { return request{method: "GET", path: "/"} })
	if err != nil || r.Requests != 100 || r.Bytes != 5 || r.CPU <= 0 || r.P50 <= 0 || r.P99 < r.P50 || r.ResidentMiB <= 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err = measure(t.Context(), target, 1, 20*time.Millisecond, 0, func(int) request { return request{method: "GET", path: "/"} }); err != nil || r.Requests == 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := measure(t.Context(), target, 1, 0, 1, func(int) request { return request{method: "GET", path: "/bad"} }); err == nil {
		t.Error("a refusal is no result")
	}
}
