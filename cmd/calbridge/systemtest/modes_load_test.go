package systemtest

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

	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/synthetic"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// TestDiffModesUnderLoad requests single events at half the rate that native mode sustains. The
// requests alternate between a server in native mode and one that compares with an upstream
// that accepts requests and never responds, so that other load on the machine affects both
// alike. It checks that clients don't notice the comparison and that memory stays bounded.
//
//	CALBRIDGE_PAIRS=10000 go test -timeout 30m -run TestDiffModesUnderLoad -v ./cmd/calbridge/systemtest
//
// sends that many pairs of requests and also judges the times: the 99th percentiles must differ
// by less than 2 ms.
func TestDiffModesUnderLoad(t *testing.T) {
	pairs, _ := strconv.Atoi(os.Getenv("CALBRIDGE_PAIRS"))
	judge := pairs > 0
	if pairs == 0 {
		if testing.Short() {
			t.Skip("takes some seconds")
		}
		pairs = 100
	}
	const run = 2 * time.Second
	dsn := wptest.MariaDB(t)
	store, err := sitedb.Open(t.Context(), sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, dsn), Logger: slog.New(slog.DiscardHandler)}, Tables: table.Config{Prefix: "wp_"}})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if err := store.CreateSchema(t.Context()); err != nil {
		t.Fatal(err)
	}
	wptest.Generate(t, store.SQL(), "wp_", 2000)

	upstream := hangingServer(t)
	clock := synthetic.Now.Format(time.RFC3339)
	native := spawn(t, []string{"CALBRIDGE_DSN=" + dsn}, "serve", "--clock", clock)
	diff := spawn(t, []string{"CALBRIDGE_DSN=" + dsn}, "serve", "--clock", clock, "--mode", "diff-native", "--upstream", upstream)
	url := func(c *child) string { return c.api + "/wp-json/calendar/events/v1/events/" }
	load := &load{client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}, t: t}

	load.flood(url(native), run/2) // warm
	load.flood(url(diff), run/2)
	sustained := load.flood(url(native), run)
	rate := sustained / 2
	t.Logf("native sustains %.0f requests a second; asking %.0f", sustained, rate)
	const droppedName = `calbridge_comparisons_dropped_total{reason="queue"}`
	waitFor(t, func() bool { load.flood(url(diff), run/4); return diff.metric(droppedName) > 0 }) // the queue is full
	took := load.steady([2]string{url(native), url(diff)}, rate, pairs)
	for side, name := range []string{"native", "diff-native"} {
		t.Logf("%-11s p50 %6.2f ms, p90 %6.2f ms, p99 %6.2f ms", name, ms(percentile(took[side], 50)), ms(percentile(took[side], 90)), ms(percentile(took[side], 99)))
	}
	const memory = "process_resident_memory_bytes"
	dropped := diff.metric(droppedName)
	more := diff.metric(memory) - native.metric(memory)
	t.Logf("diff-native takes %.0f MiB, %.0f MiB more than native; %v comparisons dropped", diff.metric(memory)/(1<<20), more/(1<<20), dropped)
	if more > 64<<20 {
		t.Errorf("the queue costs %.0f MiB", more/(1<<20))
	}
	if late := percentile(took[1], 99) - percentile(took[0], 99); judge && late > 2*time.Millisecond {
		t.Errorf("clients wait %.2f ms longer", ms(late))
	}
}

// percentile returns a percentile of sorted durations.
func percentile(d []time.Duration, p int) time.Duration { return d[len(d)*p/100] }

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// hangingServer accepts connections and requests and never responds.
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

// load requests one event after another.
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

// flood sends requests as fast as responses arrive. It returns the requests per second.
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

// steady requests pairs of events in turns at a fixed rate, whether responses arrive or not.
// It returns for each side the sorted times from the moment at which a request was due to its
// response.
func (l *load) steady(urls [2]string, perSecond float64, pairs int) (took [2][]time.Duration) {
	took = [2][]time.Duration{make([]time.Duration, pairs), make([]time.Duration, pairs)}
	var clients sync.WaitGroup
	begin := time.Now()
	for i := range 2 * pairs {
		side := (i + i/2) % 2 // each side is first in every other pair
		due := begin.Add(time.Duration(float64(i) / perSecond * float64(time.Second)))
		time.Sleep(time.Until(due))
		clients.Go(func() {
			l.ask(urls[side])
			took[side][i/2] = time.Since(due)
		})
	}
	clients.Wait()
	for _, d := range took {
		slices.Sort(d)
	}
	return took
}
