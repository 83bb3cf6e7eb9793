package systemtest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// soakClients is the maximum number of requests in flight.
const soakClients = 16

// soakLoad sends reads and writes and judges each response.
type soakLoad struct {
	url    string
	http   *http.Client
	events int // their ids begin at 10001
	sent   atomic.Int64

	mu     sync.Mutex
	made   map[string][]int64 // ids of objects that this load has created, by collection
	number int                // number of the last write
	took   map[string][]time.Duration
	faults []string
}

func newSoakLoad(api string, events int) *soakLoad {
	return &soakLoad{
		url: api + "/wp-json/calendar/events/v1", events: events, made: map[string][]int64{}, took: map[string][]time.Duration{},
		http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: soakClients}, Timeout: 2 * time.Minute},
	}
}

// run sends requests for a time at the given rate per second; 0 means as many as possible. It
// returns the responses per second.
func (l *soakLoad) run(ctx context.Context, rate float64, length time.Duration) float64 {
	ctx, cancel := context.WithTimeout(ctx, length)
	defer cancel()
	due := make(chan time.Time, soakClients)
	go func() {
		defer close(due)
		begin := time.Now()
		for n := 0; ; n++ {
			at := time.Now()
			if rate > 0 {
				at = begin.Add(time.Duration(float64(n) / rate * float64(time.Second)))
				time.Sleep(time.Until(at))
			}
			select {
			case <-ctx.Done():
				return
			case due <- at:
			}
		}
	}()
	before, begin := l.sent.Load(), time.Now()
	var clients sync.WaitGroup
	for range soakClients {
		clients.Go(func() {
			for range due {
				l.one()
			}
		})
	}
	clients.Wait()
	return float64(l.sent.Load()-before) / time.Since(begin).Seconds()
}

// one sends one request. Nine of ten are reads.
func (l *soakLoad) one() {
	if rand.IntN(10) == 0 {
		l.write()
		return
	}
	event := 10_001 + rand.IntN(l.events)
	slug := rand.IntN(l.events) + 1
	kinds := []struct {
		name, path string
		status     int
	}{
		{"one event", fmt.Sprintf("/events/%d", event), 200},
		{"one event", fmt.Sprintf("/events/by-slug/akce-%d", slug), 200},
		{"events", fmt.Sprintf("/events?per_page=%d", 1+rand.IntN(50)), 200},
		{"events of a month", fmt.Sprintf("/events?start_date=2026-%02d-01&end_date=2026-%02d-28", 1+rand.IntN(12), 1+rand.IntN(12)), 0},
		{"events by filters", fmt.Sprintf("/events?categories=%d&venue=%d&per_page=10", 1+rand.IntN(12), 1001+rand.IntN(10)), 200},
		{"search", fmt.Sprintf("/events?search=%d&per_page=5", 1+rand.IntN(l.events)), 200},
		{"venues and others", []string{"/venues", "/organizers", "/categories", "/tags"}[rand.IntN(4)] + "?per_page=10", 200},
		{"venues and others", []string{"/venues/1001", "/organizers/3001", "/categories/1", "/tags/13"}[rand.IntN(4)], 200},
		{"index", []string{"", "/doc"}[rand.IntN(2)], 200},
		{"refused", []string{"/events?page=zero", "/events/1", "/nothing", "/events?per_page=50&page=9999"}[rand.IntN(4)], 400},
	}
	k := kinds[rand.IntN(len(kinds))]
	l.send(k.name, http.MethodGet, k.path, "", k.status)
}

// write creates, changes or removes an object.
func (l *soakLoad) write() {
	kinds := []string{"events", "events", "events", "venues", "organizers", "categories", "tags"}
	collection := kinds[rand.IntN(len(kinds))]
	l.mu.Lock()
	l.number++
	n := l.number
	made := l.made[collection]
	var id int64
	remove := false
	switch {
	case len(made) > 5 && rand.IntN(5) == 0: // about as many are removed as created
		id, remove = made[0], true
		l.made[collection] = made[1:]
	case len(made) > 5 && rand.IntN(5) > 0:
		at := rand.IntN(len(made)) // no other client changes or removes it meanwhile
		id = made[at]
		l.made[collection] = slices.Delete(made, at, at+1)
	}
	l.mu.Unlock()
	body := ""
	switch collection {
	case "events":
		at := time.Date(2027, 1, 1, 8, 0, 0, 0, time.UTC).Add(time.Duration(n%5000) * time.Hour)
		body = fmt.Sprintf(`{"title": "Soak %d", "description": "<p>Text %d</p>", "start_date": %q, "end_date": %q, "categories": [%d], "tags": [13, "soak %d"], "venue": 1001, "organizer": [3001], "cost": "%d"}`,
			n, n, at.Format(time.DateTime), at.Add(2*time.Hour).Format(time.DateTime), 1+n%12, n%20, n)
	case "venues":
		body = fmt.Sprintf(`{"venue": "Soak %d", "city": "Brno"}`, n)
	case "organizers":
		body = fmt.Sprintf(`{"organizer": "Soak %d", "phone": "%d"}`, n, n)
	default:
		body = fmt.Sprintf(`{"name": "Soak %s %d"}`, collection, n)
	}
	switch {
	case remove:
		l.send("remove", http.MethodDelete, fmt.Sprintf("/%s/%d", collection, id), "", http.StatusOK)
	case id != 0:
		l.send("change", http.MethodPut, fmt.Sprintf("/%s/%d", collection, id), body, http.StatusOK)
		l.keep(collection, id)
	default:
		l.keep(collection, l.send("make", http.MethodPost, "/"+collection, body, http.StatusCreated))
	}
}

// keep records an object that may be changed and removed.
func (l *soakLoad) keep(collection string, id int64) {
	if id == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.made[collection] = append(l.made[collection], id)
}

// send sends a request, judges the response and returns the id in it. A wanted status of 400
// stands for any refusal; 0 stands for 200 or any refusal.
func (l *soakLoad) send(kind, method, path, body string, want int) (id int64) {
	begin := time.Now()
	fault := ""
	defer func() {
		l.sent.Add(1)
		l.mu.Lock()
		defer l.mu.Unlock()
		l.took[kind] = append(l.took[kind], time.Since(begin))
		if fault != "" && len(l.faults) < 20 {
			l.faults = append(l.faults, method+" "+path+": "+fault)
		}
	}()
	req, err := http.NewRequest(method, l.url+path, strings.NewReader(body))
	if err != nil {
		fault = err.Error()
		return 0
	}
	if method != http.MethodGet {
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("X-Forwarded-Proto", "https")
		req.SetBasicAuth("editor", "secret")
	}
	resp, err := l.http.Do(req)
	if err != nil {
		fault = err.Error()
		return 0
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	var answer struct{ ID int64 }
	broken := json.Unmarshal(data, &answer)
	refused := resp.StatusCode >= 400 && resp.StatusCode < 500
	switch {
	case err != nil:
		fault = err.Error()
	case !strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") || broken != nil:
		fault = fmt.Sprintf("%s, %v: %.200s", resp.Header.Get("Content-Type"), broken, data)
	case want == 0 && (resp.StatusCode == http.StatusOK || refused), want == 400 && refused, want == resp.StatusCode:
	default:
		fault = fmt.Sprintf("status %d, want %d: %.300s", resp.StatusCode, want, data)
	}
	return answer.ID
}

// forget discards the figures so far.
func (l *soakLoad) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	clear(l.took)
}

// report lists how many requests of a kind there were and how long they took.
func (l *soakLoad) report() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out strings.Builder
	fmt.Fprintf(&out, "%-20s %9s %9s %9s %9s %9s", "", "requests", "median", "95 %", "99 %", "longest")
	for _, kind := range sortedKeys(l.took) {
		took := l.took[kind]
		slices.Sort(took)
		at := func(share float64) time.Duration {
			return took[min(int(share*float64(len(took))), len(took)-1)].Round(100 * time.Microsecond)
		}
		fmt.Fprintf(&out, "\n%-20s %9d %9s %9s %9s %9s", kind, len(took), at(.5), at(.95), at(.99), at(1))
	}
	return out.String()
}

// compare checks that the program has counted what was sent, and no failures.
func (l *soakLoad) compare(t *testing.T, s *started) {
	t.Helper()
	_, text := fetch(t, s.ops+"/metrics")
	counted := 0.0
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "} ")
		family, _, _ := strings.Cut(name, "{")
		var n float64
		_, _ = fmt.Sscan(value, &n)
		if family == "calbridge_http_requests_total" {
			counted += n
		}
		// Checks run before serving, where a server without accounts has no grants to show.
		failure := strings.Contains(name, `code="5`) || family == "calbridge_http_rejected_total" ||
			family == "calbridge_db_query_errors_total" && !strings.Contains(name, `query="check.`)
		if failure && n != 0 {
			t.Errorf("the metrics tell of failures: %s", line)
		}
	}
	if counted != float64(l.sent.Load()) || metric(t, text, "calbridge_http_panics_total") != 0 {
		t.Errorf("%d requests were sent, the metrics have %.0f", l.sent.Load(), counted)
	}
}
