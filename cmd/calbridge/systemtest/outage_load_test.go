package systemtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"calbridge/compat/recording"
	"calbridge/testdata"
	"calbridge/wpstore/wptest"
)

const (
	// outageDeadline is the --request-timeout of the tests of outages.
	outageDeadline = 5 * time.Second
	// outageWait limits the wait for what must happen, however busy the machine is.
	outageWait = 4 * time.Minute
)

// aloneHere reports whether the test has the machine to itself, which is assumed if the length
// of the run was set. Only then are times judged. Otherwise the test waits, with the fault in
// force, for what must happen during a fault.
func aloneHere() bool {
	return os.Getenv("CALBRIDGE_DB_KILLS") != "" || os.Getenv("CALBRIDGE_NODE_KILLS") != ""
}

// answerSoon returns how long a response may take.
func answerSoon() time.Duration {
	if aloneHere() {
		return outageDeadline + 2*time.Second
	}
	return outageWait
}

// recoverySoon returns the time within which all requests must be served again after the database's
// return.
func recoverySoon() time.Duration {
	if aloneHere() {
		return 2 * time.Second
	}
	return outageWait
}

// outageLoad runs readers and writers during outages of the database and collects their
// responses.
type outageLoad struct {
	*killer
	url  string
	http *http.Client
	stop context.CancelFunc
	wait sync.WaitGroup

	mu      sync.Mutex
	writes  []*write
	answers []outageAnswer
	// underWay holds the numbers of the requests in flight.
	underWay map[int]bool
	asked    int
}

type outageAnswer struct {
	write  bool
	status int
	number int // number of the request
	took   time.Duration
}

// newOutageKiller prepares the judgement of writes on a site.
func newOutageKiller(t *testing.T, db wptest.Database) *killer {
	t.Helper()
	users, err := recording.LoadSite(testdata.Shared(t, "sites", "mono.json"))
	if err != nil {
		t.Fatal(err)
	}
	return &killer{t: t, users: users, tally: map[string]int{}, db: db, check: newIntegrity(t, db)}
}

// load prepares a load of the given number of concurrent clients.
func (k *killer) load(url string, clients int) *outageLoad {
	return &outageLoad{
		killer: k, url: url, underWay: map[int]bool{},
		http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}, Timeout: outageWait},
	}
}

// begin starts readers and writers.
func (k *killer) begin(url string, readers, writers int) *outageLoad {
	l := k.load(url, readers+writers)
	ctx, stop := context.WithCancel(context.Background())
	l.stop = stop
	k.t.Cleanup(l.halt) // even if a test has failed
	for range readers {
		l.wait.Go(func() {
			for ctx.Err() == nil {
				path := []string{"/events", "/events?per_page=3&page=2", "/venues", "/organizers", "/categories", "/tags", ""}[rand.IntN(7)]
				l.ask(nil, http.MethodGet, path)
			}
		})
	}
	for range writers {
		l.wait.Go(func() {
			for ctx.Err() == nil {
				l.writeOne(ctx)
			}
		})
	}
	return l
}

// writeOne creates, changes and trashes an object until a request fails.
func (l *outageLoad) writeOne(ctx context.Context) {
	n := l.number()
	w := &write{kind: []string{"event", "event", "venue", "organizer", "category", "tag"}[rand.IntN(6)], action: "create", marker: fmt.Sprintf("kill%d", n), first: n, number: n}
	done := l.send(w)
	for done && ctx.Err() == nil && rand.IntN(3) > 0 {
		w = &write{kind: w.kind, action: "update", marker: w.marker, id: w.id, first: w.first, before: w.number, number: l.number()}
		done = l.send(w)
	}
	if done && ctx.Err() == nil && rand.IntN(2) > 0 {
		w = &write{kind: w.kind, action: "delete", marker: w.marker, id: w.id, first: w.first, before: w.number, number: w.number}
		l.send(w)
	}
	l.mu.Lock()
	l.writes = append(l.writes, w)
	l.mu.Unlock()
}

// send sends the request and reports whether it certainly took effect.
func (l *outageLoad) send(w *write) bool {
	method, path := http.MethodPost, killPaths[w.kind]
	switch w.action {
	case "update":
		method, path = http.MethodPut, fmt.Sprintf("%s/%d", path, w.id)
	case "delete":
		method, path = http.MethodDelete, fmt.Sprintf("%s/%d", path, w.id)
	}
	status, data := l.ask(w.body(), method, path)
	if status == http.StatusServiceUnavailable || status == 0 {
		return false // it may have taken effect, since the database failed during COMMIT
	}
	w.status = status
	var answer struct{ ID int64 }
	if err := json.Unmarshal(data, &answer); err != nil || status >= 300 {
		l.t.Errorf("%s %s: %d %.300s", method, path, status, data)
		return false
	}
	w.id = answer.ID
	return true
}

// ask sends a request and checks that the response is in time and that its only failure is
// 503.
func (l *outageLoad) ask(body any, method, path string) (int, []byte) {
	encoded, _ := json.Marshal(body)
	req, err := http.NewRequest(method, l.url+"/wp-json/"+recording.DefaultNamespace+path, bytes.NewReader(encoded))
	if err != nil {
		l.t.Error(err)
		return 0, nil
	}
	if body != nil {
		req.Header.Set("X-Forwarded-Proto", "https")
		req.Header.Set("Content-Type", "application/json")
		req.SetBasicAuth("editor1", l.users.Users["editor1"].ApplicationPassword)
	}
	number := l.begun()
	defer l.over(number)
	start := time.Now()
	res, err := l.http.Do(req)
	if err != nil {
		l.t.Errorf("%s %s: no answer: %v", method, path, err)
		return 0, nil
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	took := time.Since(start)
	switch {
	case err != nil:
		l.t.Errorf("%s %s: half an answer: %v", method, path, err)
	case took > answerSoon():
		l.t.Errorf("%s %s: answered after %s", method, path, took)
	case res.StatusCode >= 500 && res.StatusCode != 503:
		l.t.Errorf("%s %s: %d %.300s", method, path, res.StatusCode, data)
	case res.StatusCode == 503 && res.Header.Get("Retry-After") == "":
		l.t.Errorf("%s %s: 503 without Retry-After", method, path)
	}
	l.mu.Lock()
	l.answers = append(l.answers, outageAnswer{body != nil, res.StatusCode, number, took})
	l.mu.Unlock()
	if res.StatusCode == http.StatusServiceUnavailable {
		time.Sleep(10 * time.Millisecond) // a hundredth of what Retry-After asks for
	}
	return res.StatusCode, data
}

// served waits until count more reads, and count writes if there are writers, have succeeded.
// It returns how long that took.
func (l *outageLoad) served(t *testing.T, count int, writers bool) time.Duration {
	t.Helper()
	start := time.Now()
	answers := l.since()
	l.await(t, "requests that succeed", func() bool {
		reads, writes := 0, 0
		for _, a := range answers() {
			switch {
			case a.status >= 300:
			case a.write:
				writes++
			default:
				reads++
			}
		}
		return reads >= count && (writes >= count || !writers)
	})
	return time.Since(start)
}

// since returns a function that returns the responses that arrived after since was called.
func (l *outageLoad) since() func() []outageAnswer {
	l.mu.Lock()
	from := len(l.answers)
	l.mu.Unlock()
	return func() []outageAnswer {
		l.mu.Lock()
		defer l.mu.Unlock()
		return append([]outageAnswer{}, l.answers[from:]...)
	}
}

// await waits while the load goes on.
func (l *outageLoad) await(t *testing.T, what string, is func() bool) {
	t.Helper()
	pause := 20 * time.Millisecond
	if aloneHere() { // recovery times are measured
		pause = 2 * time.Millisecond
	}
	for end := time.Now().Add(outageWait); !is(); time.Sleep(pause) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within %s", what, outageWait)
		}
	}
}

// begun assigns a number to a new request.
func (l *outageLoad) begun() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked++
	l.underWay[l.asked] = true
	return l.asked
}

func (l *outageLoad) over(number int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.underWay, number)
}

// last returns the number of the latest request. Later requests are not affected by what
// happened before this call.
func (l *outageLoad) last() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.asked
}

// answered reports whether no request up to the given number is still in flight.
func (l *outageLoad) answered(number int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for n := range l.underWay {
		if n <= number {
			return false
		}
	}
	return true
}

// halt stops the load.
func (l *outageLoad) halt() {
	l.stop()
	l.wait.Wait()
	l.http.CloseIdleConnections()
}

// end stops the load and judges all writes by the rows.
func (l *outageLoad) end() {
	l.halt()
	for _, w := range l.writes {
		l.judge(w)
	}
	for _, fault := range l.check.broken(l.t) {
		l.t.Errorf("%s", fault)
	}
	for _, a := range l.answers {
		what := "reads"
		if a.write {
			what = "writes"
		}
		l.tally[fmt.Sprintf("%s answered %d", what, a.status)]++
	}
}

// slowest returns the longest time of a response.
func (l *outageLoad) slowest() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.answers) == 0 {
		return 0
	}
	return slices.MaxFunc(l.answers, func(a, b outageAnswer) int { return int(a.took - b.took) }).took
}

// credentials returns the headers of the editor.
func (k *killer) credentials() []string {
	req := http.Request{Header: http.Header{}}
	req.SetBasicAuth("editor1", k.users.Users["editor1"].ApplicationPassword)
	return []string{"Authorization", req.Header.Get("Authorization"), "X-Forwarded-Proto", "https"}
}
