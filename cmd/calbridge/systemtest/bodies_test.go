package systemtest

import (
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestHugeBodies sends a hundred of the largest bodies at once without credentials, in shapes that
// grow many times when they are parsed. It checks that they take little memory and that other
// requests are served meanwhile. It logs how long these waited but does not judge it, because
// on a busy machine they wait for the machine, and here also for the senders in the same
// process. CALBRIDGE_LONG repeats each attack until there are enough requests for a 99th
// percentile:
//
//	CALBRIDGE_LONG=1 go test -run TestHugeBodies -v ./cmd/calbridge/systemtest
func TestHugeBodies(t *testing.T) {
	if testing.Short() {
		t.Skip("sends 800 MiB")
	}
	const clients, size, mayTake = 100, 8 << 20, 200 << 20
	atLeast := 1 // requests of others
	if os.Getenv("CALBRIDGE_LONG") != "" {
		atLeast = 2000
	}
	text := func(before, unit, after string) string {
		return before + strings.Repeat(unit, (size-len(before)-len(after))/len(unit)) + after
	}
	// On a busy machine everything waits longer, but no client may get 503 because of it.
	c := spawn(t, nil, "serve", "--dsn", "sqlite:"+sampleFile(t), "--request-timeout", "5m", "--pool-wait", "5m")
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
		send := func() {
			var senders sync.WaitGroup
			for range clients {
				senders.Go(func() {
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
			senders.Wait()
		}
		var served atomic.Int64
		var over atomic.Bool
		var attacker, watcher sync.WaitGroup
		begin := time.Now()
		attacker.Go(func() {
			defer over.Store(true)
			for again := true; again; again = served.Load() < int64(atLeast) && !t.Failed() {
				send()
			}
		})
		var resident float64
		watcher.Go(func() {
			for !over.Load() {
				resident = max(resident, readFigures(t, c.started).resident)
				time.Sleep(10 * time.Millisecond)
			}
		})
		var busy []time.Duration
		for !over.Load() {
			busy = append(busy, serveOthers(t, c.api, 5)...)
			served.Add(5)
		}
		attacker.Wait()
		watcher.Wait()
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
