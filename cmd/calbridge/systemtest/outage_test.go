package systemtest

import (
	"strings"
	"sync"
	"testing"
	"time"

	"calbridge/wpstore/wptest"
)

// TestDatabaseFaults makes a real database hang, refuse writes, refuse connections and respond
// slowly, under load. It checks that every request gets a response during each fault, and that
// the service recovers after it.
func TestDatabaseFaults(t *testing.T) {
	t.Parallel()
	node := wptest.StartNode(t)
	db := node.Site("mono")
	relay := wptest.StartRelay(t, node)
	s := start(t, nil, outageArgs(db, relay.DSN("calendar"), "--pool-wait", "500ms", "--max-open-conns", "8")...)
	k := newOutageKiller(t, db)
	for _, fault := range []struct {
		name string
		run  func(*testing.T, *started, *outageLoad, *wptest.Node, *wptest.Relay)
	}{
		{"hangs", faultHang}, {"is read-only", faultReadOnly}, {"has no connections", faultNoConnections}, {"is slow", faultSlow},
	} {
		t.Run(fault.name, func(t *testing.T) {
			k.t = t
			l := k.begin(s.api, 24, 4)
			l.served(t, 5, true)
			fault.run(t, s, l, node, relay)
			if recovery := l.served(t, 1, true); recovery > recoverySoon() {
				t.Errorf("served again after %s", recovery)
			}
			l.served(t, 5, true)
			l.end()
			t.Logf("slowest answer %s", l.slowest().Round(time.Millisecond))
		})
	}
	t.Logf("in all\n%s", k.summary())
}

// refusals returns the log lines of requests that got 503 with the given cause.
func (s *started) refusals(cause string) (lines []string) {
	for line := range strings.Lines(s.stderr.String()) {
		if strings.Contains(line, "status=503") && strings.Contains(line, cause) {
			lines = append(lines, line)
		}
	}
	return lines
}

// crowded is the cause of a refusal because other requests held all connections. Such a
// request has waited no longer than --pool-wait.
const crowded = "all connections are in use"

// awaitCrowd waits until count more requests have been refused for this cause.
func (l *outageLoad) awaitCrowd(t *testing.T, s *started, count int) {
	t.Helper()
	before := len(s.refusals(crowded))
	l.await(t, "requests that do not wait for a connection", func() bool { return len(s.refusals(crowded)) >= before+count })
}

// faultHang makes the server keep its connections open and send nothing. Only requests that hold
// a connection wait until their deadline. All others get an error soon, and the server is not
// flooded with new connections.
func faultHang(t *testing.T, s *started, l *outageLoad, node *wptest.Node, relay *wptest.Relay) {
	before := relay.Made.Load()
	answers := l.since()
	begin := time.Now()
	node.Hang()
	defer node.Resume()
	last := l.last()
	l.awaitCrowd(t, s, 50)
	l.await(t, "answers to all who asked before the server hung", func() bool { return l.answered(last) })
	made, took := relay.Made.Load()-before, time.Since(begin)
	// There are eight places. Each is given up every five seconds, or slightly sooner if the
	// request had to wait for it.
	if most := 8 * (2 + int64(took/(2*time.Second))); made > most {
		t.Errorf("%d connections were asked for while the server hung, for %s", made, took)
	}
	t.Logf("while it hung: %d answers and %d connections in %s", len(answers()), made, took.Round(time.Millisecond))
}

// faultReadOnly makes the server read-only. Reads succeed; writes are refused and leave no rows.
func faultReadOnly(t *testing.T, _ *started, l *outageLoad, node *wptest.Node, _ *wptest.Relay) {
	node.Exec("SET GLOBAL read_only = 1")
	last := l.last() // earlier requests may have been committed before
	answers := l.since()
	l.await(t, "reads and refused writes", func() bool {
		reads, refused := 0, 0
		for _, a := range answers() {
			switch {
			case a.number <= last:
			case !a.write && a.status == 200:
				reads++
			case a.write && a.status == 503:
				refused++
			case a.status != 503: // on a slow machine, a few may be refused because of the crowd
				t.Fatalf("%+v while the server is read-only", a)
			}
		}
		return reads >= 20 && refused >= 5
	})
	node.Exec("SET GLOBAL read_only = 0")
}

// faultNoConnections lets other programs use all connections of the server.
func faultNoConnections(t *testing.T, s *started, l *outageLoad, node *wptest.Node, relay *wptest.Relay) {
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
	for range 12 { // one more connection is reserved for administrators
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
	const full = "Too many connections"
	before, cut := len(s.refusals(full)), time.Time{}
	l.await(t, "a request that notices", func() bool {
		if time.Since(cut) > time.Second { // so that other programs can take them
			relay.Cut()
			cut = time.Now()
		}
		return len(s.refusals(full)) > before
	})
	close(stop)
	held.Wait()
	limit("151")
}

// faultSlow lets another program's statement block all reads of posts.
func faultSlow(t *testing.T, s *started, l *outageLoad, node *wptest.Node, _ *wptest.Relay) {
	pool := node.Open("calendar")
	defer pool.Close()
	lock, err := pool.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lock.ExecContext(t.Context(), "LOCK TABLES wp_posts WRITE"); err != nil {
		t.Fatal(err)
	}
	last := l.last()
	l.awaitCrowd(t, s, 20)
	l.await(t, "answers to all who asked before", func() bool { return l.answered(last) })
	if _, err := lock.ExecContext(t.Context(), "UNLOCK TABLES"); err != nil {
		t.Fatal(err)
	}
	lock.Close()
}

// TestStaleConnections checks that, after a restart of the database, the pool's old
// connections make no request fail.
func TestStaleConnections(t *testing.T) {
	node := wptest.StartNode(t)
	db := node.Site("mono")
	// The long timeouts keep a slow machine from causing failures.
	s := start(t, nil, outageArgs(db, db.DSN, "--request-timeout", "2m", "--pool-wait", "1m")...)
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
