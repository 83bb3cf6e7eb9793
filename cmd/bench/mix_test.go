package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"calbridge/wpstore/synthetic"
)

// TestMixture checks that the shares are exact, that repeated reads were sent before, and that
// no other read comes twice.
func TestMixture(t *testing.T) {
	m, again := newMixture("/wp-json/x/v1", 1000, 7), newMixture("/wp-json/x/v1", 1000, 7)
	hot := map[request]bool{}
	for _, r := range m.hot {
		hot[r] = true
	}
	var count [kinds]int
	seen := map[string]bool{}
	for i := range 40 * mixPeriod {
		o := m.at(i)
		count[o.kind]++
		if other := again.at(i); other.request != o.request || len(other.statements) != len(o.statements) {
			t.Fatalf("operation %d: %+v, then %+v", i, o, other)
		}
		switch o.kind {
		case repeated:
			if !hot[o.request] {
				t.Errorf("%s was not asked before", o.request.path)
			}
		case fresh:
			if u, err := url.ParseRequestURI(o.request.path); err != nil || hot[o.request] || seen[u.Query().Get("start_date")] {
				t.Errorf("%s, %v", o.request.path, err)
			} else {
				seen[u.Query().Get("start_date")] = true
			}
		case ourWrite:
			if o.request.method != "POST" || o.request.authorization == "" {
				t.Errorf("%+v", o.request)
			}
		case sqlWrite:
			for _, s := range o.statements {
				id := s.args[len(s.args)-1].(int)
				if id == 0 || id < synthetic.FirstEvent || id >= synthetic.FirstEvent+1000 || strings.Count(s.text, "?") != len(s.args) {
					t.Errorf("%+v", s)
				}
			}
		}
	}
	if count != [kinds]int{40 * 90, 40 * 8, 40, 40} {
		t.Errorf("%v", count)
	}
}

// TestMixRun loads a server that sends its responses in chunks.
func TestMixRun(t *testing.T) {
	var mu sync.Mutex
	asked, written := map[string]int{}, 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked[r.Method]++
		_, _ = io.WriteString(w, "{")
		w.(http.Flusher).Flush()
		_, _ = io.WriteString(w, "}")
	}))
	defer server.Close()
	reference, base, err := parseReference(server.URL + "/wp-json/x/v1/")
	if err != nil || base != "/wp-json/x/v1" {
		t.Fatal(base, err)
	}
	m := mix{clients: 2, long: 300 * time.Millisecond, exec: func(context.Context, []sqlStatement) error {
		mu.Lock()
		defer mu.Unlock()
		written++
		return nil
	}}
	results, err := m.run(t.Context(), "reference", reference, newMixture(base, 1000, 0))
	if err != nil || len(results) != int(kinds)+1 {
		t.Fatalf("%+v, %v", results, err)
	}
	sum := 0
	for _, r := range results[:kinds] {
		sum += r.Requests
	}
	if all := results[kinds]; all.Name != mixTotal || all.Requests != sum || results[sqlWrite].Requests != written || results[ourWrite].Requests != asked["POST"] {
		t.Errorf("%+v of %v, %d", results, asked, written)
	}
	var log strings.Builder
	m.log, m.exec = &log, func(context.Context, []sqlStatement) error { return errors.New("broken") }
	if results, err = m.run(t.Context(), "reference", reference, newMixture(base, 1000, 0)); err != nil || results[sqlWrite].Requests != 0 || !strings.Contains(log.String(), "writes by SQL failed, and don't count; the first: broken") {
		t.Errorf("an operation that fails: %v: %s", err, log.String())
	}
	server.Close()
	if _, err := m.run(t.Context(), "reference", reference, newMixture(base, 1000, 0)); err == nil {
		t.Error("a server that is gone is measured")
	}
	var out strings.Builder
	if err := writeMixRatio(&out, []result{{Name: mixTotal, Server: "calbridge", PerSecond: 300}, {Name: mixTotal, Server: "reference", PerSecond: 10}}); err != nil || !strings.Contains(out.String(), " 30.0 times") {
		t.Errorf("%s %v", out.String(), err)
	}
}

func TestReferences(t *testing.T) {
	for text, want := range map[string]string{"http://a.example": "a.example:80 a.example " + namespacePath, "http://a.example:81/x": "a.example:81 a.example:81 /x"} {
		got, base, err := parseReference(text)
		if err != nil || got.addr+" "+got.host+" "+base != want {
			t.Errorf("%s: %+v %s %v", text, got, base, err)
		}
	}
	for _, text := range []string{"a.example", "https://a.example/", "http://", "http://a\x00"} {
		if _, _, err := parseReference(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

// TestAwaitIndex checks that awaitIndex waits until the index has dates.
func TestAwaitIndex(t *testing.T) {
	asked, caching := 0, "calbridge_cache_enabled 1\n"
	ops := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, caching+[]string{"calbridge_listing_dates 0\n", "calbridge_listing_dates 5\n"}[min(asked, 1)])
		asked++
	}))
	defer ops.Close()
	if err := awaitIndex(t.Context(), ops.Listener.Addr().String(), io.Discard); err != nil || asked != 2 {
		t.Errorf("asked %d times, %v", asked, err)
	}
	asked, caching = 0, "calbridge_cache_enabled 0\n"
	if err := awaitIndex(t.Context(), ops.Listener.Addr().String(), io.Discard); err != nil || asked != 1 {
		t.Errorf("asked %d times without a cache, %v", asked, err)
	}
	if err := awaitIndex(t.Context(), "127.0.0.1:1", io.Discard); err == nil {
		t.Error("no listener has an index")
	}
}
