package main

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestFigures checks that the text format of Prometheus is read and that labels are summed.
func TestFigures(t *testing.T) {
	text := "# HELP calbridge_http_request_queries x\n" +
		"calbridge_http_request_queries_bucket{route=\"/a\",le=\"1\"} 9\n" +
		"calbridge_http_request_queries_sum{route=\"/a\"} 12\ncalbridge_http_request_queries_sum{route=\"/b\"} 3\n" +
		"calbridge_http_request_queries_count{route=\"/a\"} 2\ncalbridge_http_request_queries_count{route=\"/b\"} 1\n" +
		"go_memstats_alloc_bytes_total 2.5e+06\ngo_memstats_mallocs_total 700\ncalbridge_listing_dates 40\ncalbridge_cache_enabled 1\n" +
		"calbridge_search_index_posts 30\ncalbridge_search_index_bytes 5000\n"
	ops := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/metrics" {
			t.Errorf("%s is read", r.URL)
		}
		if text == "" {
			w.WriteHeader(http.StatusForbidden)
		}
		_, _ = w.Write([]byte(text))
	}))
	defer ops.Close()
	addr := ops.Listener.Addr().String()
	got, err := readFigures(t.Context(), addr)
	if want := (figures{15, 3, 2.5e6, 700, 40, 1, 30, 5000}); err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	earlier := figures{5, 1, 1e6, 200, 30, 1, 20, 4000}
	if got.minus(earlier) != (figures{10, 2, 1.5e6, 500, 40, 1, 30, 5000}) {
		t.Errorf("%+v", got.minus(earlier))
	}
	for _, text = range []string{"", "go_memstats_mallocs_total many\n"} {
		if _, err := readFigures(t.Context(), addr); err == nil {
			t.Errorf("%q is read", text)
		}
	}
	if _, err := readFigures(t.Context(), "127.0.0.1:1"); err == nil {
		t.Error("no listener is read")
	}
}
