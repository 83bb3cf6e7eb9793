package rest

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/wptest"
)

// turnCounter passes bytes between a server and its database, and counts how often the
// client waits for a response.
type turnCounter struct{ turns atomic.Int64 }

// between returns the DSN of a way to the database that is counted.
func (c *turnCounter) between(t *testing.T, dsn string) string {
	t.Helper()
	cfg, err := mysql.ParseDSN(dsn)
	if err != nil {
		t.Fatal(err)
	}
	through := cfg.Clone()
	through.Net, through.Addr = "unix", filepath.Join(t.TempDir(), "count.sock")
	listener, err := net.Listen("unix", through.Addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return // closed
			}
			server, err := net.Dial(cfg.Net, cfg.Addr)
			if err != nil {
				client.Close()
				continue
			}
			var asked atomic.Bool
			go func() {
				defer client.Close()
				_, _ = io.Copy(client, reader(func(p []byte) (int, error) {
					n, err := server.Read(p)
					if asked.Swap(false) {
						c.turns.Add(1)
					}
					return n, err
				}))
			}()
			go func() {
				defer server.Close()
				_, _ = io.Copy(server, reader(func(p []byte) (int, error) {
					n, err := client.Read(p)
					asked.Store(true)
					return n, err
				}))
			}()
		}
	}()
	return through.FormatDSN()
}

type reader func([]byte) (int, error)

func (r reader) Read(p []byte) (int, error) { return r(p) }

// TestStatementsOfWrites: a write runs no more statements, and waits for the database no
// more often, than is listed.
func TestStatementsOfWrites(t *testing.T) {
	if !slices.Contains(wptest.Engines(), "mariadb") {
		t.Skip("no server")
	}
	const event = `{"title":"New one","start_date":"2027-06-05 19:00","end_date":"2027-06-05 21:00","categories":[34],"tags":[41],"venue":201,"organizer":[301,302]}`
	for name, writes := range map[string][]statementsOfWrite{
		"rows from the database": {
			{"POST", "events", event, 23, 8},
			{"PUT", "events/101", `{"title":"Renamed"}`, 27, 12},
			{"DELETE", "events/101", "", 27, 10},
			{"POST", "venues", `{"venue":"New hall","city":"Praha"}`, 8, 6},
		},
		"rows in memory": {
			{"POST", "events", event, 18, 5},
			{"PUT", "events/101", `{"title":"Renamed"}`, 23, 11},
			{"DELETE", "events/101", "", 23, 9},
			{"POST", "venues", `{"venue":"New hall","city":"Praha"}`, 8, 6},
		},
	} {
		t.Run(name, func(t *testing.T) { countStatements(t, name == "rows in memory", writes) })
	}
}

// statementsOfWrite is a write with the most statements and round trips that it may take.
type statementsOfWrite struct {
	method, target, body string
	statements           int
	turns                int64
}

func countStatements(t *testing.T, cached bool, writes []statementsOfWrite) {
	s := newCountingSite(t, wptest.MariaDB(t), cached)
	for _, c := range writes {
		statements, turns := s.write(c)
		t.Logf("%s /%s: %d statements, %d turns", c.method, c.target, len(statements), turns)
		if len(statements) > c.statements || turns > c.turns {
			t.Errorf("%s /%s: %d statements, %d turns, want %d and %d: %s", c.method, c.target, len(statements), turns, c.statements, c.turns, strings.Join(statements, " "))
		}
	}
}

// TestStatementsOfKnown: a POST of an event doesn't read what an earlier one has read or
// written, where the binary log is followed.
func TestStatementsOfKnown(t *testing.T) {
	if !slices.Contains(wptest.Engines(), "mariadb") {
		t.Skip("no server")
	}
	s := newCountingSite(t, wptest.Replicated(t), true)
	s.follow()()
	// Now and then the feed looks at the server, and the site is read again: the least of some
	// counts, without the statements that begin and end the transaction.
	const statements, turns = 11, 4
	var least []string
	trips := int64(1 << 10)
	for i := range 8 {
		sent, took := s.write(statementsOfWrite{method: "POST", target: "events", body: fmt.Sprintf(
			`{"title":"Number %d","start_date":"2027-06-05 19:00","end_date":"2027-06-05 21:00","categories":[34],"tags":[41],"venue":201}`, i)})
		trips = min(trips, took)
		if least == nil || len(sent) < len(least) {
			least = sent
		}
	}
	if len(least) > statements || trips > turns {
		t.Errorf("%d statements, %d turns, want %d and %d: %s", len(least), trips, statements, turns, strings.Join(least, " "))
	}
}

// countingSite is a site that counts what it asks the database.
type countingSite struct {
	*testSite
	tracker *invalidation.Tracker
	counter turnCounter

	mu         sync.Mutex
	statements []string
}

func newCountingSite(t *testing.T, dsn string, cached bool) *countingSite {
	s := &countingSite{tracker: invalidation.NewTracker()}
	cfg := sqlconn.Config{Database: wptest.Address(t, s.counter.between(t, dsn)), Observe: func(name string, _ time.Duration, _ error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.statements = append(s.statements, name)
	}}
	s.tracker.Resume(true)
	database := sitedb.Config{Config: cfg}
	if cached {
		database.Tracker = s.tracker
	}
	s.testSite = testSiteOn(t, database, func(c *Config) {
		c.SiteRefresh = time.Hour
		if cached {
			c.Tracker, c.Complete, c.CacheBytes = s.tracker, true, 4<<20
		}
	})
	if cached {
		s.CacheRows(s.tracker, 4<<20)
	}
	s.fill()
	for _, name := range []string{"tribe_last_save_post", "tribe_last_updated_option"} {
		s.setOption(name, "1795262400")
	}
	if cached {
		for _, path := range []string{"venues/201", "organizers/301", "organizers/302"} {
			s.do(ask{target: path, as: "edita"})
		}
	}
	return s
}

// follow follows the binary log until the test ends. The result waits until all that was
// committed is known.
func (s *countingSite) follow() (caughtUp func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- s.Feed.Follow(ctx, s.tracker, changefeed.Observer{}) }()
	s.t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			s.t.Error(err)
		}
	})
	return func() {
		for end := time.Now().Add(time.Minute); s.Feed.CatchUp(ctx) != nil; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				s.t.Fatal("the log is not followed")
			}
		}
	}
}

// write sends a write, and returns its statements and how often it has waited for an answer.
func (s *countingSite) write(w statementsOfWrite) (statements []string, turns int64) {
	s.t.Helper()
	s.do(ask{target: "events/102", as: "edita"}) // checks the password
	s.mu.Lock()
	s.statements = nil
	s.mu.Unlock()
	before := s.counter.turns.Load()
	got := s.do(ask{method: w.method, target: w.target, as: "edita", body: w.body, contentType: jsonType})
	turns = s.counter.turns.Load() - before
	if got.status >= http.StatusBadRequest {
		s.t.Fatalf("%s /%s: %s", w.method, w.target, got.outcome())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.statements, turns
}
