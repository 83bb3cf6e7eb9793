package systemtest

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestHugeBodies sends a hundred of the largest bodies at once, without credentials, in
// shapes that are many times larger once parsed. They take little memory, and others are
// served meanwhile.
func TestHugeBodies(t *testing.T) {
	if testing.Short() {
		t.Skip("sends 800 MiB")
	}
	const clients, size, mayTake = 100, 8 << 20, 200 << 20
	text := func(before, unit, after string) string {
		return before + strings.Repeat(unit, (size-len(before)-len(after))/len(unit)) + after
	}
	c := spawn(t, nil, "serve", "--dsn", "sqlite:"+sampleFile(t))
	quiet := serveOthers(t, c.api, 200)
	idle := readFigures(t, c.started)
	for _, attack := range []struct {
		name, contentType, body string
		status                  int
	}{
		{"lists", "application/json", text(`{"a":[`, `[],`, `[]]}`), http.StatusRequestEntityTooLarge},
		{"commas", "application/json", text(`{"title":"x","start_date":"now","end_date":"now","venue":"`, `,`, `"}`), http.StatusBadRequest},
		{"form", "application/x-www-form-urlencoded", text(`title=x&start_date=now&end_date=now`, `&organizer[]=%2C`, ``), http.StatusBadRequest},
	} {
		var left atomic.Int64
		left.Store(clients)
		var senders sync.WaitGroup
		begin := time.Now()
		for range clients {
			senders.Go(func() {
				defer left.Add(-1)
				resp, err := http.Post(c.api+hostileAPI+"/events", attack.contentType, strings.NewReader(attack.body))
				if err != nil {
					t.Error(err)
					return
				}
				answer, _ := io.ReadAll(resp.Body)
				resp.Body.Close()
				if resp.StatusCode != attack.status && resp.StatusCode != http.StatusServiceUnavailable {
					t.Errorf("%s: %d %.200s", attack.name, resp.StatusCode, answer)
				}
			})
		}
		var resident float64
		var busy []time.Duration
		for left.Load() > 0 {
			busy = append(busy, serveOthers(t, c.api, 5)...)
			resident = max(resident, readFigures(t, c.started).resident)
		}
		senders.Wait()
		p99 := func(took []time.Duration) time.Duration {
			slices.Sort(took)
			return took[len(took)*99/100].Round(100 * time.Microsecond)
		}
		t.Logf("%s: %.0f MiB above the %.0f at rest, in %s; others' 99th percentile %s before, %s meanwhile, of %d", attack.name, (resident-idle.resident)/(1<<20),
			idle.resident/(1<<20), time.Since(begin).Round(time.Millisecond), p99(quiet), p99(busy), len(busy))
		if resident > idle.resident+mayTake {
			t.Errorf("%s: %.0f MiB of memory were in use", attack.name, resident/(1<<20))
		}
	}
}
