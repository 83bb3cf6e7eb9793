package systemtest

import (
	"calbridge/cmd/calbridge/daemon"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
)

// TestMemoryIsBounded repeatedly requests more than a program may cache. It checks that the
// caches fill up to their limit and that the process takes little more memory than that.
func TestMemoryIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("generates a calendar on MariaDB")
	}
	const events, mayCache = 5000, 32 << 20
	c := spawn(t, nil, "serve", "--dsn", soakDatabase(t, events).DSN, "--cache-size", "32MiB")
	waitFor(t, func() bool { return c.metric("calbridge_listing_dates") > 0 })
	memory := func() float64 { return c.metric("go_memstats_sys_bytes") - c.metric("go_memstats_heap_released_bytes") }
	askForEvents(t, c.started, 1)
	before := memory()
	for range 2 {
		askForEvents(t, c.started, events)
	}
	cached := c.metric("calbridge_cache_answer_bytes") + c.metric("calbridge_cache_row_bytes") + c.metric("calbridge_cache_rendered_bytes")
	after := memory()
	t.Logf("%.1f MiB before, %.1f MiB after, of which %.1f MiB are cached; resident %.1f MiB", before/(1<<20), after/(1<<20), cached/(1<<20), c.metric("process_resident_memory_bytes")/(1<<20))
	if cached < 0.8*mayCache || cached > 1.05*mayCache || c.metric("calbridge_cache_evictions_total") == 0 {
		t.Errorf("%.1f MiB are cached", cached/(1<<20))
	}
	// Buffers of connections and threads, 8 MiB or less, and what the first measurement varies by:
	// it depends on when the last collection was.
	const others = 16 << 20
	if after > before+mayCache+daemon.LeastGarbage+others {
		t.Errorf("the program takes %.1f MiB more than before", (after-before)/(1<<20))
	}
}

// askForEvents requests the first events of a generated calendar one by one.
func askForEvents(t *testing.T, s *started, n int) {
	t.Helper()
	next := make(chan int)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for i := range next {
				resp, err := http.Get(fmt.Sprintf("%s/wp-json/calendar/events/v1/events/%d", s.api, 10001+i))
				if err != nil {
					t.Error(err)
					continue
				}
				if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode != http.StatusOK {
					t.Errorf("%s: %v", resp.Status, err)
				}
				resp.Body.Close()
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	group.Wait()
}
