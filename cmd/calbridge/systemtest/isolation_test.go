package systemtest

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"calbridge/compat/recording"
	"calbridge/testdata"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/wptest"
)

// The sites of the tests of isolation, copies of site 2 of the network.
const (
	otherSite   = 100 + iota // whose clients must not notice what happens in the next ones
	changedSite              // whose changes must be seen meanwhile
	faultySite               // open when the fault begins
	coldSite                 // not yet open
)

// fault is something that happens to one site of a process.
type fault struct {
	name string
	// begin begins it, and returns what ends it.
	begin func(t *testing.T, store *sitedb.DB) (end func())
	// asked is the site that clients request meanwhile, and clients their number.
	asked, clients int
}

// faults returns what must not harm other sites.
func faults() []fault {
	locked := func(tables ...string) func(*testing.T, *sitedb.DB) func() {
		return func(t *testing.T, store *sitedb.DB) func() {
			t.Helper()
			conn, err := store.SQL().Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := conn.ExecContext(t.Context(), "LOCK TABLES "+strings.Join(tables, " WRITE, ")+" WRITE"); err != nil {
				t.Fatal(err)
			}
			return func() { unlock(t, conn) }
		}
	}
	return []fault{
		{"a flood", func(*testing.T, *sitedb.DB) func() { return func() {} }, faultySite, 32},
		{"a locked table", locked(fmt.Sprintf("wp_%d_posts", faultySite), fmt.Sprintf("wp_%d_options", faultySite)), faultySite, 24},
		{"a dropped table", func(t *testing.T, store *sitedb.DB) func() {
			t.Helper()
			change(t, store, fmt.Sprintf("RENAME TABLE wp_%d_postmeta TO gone", faultySite))
			return func() { change(t, store, fmt.Sprintf("RENAME TABLE gone TO wp_%d_postmeta", faultySite)) }
		}, faultySite, 24},
		{"a slow fill", locked(fmt.Sprintf("wp_%d_tec_occurrences", coldSite)), coldSite, 24},
	}
}

func unlock(t *testing.T, conn *sql.Conn) {
	t.Helper()
	if _, err := conn.ExecContext(context.Background(), "UNLOCK TABLES"); err != nil {
		t.Error(err)
	}
	if err := conn.Close(); err != nil {
		t.Error(err)
	}
}

// isolation sends requests to sites of a process.
type isolation struct {
	server    *started
	described *recording.Site
	reads     []*recording.Exchange
	client    http.Client
}

// serveIsolated serves a network with the sites of the tests of isolation by a process of its own.
func serveIsolated(t *testing.T) (*isolation, *sitedb.DB) {
	t.Helper()
	n := readNetwork(t)
	db := wptest.ReplicatedSite(t, "network")
	store := openStore(t, db)
	for id := otherSite; id <= coldSite; id++ {
		copySite(t, store, id)
	}
	args := n.allArgs(t, db, "--record-password-use=false", "--request-timeout", "5s", "--pool-wait", "3s", "--rate-limit", "0")
	return newIsolation(t, spawn(t, nil, args...).started), store
}

// newIsolation returns what sends requests to a server.
func newIsolation(t *testing.T, server *started) *isolation {
	t.Helper()
	i := &isolation{server: server, client: http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: time.Minute}}
	var err error
	if i.described, err = recording.LoadSite(testdata.Shared(t, "sites", "network.json")); err != nil {
		t.Fatal(err)
	}
	i.reads = slices.DeleteFunc(networkReads(t), func(x *recording.Exchange) bool { return x.Response.Status != http.StatusOK })
	t.Cleanup(i.client.CloseIdleConnections)
	return i
}

// ask sends a recorded request to a site, with some more of a query.
func (i *isolation) ask(ctx context.Context, x *recording.Exchange, site int, more string) (string, error) {
	path := strings.Replace(x.Request.Path, "/divadlo", fmt.Sprintf("/s%d", site), 1)
	if more != "" {
		separator := "?"
		if strings.Contains(path, "?") {
			separator = "&"
		}
		path += separator + more
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, i.server.api, nil)
	if err != nil {
		return "", err
	}
	req.URL.Opaque, req.Host = path, "sit.example"
	req.Header.Set("X-Forwarded-Proto", "https")
	for name, value := range x.Request.Headers {
		req.Header.Set(name, value)
	}
	if x.As != recording.Anonymous {
		value, err := i.described.Authorization(x.As)
		if err != nil {
			return "", err
		}
		req.Header.Set("Authorization", value)
	}
	resp, err := i.client.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return resp.Status + "\n" + string(body), err
}

// flood lets clients request a site until the returned function is called: what is cached, and what isn't.
func (i *isolation) flood(t *testing.T, site, clients int) (stop func() (answered map[string]int)) {
	ctx, cancel := context.WithCancel(t.Context())
	var work sync.WaitGroup
	var mu sync.Mutex
	var sent atomic.Int64
	answered := map[string]int{}
	for range clients {
		work.Go(func() {
			for ctx.Err() == nil {
				n := int(sent.Add(1))
				more := ""
				if n%2 == 0 {
					more = "search=x" + strconv.Itoa(n)
				}
				text, err := i.ask(ctx, i.reads[n%len(i.reads)], site, more)
				if err != nil && ctx.Err() == nil {
					t.Errorf("site %d: %v", site, err)
					return
				}
				if err == nil {
					mu.Lock()
					answered[text[:3]]++
					mu.Unlock()
				}
			}
		})
	}
	return func() map[string]int {
		cancel()
		work.Wait()
		return answered
	}
}

// await waits until the changed site shows a title, and returns how long that took.
func (i *isolation) await(t *testing.T, store *sitedb.DB, title string) time.Duration {
	t.Helper()
	change(t, store, fmt.Sprintf("UPDATE wp_%d_posts SET post_title = '%s' WHERE ID = 45", changedSite, title))
	began := time.Now()
	event := &recording.Exchange{As: recording.Anonymous}
	event.Request.Path = "/divadlo/wp-json/" + recording.DefaultNamespace + "/events/45"
	waitFor(t, func() bool {
		text, err := i.ask(t.Context(), event, changedSite, "")
		return err == nil && strings.Contains(text, title)
	})
	return time.Since(began)
}

// TestIsolation checks that what happens to one site of a process changes no response of another one, and
// delays neither its responses nor its changes by more than a moment. TestIsolationTimes measures it.
func TestIsolation(t *testing.T) {
	oneAtATime(t)
	i, store := serveIsolated(t)
	var want []string
	for _, x := range i.reads {
		text, err := i.ask(t.Context(), x, otherSite, "")
		if err != nil || !strings.HasPrefix(text, "200 ") {
			t.Fatal(text, err)
		}
		want = append(want, text)
	}
	i.await(t, store, "Before")
	if text, err := i.ask(t.Context(), i.reads[0], faultySite, ""); err != nil || !strings.HasPrefix(text, "200 ") {
		t.Fatal(text, err)
	}
	const bound = 2 * time.Second
	for n, f := range faults() {
		t.Run(f.name, func(t *testing.T) {
			end := f.begin(t, store)
			stop := i.flood(t, f.asked, f.clients)
			longest := time.Duration(0)
			for round, began := 0, time.Now(); round < 2 || time.Since(began) < time.Second; round++ {
				for at, x := range i.reads {
					more := ""
					if round > 0 { // not from the response cache
						more = fmt.Sprintf("unknown=%d-%d", n, round)
					}
					began := time.Now()
					text, err := i.ask(t.Context(), x, otherSite, more)
					longest = max(longest, time.Since(began))
					if err != nil || round == 0 && text != want[at] || !strings.HasPrefix(text, "200 ") {
						t.Errorf("%s: %.200s %v", x.ID, text, err)
					}
				}
			}
			seen := i.await(t, store, "During "+f.name)
			end()
			t.Logf("%d clients of site %d got %v; the other site's longest response took %v, a change was seen after %v", f.clients, f.asked, stop(), longest, seen)
			if longest > bound || seen > bound {
				t.Errorf("the other site waited %v, a change %v", longest, seen)
			}
			waitFor(t, func() bool {
				text, err := i.ask(t.Context(), i.reads[0], f.asked, "")
				return err == nil && strings.HasPrefix(text, "200 ")
			})
		})
	}
}

const (
	// isolationRounds is the number of times that each percentile is taken.
	isolationRounds = 3
	// mostSlower limits the slowest hundredth of another site's responses, as a multiple of their time before.
	mostSlower = 1.5
)

// TestIsolationTimes measures how much longer the responses of one site take while something happens to another
// one, as docker/networks.md shows it. The clients of the other site are a process that is pinned to one core.
func TestIsolationTimes(t *testing.T) {
	oneAtATime(t)
	window, err := time.ParseDuration(os.Getenv("CALBRIDGE_ISOLATION"))
	if err != nil {
		t.Skip("measures for ten minutes: set CALBRIDGE_ISOLATION=20s, the time over which a percentile is taken, to run it on a machine that does nothing else")
	}
	i, store := serveIsolated(t)
	i.percentile(t, 2*time.Second) // opens the site
	if text, err := i.ask(t.Context(), i.reads[0], faultySite, ""); err != nil || !strings.HasPrefix(text, "200 ") {
		t.Fatal(text, err)
	}
	for _, f := range faults() {
		t.Run(f.name, func(t *testing.T) {
			var ratios []float64
			for range isolationRounds {
				before := i.percentile(t, window)
				end := f.begin(t, store)
				stop := i.floodApart(t, f.asked, f.clients)
				time.Sleep(time.Second)
				during := i.percentile(t, window)
				clients := stop()
				end()
				ratios = append(ratios, float64(during)/float64(before))
				t.Logf("p99 %v before, %v during; %d clients of the faulty site got %s", before, during, f.clients, clients)
			}
			slices.Sort(ratios)
			if got := ratios[len(ratios)/2]; got > mostSlower {
				t.Errorf("the other site's p99 is %.2f times as long; at most %.1f: %.2f", got, mostSlower, ratios)
			} else {
				t.Logf("the other site's p99 is %.2f times as long: %.2f", got, ratios)
			}
		})
	}
}

// percentile lets four clients request the other site, cached and not, each after a pause of some milliseconds,
// and returns the time within which 99 of 100 responses came.
func (i *isolation) percentile(t *testing.T, window time.Duration) time.Duration {
	t.Helper()
	var mu sync.Mutex
	var took []time.Duration
	var clients sync.WaitGroup
	for client := range 4 {
		clients.Go(func() {
			for n, began := client, time.Now(); time.Since(began) < window; n++ {
				more := ""
				if n%2 == 0 {
					more = "unknown=" + strconv.FormatInt(time.Now().UnixNano(), 36)
				}
				sent := time.Now()
				text, err := i.ask(t.Context(), i.reads[n%len(i.reads)], otherSite, more)
				after := time.Since(sent)
				if err != nil || !strings.HasPrefix(text, "200 ") {
					t.Errorf("%.200s %v", text, err)
					return
				}
				mu.Lock()
				took = append(took, after)
				mu.Unlock()
				time.Sleep(5 * time.Millisecond)
			}
		})
	}
	clients.Wait()
	if len(took) < 100 {
		t.Fatalf("%d responses", len(took))
	}
	slices.Sort(took)
	return took[len(took)*99/100].Round(time.Microsecond)
}

// floodApart floods a site from a process that is pinned to one core, until the returned function is called.
func (i *isolation) floodApart(t *testing.T, site, clients int) (stop func() (answered string)) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cmd := exec.CommandContext(ctx, "taskset", "-c", "0", os.Args[0], "-test.run", "^TestIsolationClients$", "-test.v")
	cmd.Env = append(os.Environ(), fmt.Sprintf("CALBRIDGE_ISOLATION_CLIENTS=%s %d %d", i.server.api, site, clients))
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = time.Minute
	out := &output{}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return func() string {
		cancel()
		_ = cmd.Wait() // ended by the signal
		_, text, _ := strings.Cut(out.String(), "answered ")
		text, _, _ = strings.Cut(text, "\n")
		return text
	}
}

// TestIsolationClients floods a site, as a process of TestIsolationTimes.
func TestIsolationClients(t *testing.T) {
	var to isolation
	var api string
	var site, clients int
	if _, err := fmt.Sscan(os.Getenv("CALBRIDGE_ISOLATION_CLIENTS"), &api, &site, &clients); err != nil {
		t.Skip("TestIsolationTimes starts it: set CALBRIDGE_ISOLATION=20s to run that")
	}
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	to = *newIsolation(t, &started{t: t, api: api})
	stop := to.flood(t, site, clients)
	<-ctx.Done()
	t.Logf("answered %v", stop())
}

// TestReloadBesideLockedSite checks that a reload gives a site its new settings although another one can't be
// reopened, because its tables are locked.
func TestReloadBesideLockedSite(t *testing.T) {
	oneAtATime(t)
	n := readNetwork(t)
	db := wptest.ReplicatedSite(t, "network")
	store := openStore(t, db)
	copySite(t, store, otherSite)
	copySite(t, store, faultySite)
	dir := t.TempDir()
	settle := func(namespace string) {
		var text strings.Builder
		for _, id := range []int{faultySite, otherSite} {
			fmt.Fprintf(&text, "[s%d]\naddress = https://sit.example/s%[1]d/\nblog-id = %[1]d\nnamespace = %s\n", id, namespace)
		}
		writeFile(t, dir, "sites.conf", text.String())
	}
	settle("first/v1")
	server := spawn(t, nil, "serve", "--sites", filepath.Join(dir, "sites.conf"), "--wp-config", n.config(t), "--dsn", db.DSN, "--clock", db.Now().Format(time.RFC3339))
	status := func(id int, namespace string) int {
		resp, _ := asNetwork(t, server.started, fmt.Sprintf("https://sit.example/s%d/wp-json/%s/events", id, namespace))
		return resp.StatusCode
	}
	for _, id := range []int{faultySite, otherSite} {
		if got := status(id, "first/v1"); got != http.StatusOK {
			t.Fatalf("site %d: %d\n%s", id, got, server.stderr)
		}
	}
	conn, err := store.SQL().Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.ExecContext(t.Context(), fmt.Sprintf("LOCK TABLES wp_%d_options WRITE", faultySite)); err != nil {
		t.Fatal(err)
	}
	settle("second/v1")
	if err := server.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	waitFor(t, func() bool { return status(otherSite, "second/v1") == http.StatusOK })
	if took := time.Since(began); took > 4*time.Second {
		t.Errorf("the other site had its new settings after %v", took)
	}
	unlock(t, conn)
	waitFor(t, func() bool { // it was reopened, or its previous settings stay in force
		return status(faultySite, "first/v1") == http.StatusOK || status(faultySite, "second/v1") == http.StatusOK
	})
}
