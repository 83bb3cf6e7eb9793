package main

import (
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"calbridge/wpstore"
	"calbridge/wpstore/wptest"
)

// TestDiffModesUnderLoad asks for single events at half the rate that native
// sustains, once of a server in mode native and once of one that compares with an
// upstream which takes requests and never answers, in pairs of runs. Clients must
// not notice, and memory must stay bounded.
//
//	CALBRIDGE_PAIRS=10 go test -timeout 30m -run TestDiffModesUnderLoad -v ./cmd/calbridge
//
// judges the times: the median over the pairs of the difference of their 99th
// percentiles must be below 2 ms.
func TestDiffModesUnderLoad(t *testing.T) {
	pairs, _ := strconv.Atoi(os.Getenv("CALBRIDGE_PAIRS"))
	run := 6 * time.Second
	if pairs == 0 {
		if testing.Short() {
			t.Skip("takes some seconds")
		}
		run = time.Second
	}
	dsn := wptest.MariaDB(t)
	store, err := wpstore.Open(t.Context(), wpstore.Config{DSN: dsn, TablePrefix: "wp_", Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if err := store.CreateSchema(t.Context()); err != nil {
		t.Fatal(err)
	}
	wptest.Generate(t, store.SQL(), "wp_", 2000)

	upstream := hangingServer(t)
	clock := wptest.GeneratedNow.Format(time.RFC3339)
	native := spawn(t, []string{"CALBRIDGE_DSN=" + dsn}, "serve", "--clock", clock)
	diff := spawn(t, []string{"CALBRIDGE_DSN=" + dsn}, "serve", "--clock", clock, "--mode", "diff-native", "--upstream", upstream)
	url := func(c *child) string { return c.api + "/wp-json/calendar/events/v1/events/" }
	load := &load{client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}, t: t}

	load.flood(url(native), run/2) // warm
	sustained := load.flood(url(native), run)
	rate := sustained / 2
	t.Logf("native sustains %.0f requests a second; asking %.0f", sustained, rate)
	before := diff.metric("process_resident_memory_bytes")
	const droppedName = `calbridge_comparisons_dropped_total{reason="queue"}`
	waitFor(t, func() bool { load.flood(url(diff), run/4); return diff.metric(droppedName) > 0 }) // the queue is full
	var differences []time.Duration
	for i := range pairs {
		var p99 [2]time.Duration
		for _, side := range []int{i % 2, 1 - i%2} {
			c := native
			if side == 1 {
				c = diff
			}
			took := load.steady(url(c), rate, run)
			p99[side] = took[len(took)*99/100]
			t.Logf("pair %d, %-11s p50 %6.2f ms, p99 %6.2f ms", i+1, [2]string{"native", "diff-native"}[side], ms(took[len(took)/2]), ms(p99[side]))
		}
		differences = append(differences, p99[1]-p99[0])
	}
	after := diff.metric("process_resident_memory_bytes")
	dropped := diff.metric(droppedName)
	t.Logf("memory of diff-native: %.0f MiB before, %.0f MiB after; %v comparisons dropped", before/(1<<20), after/(1<<20), dropped)
	if after-before > 64<<20 {
		t.Errorf("memory grew by %.0f MiB", (after-before)/(1<<20))
	}
	if pairs > 0 {
		slices.Sort(differences)
		median := differences[len(differences)/2]
		t.Logf("p99 of diff-native minus p99 of native: median %.2f ms, from %.2f to %.2f ms", ms(median), ms(differences[0]), ms(differences[len(differences)-1]))
		if median > 2*time.Millisecond {
			t.Errorf("clients wait %s longer", median)
		}
	}
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// hangingServer takes connections and requests and never answers.
func hangingServer(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() { _, _ = io.Copy(io.Discard, conn); conn.Close() }()
		}
	}()
	return "http://" + l.Addr().String()
}

// load asks for one event after the other.
type load struct {
	t      *testing.T
	client *http.Client
	next   atomic.Int64
}

func (l *load) ask(url string) {
	resp, err := l.client.Get(url + strconv.FormatInt(10001+l.next.Add(1)%2000, 10))
	if err != nil {
		l.t.Error(err)
		return
	}
	if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode != http.StatusOK {
		l.t.Errorf("%d %v", resp.StatusCode, err)
	}
	resp.Body.Close()
}

// flood asks as fast as answers come and returns the requests per second.
func (l *load) flood(url string, during time.Duration) float64 {
	var asked atomic.Int64
	var clients sync.WaitGroup
	begin := time.Now()
	for range 8 {
		clients.Go(func() {
			for time.Since(begin) < during && !l.t.Failed() {
				l.ask(url)
				asked.Add(1)
			}
		})
	}
	clients.Wait()
	return float64(asked.Load()) / time.Since(begin).Seconds()
}

// steady asks at a rate, whether answers come or not, and returns how long they
// took from the moment at which they were due, in order of size.
func (l *load) steady(url string, perSecond float64, during time.Duration) []time.Duration {
	n := int(perSecond * during.Seconds())
	took := make([]time.Duration, max(n, 1))
	var clients sync.WaitGroup
	begin := time.Now()
	for i := range took {
		due := begin.Add(time.Duration(float64(i) / perSecond * float64(time.Second)))
		time.Sleep(time.Until(due))
		clients.Go(func() {
			l.ask(url)
			took[i] = time.Since(due)
		})
	}
	clients.Wait()
	slices.Sort(took)
	return took
}
