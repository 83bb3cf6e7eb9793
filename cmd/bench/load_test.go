package main

import (
	"encoding/json"
	"errors"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestLoad(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "venues") {
			http.Error(w, "no venues", http.StatusInternalServerError)
			return
		}
		body, _ := io.ReadAll(r.Body)
		if login, _, _ := r.BasicAuth(); r.Method == "POST" && (login != "bench" || !json.Valid(body)) {
			t.Errorf("%s by %s: %s", r.URL, login, body)
		}
		_, _ = io.WriteString(w, "{}")
	}))
	defer server.Close()
	addr := server.Listener.Addr().String()
	var out strings.Builder
	load := func(args ...string) error {
		out.Reset()
		return run(t.Context(), append([]string{"load", "--addr", addr, "--events", "100", "--for", "5ms"}, args...), &out, io.Discard)
	}
	if err := load("--only", "list of", "--concurrency", "1,2", "--json"); err != nil || strings.Count(out.String(), "\n") != 6 || !strings.Contains(out.String(), `"name":"list of 50","server":"calbridge","concurrency":2`) {
		t.Errorf("%v:\n%s", err, out.String())
	}
	if err := load("--only", "of an event", "--writes", "--concurrency", "1"); err != nil || !strings.Contains(out.String(), "creation of an event") {
		t.Errorf("%v:\n%s", err, out.String())
	}
	if err := load("--only", "venue", "--concurrency", "1"); err == nil || !strings.Contains(err.Error(), "answered 500: no venues") || !strings.Contains(out.String(), "events of a random venue") {
		t.Errorf("%v: the loads before the error are printed:\n%s", err, out.String())
	}
	for _, bad := range []string{"0", "x", "1,,2"} {
		if err := load("--concurrency", bad); err == nil {
			t.Errorf("concurrency %s is accepted", bad)
		}
	}
}

func TestCommands(t *testing.T) {
	var log strings.Builder
	if err := run(t.Context(), nil, io.Discard, &log); !errors.Is(err, flag.ErrHelp) || !strings.Contains(log.String(), "ratios") {
		t.Errorf("%v: %s", err, log.String())
	}
	for _, args := range [][]string{{"nothing"}, {"generate"}, {"generate", "--nonsense"}, {"load", "--nonsense"}, {"ratios", "--nonsense"}} {
		if err := run(t.Context(), args, io.Discard, io.Discard); err == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}
