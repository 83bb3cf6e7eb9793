package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// TestRatios checks that calbridge's cost is printed as multiples of the floor's, and its
// throughput as a share of the bare handler's.
func TestRatios(t *testing.T) {
	of := func(cpu, perSecond float64) result { return result{CPU: cpu, PerSecond: perSecond} }
	c := comparison{recordings: []*recording{{Name: "list of 10"}}, best: map[[2]string]result{
		{"list of 10", uncached}: of(0.9, 300), {"list of 10", same}: of(0.6, 400), {"list of 10", hydrate}: of(0.3, 600),
		{"list of 10", bare}: of(0.02, 40_000), {"list of 10", cached}: of(0.03, 36_000), {"list of 10", strict}: of(0.05, 20_000),
	}}
	var out strings.Builder
	if err := c.writeRatios(&out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if got := strings.Join(strings.Fields(lines[len(lines)-1]), " "); got != "list of 10 1.50 3.00 0.75 0.007 0.90 0.50" {
		t.Errorf("%s", out.String())
	}
}

// TestComparison checks that a server must send the recorded bytes, and that the round with
// the least CPU time counts.
func TestComparison(t *testing.T) {
	body := `{"id":1}`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }))
	defer server.Close()
	page := &recording{Name: "event", Path: "/event", Statements: []string{"a", "b"}, Pieces: [][]byte{[]byte(body)}}
	c := &comparison{recordings: []*recording{page}, servers: []candidate{{name: same}}, least: 20, concurrency: 2, best: map[[2]string]result{}}
	on := target{addr: server.Listener.Addr().String(), pid: os.Getpid()}
	for range 2 {
		if err := c.measure(t.Context(), same, on, page); err != nil {
			t.Fatal(err)
		}
	}
	if r := c.results(); len(r) != 1 || r[0].Name != "event" || r[0].Server != same || r[0].Requests != 20 || r[0].Queries != 2 {
		t.Errorf("%+v", r)
	}
	c.best[[2]string{"event", same}] = result{Name: "earlier"} // no measured CPU time is below 0
	if err := c.measure(t.Context(), same, on, page); err != nil || c.results()[0].Name != "earlier" {
		t.Errorf("%+v, %v", c.results(), err)
	}
	body = `{"id":2}`
	if err := c.measure(t.Context(), same, on, page); err == nil || !strings.Contains(err.Error(), "not the recorded one") {
		t.Errorf("another answer: %v", err)
	}
}

// TestComparisonStartsServers checks that a program that is not a server is an error.
func TestComparisonStartsServers(t *testing.T) {
	c := &comparison{servers: []candidate{{name: bare, program: "false"}}}
	if err := c.run(t.Context(), 1, io.Discard); err == nil || !strings.Contains(err.Error(), "does not serve") {
		t.Errorf("%v", err)
	}
}

// TestRoutes checks that the line of each page has the cost of each server and the queries of
// the last one.
func TestRoutes(t *testing.T) {
	c := comparison{
		recordings: []*recording{{Name: "venues", Pieces: [][]byte{make([]byte, 4200)}}},
		servers:    []candidate{{name: cached}, {name: uncached}},
		best: map[[2]string]result{
			{"venues", cached}: {PerSecond: 9000, CPU: 0.05}, {"venues", uncached}: {PerSecond: 400, CPU: 1.5, Queries: 3},
		},
	}
	var out strings.Builder
	if err := c.writeRoutes(&out); err != nil {
		t.Fatal(err)
	}
	const want = "| request | KB | from memory: requests/s | CPU | `--cache off`: requests/s | CPU | queries |\n" +
		"|---|---|---|---|---|---|---|\n" +
		"| venues | 4.2 | 9000 | 0.050 ms | 400 | 1.500 ms | 3.0 |\n"
	if out.String() != want {
		t.Errorf("%s", out.String())
	}
}

// TestRouteAnswers checks that the response to a read of each kind is kept.
func TestRouteAnswers(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.URL.Path) }))
	defer server.Close()
	fake := candidate{"fake", "sh", []string{"-c", "echo msg=serving listen=" + server.Listener.Addr().String() + " >&2; exec sleep 60"}}
	answers, err := routeAnswers(t.Context(), fake, 100)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, a := range answers {
		path, _, _ := strings.Cut(a.Path, "?")
		if string(a.body()) != path || a.Name == "" || seen[a.Path] {
			t.Errorf("%s %s: %s", a.Name, a.Path, a.body())
		}
		seen[a.Path] = true
	}
	if len(answers) != 12 {
		t.Errorf("%d kinds of reads", len(answers))
	}
}
