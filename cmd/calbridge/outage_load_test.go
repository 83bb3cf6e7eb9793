package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"calbridge/compat"
	"calbridge/wpstore/wptest"
)

const (
	// outageDeadline is the --request-timeout of the tests of outages; an answer may
	// take outageSlack longer on a machine that is busy with databases as well.
	outageDeadline = 5 * time.Second
	outageSlack    = 2 * time.Second
)

// recoverySoon is within which time all must be served again after the database's
// return: two seconds, where the machine is ours alone, as it is when the length of
// the run was asked for.
func recoverySoon() time.Duration {
	for _, asked := range []string{"CALBRIDGE_DB_KILLS", "CALBRIDGE_NODE_KILLS"} {
		if os.Getenv(asked) != "" {
			return 2 * time.Second
		}
	}
	return 10 * time.Second
}

// outageLoad is readers and writers that go on whatever the database does, and what
// they were answered.
type outageLoad struct {
	*killer
	url  string
	http *http.Client
	stop context.CancelFunc
	wait sync.WaitGroup

	mu      sync.Mutex
	writes  []*write
	answers []outageAnswer
}

type outageAnswer struct {
	write  bool
	status int
	asked  time.Time
	took   time.Duration
}

// newOutageKiller prepares for judging writes on a site.
func newOutageKiller(t *testing.T, db wptest.Database) *killer {
	t.Helper()
	users, err := compat.LoadSite(filepath.Join(wptest.SharedDir(t), "sites", "mono.json"))
	if err != nil {
		t.Fatal(err)
	}
	return &killer{t: t, users: users, tally: map[string]int{}, db: db, check: newIntegrity(t, db)}
}

// begin starts readers and writers.
func (k *killer) begin(url string, readers, writers int) *outageLoad {
	ctx, stop := context.WithCancel(context.Background())
	l := &outageLoad{
		killer: k, url: url, stop: stop,
		http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: readers + writers}, Timeout: outageDeadline + 10*time.Second},
	}
	k.t.Cleanup(l.halt) // also when a test has given up
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

// writeOne makes a thing, changes it and trashes it, until a request fails.
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

// send makes the request and says whether it took effect for certain.
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
		return false // it may have happened: the database went away while it was told to commit
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

// ask makes a request and judges its answer: in time, and no failure but 503.
func (l *outageLoad) ask(body any, method, path string) (int, []byte) {
	encoded, _ := json.Marshal(body)
	req, err := http.NewRequest(method, l.url+"/wp-json/"+compat.DefaultNamespace+path, bytes.NewReader(encoded))
	if err != nil {
		l.t.Error(err)
		return 0, nil
	}
	if body != nil {
		req.Header.Set("X-Forwarded-Proto", "https")
		req.Header.Set("Content-Type", "application/json")
		req.SetBasicAuth("editor1", l.users.Users["editor1"].ApplicationPassword)
	}
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
	case took > outageDeadline+outageSlack:
		l.t.Errorf("%s %s: answered after %s", method, path, took)
	case res.StatusCode >= 500 && res.StatusCode != 503:
		l.t.Errorf("%s %s: %d %.300s", method, path, res.StatusCode, data)
	case res.StatusCode == 503 && res.Header.Get("Retry-After") == "":
		l.t.Errorf("%s %s: 503 without Retry-After", method, path)
	}
	l.mu.Lock()
	l.answers = append(l.answers, outageAnswer{body != nil, res.StatusCode, start, took})
	l.mu.Unlock()
	if res.StatusCode == http.StatusServiceUnavailable {
		time.Sleep(10 * time.Millisecond) // a hundredth of what Retry-After asks for
	}
	return res.StatusCode, data
}

// served waits until count more reads, and count writes where there are writers,
// have succeeded, and returns how long that took.
func (l *outageLoad) served(t *testing.T, count int, writers bool) time.Duration {
	t.Helper()
	start := time.Now()
	l.mu.Lock()
	from := len(l.answers)
	l.mu.Unlock()
	for time.Since(start) < 2*time.Minute {
		reads, writes := 0, 0
		l.mu.Lock()
		for _, a := range l.answers[from:] {
			switch {
			case a.status >= 300:
			case a.write:
				writes++
			default:
				reads++
			}
		}
		l.mu.Unlock()
		if reads >= count && (writes >= count || !writers) {
			return time.Since(start)
		}
		time.Sleep(2 * time.Millisecond)
	}
	t.Fatal("nothing is served for two minutes")
	return 0
}

// halt stops the load.
func (l *outageLoad) halt() {
	l.stop()
	l.wait.Wait()
	l.http.CloseIdleConnections()
}

// end stops the load, and judges all writes by the rows.
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

// slowest is the longest time that an answer took.
func (l *outageLoad) slowest() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.answers) == 0 {
		return 0
	}
	return slices.MaxFunc(l.answers, func(a, b outageAnswer) int { return int(a.took - b.took) }).took
}

// http1 is a client for one request at a time.
func http1() *http.Client { return &http.Client{Timeout: outageDeadline + 10*time.Second} }

// credentials are the headers of the editor.
func (k *killer) credentials() []string {
	req := http.Request{Header: http.Header{}}
	req.SetBasicAuth("editor1", k.users.Users["editor1"].ApplicationPassword)
	return []string{"Authorization", req.Header.Get("Authorization"), "X-Forwarded-Proto", "https"}
}
