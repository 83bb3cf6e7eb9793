package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"
)

// TestMeasure loads a server that counts its requests.
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
	if err != nil || r.Requests != 100 || r.Bytes != 5 || r.P50 <= 0 || r.P99 < r.P50 || r.ResidentMiB <= 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err = measure(t.Context(), target, 1, 20*time.Millisecond, 0, func(int) request { return request{method: "GET", path: "/"} }); err != nil || r.Requests == 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := measure(t.Context(), target, 1, 0, 1, func(int) request { return request{method: "GET", path: "/bad"} }); err == nil {
		t.Error("a refusal is no result")
	}
}

// TestCount checks the percentiles of times from 1 to 200 ms: half take at most 101 ms, 99 %
// at most 199 ms.
func TestCount(t *testing.T) {
	var times []time.Duration
	for i := range 200 {
		times = append(times, time.Duration(200-i)*time.Millisecond)
	}
	var r result
	r.count(times, 4*time.Second)
	if r.Requests != 200 || r.PerSecond != 50 || r.P50 != 101 || r.P99 != 199 {
		t.Errorf("%+v", r)
	}
	if r.count([]time.Duration{time.Millisecond}, time.Second); r.P50 != 1 || r.P99 != 1 {
		t.Errorf("of one request: %+v", r)
	}
}
