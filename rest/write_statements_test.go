package rest

import (
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

	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/wptest"
)

// turnCounter passes bytes between a server and its database, and counts how often the
// client waits for an answer.
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
			{"POST", "events", event, 23, 9},
			{"PUT", "events/101", `{"title":"Renamed"}`, 27, 12},
			{"DELETE", "events/101", "", 27, 11},
			{"POST", "venues", `{"venue":"New hall","city":"Praha"}`, 7, 6},
		},
		"rows in memory": {
			{"POST", "events", event, 18, 6},
			{"PUT", "events/101", `{"title":"Renamed"}`, 23, 11},
			{"DELETE", "events/101", "", 23, 10},
			{"POST", "venues", `{"venue":"New hall","city":"Praha"}`, 7, 6},
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
	var mu sync.Mutex
	var statements []string
	var count turnCounter
	cfg := sqlconn.Config{DSN: count.between(t, wptest.MariaDB(t)), Observe: func(name string, _ time.Duration, _ error) {
		mu.Lock()
		defer mu.Unlock()
		statements = append(statements, name)
	}}
	tracker := invalidation.NewTracker()
	tracker.Resume(true)
	database := sitedb.Config{Config: cfg}
	if cached {
		database.Tracker = tracker
	}
	s := testSiteOn(t, database, func(c *Config) {
		c.SiteRefresh = time.Hour
		if cached {
			c.Tracker, c.Complete, c.CacheBytes = tracker, true, 4<<20
		}
	})
	if cached {
		s.CacheRows(tracker, 4<<20)
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
	for _, c := range writes {
		s.do(ask{target: "events/102", as: "edita"}) // checks the password
		statements = nil
		before := count.turns.Load()
		got := s.do(ask{method: c.method, target: c.target, as: "edita", body: c.body, contentType: jsonType})
		turns := count.turns.Load() - before
		if got.status >= http.StatusBadRequest {
			t.Fatalf("%s /%s: %s", c.method, c.target, got.outcome())
		}
		t.Logf("%s /%s: %d statements, %d turns", c.method, c.target, len(statements), turns)
		if len(statements) > c.statements || turns > c.turns {
			t.Errorf("%s /%s: %d statements, %d turns, want %d and %d: %s", c.method, c.target, len(statements), turns, c.statements, c.turns, strings.Join(statements, " "))
		}
	}
}
