package main

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"calbridge/wpstore/wptest"
)

// TestDatabaseFaults lets a real database hang, refuse writes, refuse connections
// and be slow, under load. Each time every request gets an answer in time, and all
// is well again soon after the fault.
func TestDatabaseFaults(t *testing.T) {
	node := wptest.StartNode(t)
	db := node.Site("mono")
	relay := wptest.StartRelay(t, node)
	s := start(t, nil, outageArgs(db, relay.DSN("calendar"), "--pool-wait", "500ms", "--max-open-conns", "8")...)
	k := newOutageKiller(t, db)
	for _, fault := range []struct {
		name string
		run  func(*testing.T, *outageLoad, *wptest.Node, *wptest.Relay)
	}{
		{"hangs", faultHang}, {"is read-only", faultReadOnly}, {"has no connections", faultNoConnections}, {"is slow", faultSlow},
	} {
		t.Run(fault.name, func(t *testing.T) {
			k.t = t
			l := k.begin(s.api, 24, 4)
			l.served(t, 20, true)
			fault.run(t, l, node, relay)
			if recovery := l.served(t, 1, true); recovery > recoverySoon() {
				t.Errorf("served again after %s", recovery)
			}
			l.served(t, 20, true)
			l.end()
			t.Logf("slowest answer %s", l.slowest().Round(time.Millisecond))
		})
	}
	t.Logf("in all\n%s", k.summary())
}

// since returns the answers from now on when it is called the second time.
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

// faultHang: the server keeps its connections and says nothing. Only those who hold
// a connection wait until their time is over; all others are told soon, and nobody
// storms the server with new connections.
func faultHang(t *testing.T, l *outageLoad, node *wptest.Node, relay *wptest.Relay) {
	const hang = 6 * time.Second
	before := relay.Made.Load()
	answers := l.since()
	node.Hang()
	time.Sleep(hang)
	during := answers()
	made := relay.Made.Load() - before
	node.Resume()
	soon := 0
	for _, a := range during {
		if a.status == 503 && a.took < 1500*time.Millisecond {
			soon++
		}
	}
	// Eight places, each of which is given up at most every five seconds.
	if most := int64(3 * 8); made > most {
		t.Errorf("%d connections were asked for while the server hung", made)
	}
	if soon < 50 {
		t.Errorf("%d of %d requests were refused soon", soon, len(during))
	}
	t.Logf("while it hung: %d answers, %d of them 503 within 1.5 s, %d connections made", len(during), soon, made)
}

// faultReadOnly: reads go on, writes are refused and leave nothing.
func faultReadOnly(t *testing.T, l *outageLoad, node *wptest.Node, _ *wptest.Relay) {
	node.Exec("SET GLOBAL read_only = 1")
	from := time.Now()
	answers := l.since()
	time.Sleep(1200 * time.Millisecond)
	reads, refused := 0, 0
	for _, a := range answers() {
		switch {
		case a.asked.Before(from): // may have been committed before
		case !a.write && a.status == 200:
			reads++
		case a.write && a.status == 503:
			refused++
		case a.status != 503: // a crowd may be refused here and there, on a slow machine
			t.Errorf("%+v while the server is read-only", a)
		}
	}
	if reads < 20 || refused < 5 {
		t.Errorf("%d reads and %d refused writes", reads, refused)
	}
	node.Exec("SET GLOBAL read_only = 0")
}

// faultNoConnections: all connections of the server are taken by others.
func faultNoConnections(t *testing.T, l *outageLoad, node *wptest.Node, relay *wptest.Relay) {
	hold := node.Open("")
	defer hold.Close()
	admin, err := hold.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	limit := func(n string) {
		if _, err := admin.ExecContext(t.Context(), "SET GLOBAL max_connections = "+n); err != nil {
			t.Fatal(err)
		}
	}
	limit("10")
	var held sync.WaitGroup
	stop := make(chan struct{})
	for range 12 { // one more place is for administrators
		held.Go(func() {
			for {
				if c, err := hold.Conn(t.Context()); err == nil {
					defer c.Close()
					<-stop
					return
				}
				select {
				case <-stop:
					return
				case <-time.After(time.Millisecond):
				}
			}
		})
	}
	answers := l.since()
	relay.Cut() // so that others can take them
	time.Sleep(2 * time.Second)
	refused := 0
	for _, a := range answers() {
		if a.status == http.StatusServiceUnavailable {
			refused++
		}
	}
	if refused == 0 {
		t.Error("no request noticed")
	}
	close(stop)
	held.Wait()
	limit("151")
}

// faultSlow: a statement of somebody else's holds up all reads of posts.
func faultSlow(t *testing.T, l *outageLoad, node *wptest.Node, _ *wptest.Relay) {
	pool := node.Open("calendar")
	defer pool.Close()
	lock, err := pool.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lock.ExecContext(t.Context(), "LOCK TABLES wp_posts WRITE"); err != nil {
		t.Fatal(err)
	}
	answers := l.since()
	time.Sleep(3 * time.Second)
	during := answers()
	if _, err := lock.ExecContext(t.Context(), "UNLOCK TABLES"); err != nil {
		t.Fatal(err)
	}
	lock.Close()
	refused := 0
	for _, a := range during {
		if a.status == http.StatusServiceUnavailable && a.took < 1500*time.Millisecond {
			refused++
		}
	}
	if refused < 20 {
		t.Errorf("%d of %d requests were refused soon", refused, len(during))
	}
}

// TestStaleConnections: after a restart none of the pool's old connections costs a
// request anything.
func TestStaleConnections(t *testing.T) {
	node := wptest.StartNode(t)
	db := node.Site("mono")
	s := start(t, nil, outageArgs(db, db.DSN)...)
	ask := func() (failed int) {
		var all sync.WaitGroup
		var mu sync.Mutex
		for range 16 {
			all.Go(func() {
				resp, body := fetch(t, s.api+"/wp-json/tribe/events/v1/events?per_page=3")
				if resp.StatusCode != 200 || !strings.HasPrefix(body, `{"events":[`) {
					mu.Lock()
					failed++
					mu.Unlock()
				}
			})
		}
		all.Wait()
		return failed
	}
	for range 3 {
		if n := ask(); n > 0 {
			t.Fatalf("%d requests fail while all is well", n)
		}
		node.Kill()
		node.Start()
		node.Await("SELECT 1", "1")
		if n := ask(); n > 0 {
			t.Errorf("%d of 16 requests failed after the restart", n)
		}
	}
}
