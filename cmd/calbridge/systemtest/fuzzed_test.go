package systemtest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"calbridge/cmd/calbridge/site"
	"calbridge/rest/api"
	"calbridge/rest/metrics"
	"calbridge/rest/tribev1"
)

// fuzzedShard is the number of requests to a site before a fresh one replaces it, because
// sites grow with each write.
const fuzzedShard = 5000

// fuzzedTally counts responses.
type fuzzedTally struct {
	mu      sync.Mutex
	answers map[string]int // by status and code
	good    map[string]int // answers below 300, by method and route
	refused int            // requests that net/http refuses
	cached  int            // responses from the response cache
	sent    int
	slowest time.Duration
	slow    string
}

// TestFuzzedRequests sends generated requests to whole sites: every route, method and argument
// of the server's own index, in all spellings, valid and invalid, with and without credentials.
// It checks that nothing panics, that no status blames the server, and that every body has the
// type that its header names.
//
// CALBRIDGE_FUZZED_REQUESTS is the number of requests, and CALBRIDGE_FUZZED_SEED the seed. A
// failure names its site and shard. CALBRIDGE_FUZZED_SHARD repeats only that shard, request by
// request.
func TestFuzzedRequests(t *testing.T) {
	total, seed, only := 6000, uint64(fuzzedNumber("SEED", 1)), fuzzedNumber("SHARD", -1)
	if testing.Short() {
		total = 1000
	}
	total = fuzzedNumber("REQUESTS", total)
	m := site.NewMetrics()
	tally := &fuzzedTally{answers: map[string]int{}, good: map[string]int{}}
	begin := time.Now()
	t.Run("sites", func(t *testing.T) {
		// The sample calendar is available wherever the tests run.
		for name, share := range map[string]int{"sample": total / 2, "mono": total / 6, "wpml": total / 6, "poly": total - total/2 - total/6*2} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				for shard := 0; shard*fuzzedShard < share; shard++ {
					if only < 0 || shard == only {
						runFuzzedShard(t, name, seed, uint64(shard), min(fuzzedShard, share-shard*fuzzedShard), m, tally)
					}
					if t.Failed() {
						return
					}
				}
			})
		}
	})
	tally.report(t, time.Since(begin))
	if only < 0 && tally.sent >= 5000 && !t.Failed() {
		tally.checkReach(t)
	}
	checkSeries(t, m)
}

func fuzzedNumber(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv("CALBRIDGE_FUZZED_" + name)); err == nil {
		return n
	}
	return otherwise
}

// runFuzzedShard sends a number of requests to a separate site.
func runFuzzedShard(t *testing.T, name string, seed, shard uint64, n int, m *metrics.Metrics, tally *fuzzedTally) {
	s := openFuzzedSite(t, name, seed, shard, m)
	for i := range n {
		raw := s.requests.next()
		begin := time.Now()
		req, w := send(s.handler, raw)
		took := time.Since(begin)
		if req == nil {
			tally.add(nil, nil, "", 0)
			continue
		}
		tally.add(s, w, fmt.Sprintf("%s/%d/%d %s %.200q", name, shard, i, req.Method, req.RequestURI), took)
		fault := s.judge(req, w)
		if fault == "" {
			fault = s.judgeKept(raw, w)
		}
		if fault != "" {
			t.Errorf("site %s, seed %d, shard %d, request %d: %s\n%.3000s\n-- answered %d %v\n%.600s", name, seed, shard, i, fault, raw, w.Code, w.Header(), w.Body)
			return
		}
		s.remember(w)
	}
}

// send parses a request as net/http does and returns its response. The request is nil if
// net/http refuses it.
func send(h http.Handler, raw string) (*http.Request, *httptest.ResponseRecorder) {
	req, err := http.ReadRequest(bufio.NewReader(strings.NewReader(raw)))
	if err != nil {
		return nil, nil
	}
	req.RemoteAddr = "127.0.0.1:40000"
	w := httptest.NewRecorder()
	h.ServeHTTP(w, req)
	return req, w
}

// remember records a created object, so that later requests find it.
func (s *fuzzedSite) remember(w *httptest.ResponseRecorder) {
	collection := strings.Trim(s.seen.Route, "/")
	things := s.requests.things[collection]
	var made fuzzedThing
	if w.Code != http.StatusCreated || len(things) == 0 {
		return
	}
	var answer struct {
		ID   int64
		Slug string
	}
	if json.Unmarshal(w.Body.Bytes(), &answer) == nil && answer.ID > 0 {
		made = fuzzedThing{answer.ID, answer.Slug}
		s.requests.things[collection] = append(things, made)
	}
}

// add counts a response. s is nil for a request that net/http refused.
func (f *fuzzedTally) add(s *fuzzedSite, w *httptest.ResponseRecorder, what string, took time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sent++
	if s == nil {
		f.refused++
		return
	}
	f.answers[strings.TrimSpace(fmt.Sprint(w.Code, " ", s.seen.Code))]++
	if s.seen.Cache == api.CacheHit {
		f.cached++
	}
	if w.Code < 300 {
		f.good[s.seen.Method+" "+s.seen.Route]++
	}
	if took > f.slowest {
		f.slowest, f.slow = took, what
	}
}

func (f *fuzzedTally) report(t *testing.T, took time.Duration) {
	t.Logf("%d requests in %s; net/http refused %d; %d answered from memory; slowest %s: %s", f.sent, took.Round(time.Second), f.refused, f.cached, f.slowest.Round(time.Millisecond), f.slow)
	for _, counts := range []map[string]int{f.answers, f.good} {
		keys := sortedKeys(counts)
		slices.SortStableFunc(keys, func(a, b string) int { return counts[b] - counts[a] })
		var lines strings.Builder
		for _, key := range keys {
			fmt.Fprintf(&lines, "\n%8d %s", counts[key], key)
		}
		t.Log(lines.String())
	}
}

// checkReach checks that enough requests succeed: every route is read, and objects of every
// kind are created, changed and removed.
func (f *fuzzedTally) checkReach(t *testing.T) {
	if f.cached == 0 {
		t.Error("nothing was answered from memory")
	}
	const read, make, change = "GET", "POST", "POST PUT PATCH"
	removed := map[string]int{}
	for _, route := range tribev1.Templates() {
		if slices.Contains(tribev1.Extensions(), route) { // these sites don't have it
			continue
		}
		collection, _, _ := strings.Cut(route[1:], "/")
		removed[collection] += f.good["DELETE "+route]
		wanted := []string{read, make}
		switch {
		case strings.Contains(route, "{"):
			wanted[1] = change
		case route == "/" || route == "/doc":
			wanted = wanted[:1]
		}
		for _, methods := range wanted {
			n := 0
			for method := range strings.FieldsSeq(methods) {
				n += f.good[method+" "+route]
			}
			if n == 0 {
				t.Errorf("no %s %s succeeded: the requests are too wrong to prove anything", methods, route)
			}
		}
	}
	for collection, n := range removed {
		if n == 0 && collection != "" && collection != "doc" {
			t.Errorf("of %s nothing was removed", collection)
		}
	}
}

// checkSeries checks that no client can create arbitrary labels.
func checkSeries(t *testing.T, m *metrics.Metrics) {
	families, err := m.Gatherer().Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		// These are the combinations of routes, methods, statuses and languages, of which few
		// occur.
		if n := len(family.GetMetric()); n > 2500 {
			t.Errorf("%s has %d series", family.GetName(), n)
		}
		for _, metric := range family.GetMetric() {
			for _, label := range metric.GetLabel() {
				if v := label.GetValue(); strings.ContainsAny(v, "<>'\"\\%\x00") || len(v) > 60 {
					t.Errorf("%s has the label %s=%q", family.GetName(), label.GetName(), v)
				}
			}
		}
	}
}
