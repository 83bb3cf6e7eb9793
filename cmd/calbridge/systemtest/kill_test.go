package systemtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"calbridge/compat/recording"
	"calbridge/testdata"
	"calbridge/wpstore/wptest"
)

// killClients is the number of clients that write concurrently.
const killClients = 6

// killsOfADatabase is the number of kills per database, because reading all rows takes longer
// with every write.
const killsOfADatabase = 40

// write is one request, with the rows that it must have if it took effect. All rows of an
// object carry the number of the request that wrote them last.
type write struct {
	kind   string // event, venue, organizer, category, tag
	action string // create, update, trash, delete
	marker string // identifies the object permanently
	id     int64
	first  int // number of the request that created the object
	number int // of this request
	before int // number of the previous request for the object
	status int // status of the response, 0 if there was none
}

// mark returns the text that a request writes into every field.
func mark(marker string, number int) string { return fmt.Sprintf("%sv%d", marker, number) }

// killStart returns the start of the event that a request writes, which differs for each
// request.
func killStart(number int) time.Time {
	return time.Date(2027, 6, 5, 8, 0, 0, 0, time.UTC).Add(time.Duration(number%100_000) * time.Minute)
}

// killer runs the program over and over, and kills it.
type killer struct {
	t     *testing.T
	db    wptest.Database
	check *integrity
	users *recording.Site
	mu    sync.Mutex
	next  int
	tally map[string]int
}

// TestKills kills the server in the middle of writes, CALBRIDGE_KILLS times. It checks after
// each kill that every request has left all of its rows or none.
func TestKills(t *testing.T) {
	kills := 12
	if n, err := strconv.Atoi(os.Getenv("CALBRIDGE_KILLS")); err == nil {
		kills = n
	} else if testing.Short() {
		kills = 3
	}
	users, err := recording.LoadSite(testdata.Shared(t, "sites", "mono.json"))
	if err != nil {
		t.Fatal(err)
	}
	k := &killer{t: t, users: users, tally: map[string]int{}}
	begin := time.Now()
	for i := range kills {
		if i%killsOfADatabase == 0 {
			k.db = wptest.SiteCopy(t, "mariadb", "mono")
			k.check = newIntegrity(t, k.db)
		}
		k.round()
		if (i+1)%100 == 0 {
			fmt.Fprintln(os.Stderr, i+1, "kills")
		}
		if t.Failed() {
			t.Fatalf("after kill %d", i+1)
		}
	}
	var lines []string
	for what, n := range k.tally {
		lines = append(lines, fmt.Sprintf("%6d %s", n, what))
	}
	sort.Strings(lines)
	t.Logf("%d kills in %s\n%s", kills, time.Since(begin).Round(time.Second), strings.Join(lines, "\n"))
}

// serve starts the server and waits until it serves.
func (k *killer) serve() (cmd *exec.Cmd, url string, log *output) {
	log = &output{}
	cmd = exec.Command("calbridge", "serve", "--dsn", k.db.DSN, "--table-prefix", k.db.TablePrefix, "--namespace", recording.DefaultNamespace, "--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0", "--request-timeout", "2m")
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		k.t.Fatal(err)
	}
	k.t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	waitFor(k.t, func() bool {
		if m := servingLine.FindStringSubmatch(log.String()); m != nil {
			url = "http://" + m[1]
		}
		return url != ""
	})
	return cmd, url, log
}

// round starts the server, writes, kills and checks.
func (k *killer) round() {
	cmd, url, log := k.serve()
	transport := &http.Transport{MaxIdleConnsPerHost: killClients}
	defer transport.CloseIdleConnections()
	writes := make([][]*write, killClients)
	var clients sync.WaitGroup
	answered := make(chan struct{}, 1)
	for i := range killClients {
		clients.Go(func() {
			c := killClient{k: k, url: url, http: &http.Client{Transport: transport, Timeout: 2 * time.Minute}, answered: answered}
			c.run()
			writes[i] = c.writes
		})
	}
	select {
	case <-answered: // the first writes have finished, the others are in flight
	case <-time.After(2 * time.Minute):
		k.t.Errorf("nothing is answered:\n%s", log)
	}
	time.Sleep(time.Duration(rand.IntN(120_000)) * time.Microsecond)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	clients.Wait()
	k.settle()
	for _, list := range writes {
		for i, w := range list {
			if i+1 == len(list) || list[i+1].marker != w.marker {
				k.judge(w)
			}
		}
		k.tally["requests"] += len(list)
	}
	// The next start corrects the date range of all events, which is written after the events.
	cmd, _, _ = k.serve()
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	k.settle()
	for _, fault := range k.check.broken(k.t) {
		k.t.Errorf("%s", fault)
	}
}

// settle waits until the database has noticed that the server has ended.
func (k *killer) settle() {
	waitFor(k.t, func() bool {
		return len(k.check.rows(k.t, "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()")) == 0
	})
}

func (k *killer) number() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.next++
	return k.next
}

type killClient struct {
	k        *killer
	url      string
	http     *http.Client
	writes   []*write
	answered chan struct{}
}

// run sends writes until the server no longer responds.
func (c *killClient) run() {
	for {
		n := c.k.number()
		kind := []string{"event", "event", "event", "venue", "organizer", "category", "tag"}[rand.IntN(7)]
		w := &write{kind: kind, action: "create", marker: fmt.Sprintf("kill%d", n), first: n, number: n}
		if !c.send(w) {
			return
		}
		select {
		case c.answered <- struct{}{}:
		default:
		}
		for rand.IntN(3) > 0 {
			w = &write{kind: kind, action: "update", marker: w.marker, id: w.id, first: w.first, before: w.number, number: c.k.number()}
			if !c.send(w) {
				return
			}
		}
		if rand.IntN(2) > 0 {
			w = &write{kind: kind, action: "delete", marker: w.marker, id: w.id, first: w.first, before: w.number, number: w.number}
			if !c.send(w) {
				return
			}
		}
	}
}

// hasVenue reports whether the request has a venue. An event keeps its venue otherwise.
func (w *write) hasVenue() bool { return w.action == "create" || w.number%2 == 0 }

func (w *write) body() map[string]any {
	m := mark(w.marker, w.number)
	site := "https://" + m + ".example/"
	switch w.kind {
	case "event":
		start := killStart(w.number)
		body := map[string]any{
			"title": m, "description": m, "excerpt": m, "website": site, "cost": fmt.Sprintf("%d Kc", w.number), "featured": true, "show_map": true,
			"start_date": start.Format(time.DateTime), "end_date": start.Add(2 * time.Hour).Format(time.DateTime), "timezone": "UTC",
			"categories": []any{3, m + "cat"}, "tags": []any{15, m + "tag"},
			"organizer": []any{33, map[string]any{"organizer": m + "org", "phone": m}},
		}
		if w.hasVenue() {
			body["venue"] = map[string]any{"venue": m + "ven", "city": m, "website": site}
		}
		return body
	case "venue":
		return map[string]any{"venue": m, "description": m, "city": m, "address": m, "website": site}
	case "organizer":
		return map[string]any{"organizer": m, "description": m, "phone": m, "email": m, "website": site}
	}
	return map[string]any{"name": m, "slug": m, "description": m}
}

var killPaths = map[string]string{"event": "/events", "venue": "/venues", "organizer": "/organizers", "category": "/categories", "tag": "/tags"}

// send sends the request and reports whether it got a response.
func (c *killClient) send(w *write) bool {
	c.writes = append(c.writes, w)
	body, _ := json.Marshal(w.body())
	method, path := "POST", killPaths[w.kind]
	switch w.action {
	case "update":
		method, path = "PUT", fmt.Sprintf("%s/%d", path, w.id)
	case "delete":
		method, path = "DELETE", fmt.Sprintf("%s/%d", path, w.id)
	}
	req, err := http.NewRequest(method, c.url+"/wp-json/"+recording.DefaultNamespace+path, bytes.NewReader(body))
	if err != nil {
		c.k.t.Error(err)
		return false
	}
	req.Header.Set("X-Forwarded-Proto", "https")
	req.Header.Set("Content-Type", "application/json")
	req.SetBasicAuth("editor1", c.k.users.Users["editor1"].ApplicationPassword)
	res, err := c.http.Do(req)
	if err != nil {
		return false
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	w.status = res.StatusCode // all rows are committed before the first byte of the response
	if res.StatusCode >= 300 {
		c.k.t.Errorf("%s %s: %d %.300s", method, path, res.StatusCode, data)
		return false
	}
	if err != nil {
		return false
	}
	var answer struct{ ID int64 }
	if err := json.Unmarshal(data, &answer); err != nil {
		c.k.t.Errorf("%s %s: %v: %.300s", method, path, err, data)
		return false
	}
	w.id = answer.ID
	return true
}
