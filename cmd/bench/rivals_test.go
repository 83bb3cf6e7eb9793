package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestTail checks that the series is the same in each run, that frequent addresses are as frequent
// as their rank says, and that some addresses are searches.
func TestTail(t *testing.T) {
	const sent = 50_000
	a, b := newTail("/x", 1000, 500, 1000, true), newTail("/x", 1000, 500, 1000, true)
	count := map[request]int{}
	searches := 0
	for i := range sent {
		r := a.next(i)
		if other := b.next(i); other != r {
			t.Fatalf("request %d: %s, then %s", i, r.path, other.path)
		}
		count[r]++
		if strings.Contains(r.path, "search=") {
			searches++
		}
	}
	// The addresses of kinds with few values may repeat, so that these are lower bounds.
	all := a.until[len(a.until)-1]
	for _, rank := range []int{1, 10, 100} {
		share := (a.until[rank-1] - append([]float64{0}, a.until...)[rank-1]) / all
		if got := float64(count[a.addresses[rank-1]]) / sent; got < share*0.7 {
			t.Errorf("address %d has a share of %.4f, want at least %.4f", rank, got, share)
		}
	}
	if len(count) < 300 || searches == 0 || searches > sent/50 {
		t.Errorf("%d addresses, %d searches", len(count), searches)
	}
}

// TestTailWithoutSearches checks that a series without searches has other addresses and none of them is
// a search.
func TestTailWithoutSearches(t *testing.T) {
	with, without := newTail("/x", 1000, 500, 1000, true), newTail("/x", 1000, 500, 1500, false)
	same := 0
	for i, r := range without.addresses {
		if strings.Contains(r.path, "search=") {
			t.Errorf("%s is a search", r.path)
		}
		if r == with.addresses[i] {
			same++
		}
	}
	if same > 100 { // some kinds have few values
		t.Errorf("%d of 500 addresses are the same", same)
	}
}

// origin is a server of one event, whose title edit sets. It counts requests.
type origin struct {
	mu    sync.Mutex
	title string
	asked atomic.Int64
}

func (o *origin) edit(_ context.Context, _ int, title string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.title = title
	return nil
}

func (o *origin) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	o.asked.Add(1)
	o.mu.Lock()
	defer o.mu.Unlock()
	w.Header().Set("Cache-Control", "no-cache")
	fmt.Fprintf(w, `{"title":"%s"}`, o.title)
}

func testRivalry(o *origin) *rivalry {
	return &rivalry{events: 200, addresses: 20, pages: 3, long: 20 * time.Millisecond, tail: 20 * time.Millisecond, stale: 500 * time.Millisecond, every: 20 * time.Millisecond, edit: o.edit, log: io.Discard}
}

// TestRivalry measures a server without a cache, which is never stale, and one whose edits fail.
func TestRivalry(t *testing.T) {
	o := &origin{}
	server := httptest.NewServer(o)
	defer server.Close()
	r := rival{"origin", target{addr: server.Listener.Addr().String()}, "/x"}
	results, err := testRivalry(o).run(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	works := map[string]bool{}
	for _, r := range results {
		works[r.Work] = true
		if r.Requests == 0 || r.Failed > 0 || r.Server != "origin" || r.Stale > 0 {
			t.Errorf("%+v", r)
		}
	}
	if len(works) != 13 || len(results) != 13 {
		t.Errorf("%d works, %d results", len(works), len(results))
	}
	broken := testRivalry(o)
	broken.edit = func(context.Context, int, string) error { return errors.New("broken") }
	if _, err := broken.run(t.Context(), r); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Errorf("edits that fail: %v", err)
	}
	server.Close()
	if _, err := testRivalry(o).run(t.Context(), r); err == nil {
		t.Error("a server that is gone is measured")
	}
}

// TestMicroCache checks that nginx takes the configuration, and answers from its cache, so that
// edits show late.
func TestMicroCache(t *testing.T) {
	nginx, err := exec.LookPath(cmp.Or(os.Getenv("CALBRIDGE_NGINX"), "nginx"))
	if err != nil {
		t.Skip("nginx is not installed: set CALBRIDGE_NGINX= to its program")
	}
	o := &origin{}
	server := httptest.NewServer(o)
	defer server.Close()
	r, stop, err := startMicroCache(t.Context(), nginx, t.TempDir(), rival{"origin", target{addr: server.Listener.Addr().String()}, "/x"}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	if r.name != "nginx 60 s" || r.base != "/x" {
		t.Errorf("%+v", r)
	}
	same := func(int) request { return request{method: "GET", path: "/x/events"} }
	if got := load(t.Context(), r.target, 2, time.Minute, 50, same); got.Requests != 50 || got.Failed > 0 || o.asked.Load() != 1 {
		t.Errorf("%+v, the origin was asked %d times", got, o.asked.Load())
	}
	user := adminRequest()
	user.method, user.path = "GET", "/x/events"
	if got := load(t.Context(), r.target, 1, time.Minute, 5, func(int) request { return user }); got.Requests != 5 || o.asked.Load() != 6 {
		t.Errorf("with credentials: %+v, the origin was asked %d times", got, o.asked.Load())
	}
	edited, err := testRivalry(o).edits(t.Context(), r)
	if err != nil || edited.Stale == 0 || edited.Oldest < edited.StaleP50 {
		t.Errorf("%+v, %v", edited, err)
	}
	if _, _, err := startMicroCache(t.Context(), "/nowhere/nginx", t.TempDir(), r, time.Second); err == nil || !strings.Contains(err.Error(), "--nginx") {
		t.Errorf("without nginx: %v", err)
	}
}

// TestDelayed checks that the proxy of the stand-in waits, and passes requests on.
func TestDelayed(t *testing.T) {
	o := &origin{title: "here"}
	server := httptest.NewServer(o)
	defer server.Close()
	const delay = 30 * time.Millisecond
	proxy, err := delayed(server.Listener.Addr().String(), delay)
	if err != nil {
		t.Fatal(err)
	}
	defer proxy.Close()
	began := time.Now()
	if body, err := get(t.Context(), proxy.Addr, "/x"); err != nil || !strings.Contains(string(body), "here") || time.Since(began) < delay {
		t.Errorf("%s, %v after %s", body, err, time.Since(began))
	}
}

func TestWriteRivals(t *testing.T) {
	results := []rivalResult{
		{Work: "a", Server: "one", PerSecond: 10, P50: 1, P99: 2}, {Work: "b", Server: "one", PerSecond: 50, form: perPage}, {Work: "c", Server: "one", form: ages},
		{Work: "a", Server: "two", PerSecond: 20, P50: 3, P99: 4, Failed: 7}, {Work: "c", Server: "two", Stale: 0.5, StaleP50: 300, Oldest: 900, form: ages},
	}
	var table, lines strings.Builder
	if err := errors.Join(writeRivals(&table, false, results), writeRivals(&lines, true, results)); err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(table.String()) {
		got = append(got, strings.Join(strings.Fields(line), " "))
	}
	want := []string{"work one two", "a 10/s, p50 1.0 ms, p99 2.0 ms 20/s, p50 3.0 ms, p99 4.0 ms, 7 failed", "b 20.0 ms a page", "c 0.0 % stale 50.0 % stale, by 300 ms, at most 900 ms"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") || strings.Count(lines.String(), "\n") != len(results) {
		t.Errorf("%s\n%s", table.String(), lines.String())
	}
}

func TestRivalsRefuses(t *testing.T) {
	for _, args := range [][]string{{"--events", "0"}, {"--every", "0s"}, {"--against", "nonsense"}, {"--nonsense"}} {
		if err := rivalsCommand(t.Context(), append([]string{"--calbridge", "/nowhere"}, args...), io.Discard, io.Discard); err == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}
