package rest

import (
	"io"
	"net"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/wptest"
)

// gate stands between a pool and a real server. It can be shut, which cuts the
// connections, or stalled, which lets nothing through and returns no error.
type gate struct {
	t            *testing.T
	path, target string

	mu       sync.Mutex
	flows    *sync.Cond
	stalled  bool
	listener net.Listener
	open     []net.Conn
}

// newGate opens a gate before a real database server and returns the DSN of a
// fresh database behind it.
func newGate(t *testing.T) (*gate, string) {
	t.Helper()
	cfg, err := mysql.ParseDSN(wptest.MariaDB(t))
	if err != nil {
		t.Fatal(err)
	}
	if cfg.Net != "unix" {
		t.Skip("needs a server on a socket")
	}
	g := &gate{t: t, path: filepath.Join(t.TempDir(), "s"), target: cfg.Addr}
	g.flows = sync.NewCond(&g.mu)
	g.openUp()
	t.Cleanup(func() { g.stall(false); g.shut() })
	cfg.Addr = g.path
	return g, cfg.FormatDSN()
}

func (g *gate) openUp() {
	l, err := net.Listen("unix", g.path)
	if err != nil {
		g.t.Fatal(err)
	}
	g.mu.Lock()
	g.listener = l
	g.mu.Unlock()
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("unix", g.target)
			if err != nil {
				_ = in.Close()
				continue
			}
			g.mu.Lock()
			g.open = append(g.open, in, out)
			g.mu.Unlock()
			go g.carry(in, out)
			go g.carry(out, in)
		}
	}()
}

func (g *gate) carry(to io.Writer, from io.Reader) {
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		if err != nil {
			return
		}
		g.mu.Lock()
		for g.stalled {
			g.flows.Wait()
		}
		g.mu.Unlock()
		if _, err := to.Write(buf[:n]); err != nil {
			return
		}
	}
}

func (g *gate) shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	_ = g.listener.Close()
	for _, c := range g.open {
		_ = c.Close()
	}
	g.open = nil
}

func (g *gate) stall(on bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.stalled = on
	g.flows.Broadcast()
}

// outageSite serves a calendar from behind a gate.
func outageSite(t *testing.T, changes ...func(*Config)) (*gate, *testSite) {
	t.Helper()
	g, dsn := newGate(t)
	s := testSiteOn(t, sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, dsn), QueryTimeout: 10 * time.Second}}, changes...)
	s.fill()
	return g, s
}

// TestDatabaseGoesAway: while the server is away every route says so, in JSON and
// without waiting for it; when it is back, so are the responses.
func TestDatabaseGoesAway(t *testing.T) {
	g, s := outageSite(t)
	for _, target := range everyRoute {
		if got := s.get(target).outcome(); got != "200" {
			t.Fatalf("/%s: %s", target, got)
		}
	}
	for range 2 {
		g.shut()
		start := time.Now()
		for _, target := range everyRoute {
			a := s.get(target)
			if a.outcome() != "503 calbridge_unavailable" || a.header.Get("Retry-After") != "2" || a.header.Get("Content-Type") != "application/json; charset=UTF-8" {
				t.Errorf("/%s: %s %v", target, a.outcome(), a.header)
			}
			if head := s.do(ask{method: "HEAD", target: target}); head.status != 503 || head.body != "" {
				t.Errorf("HEAD /%s: %d %q", target, head.status, head.body)
			}
			if user := s.do(ask{target: target, as: "edita"}).outcome(); user != "503 calbridge_unavailable" {
				t.Errorf("/%s as a user: %s", target, user)
			}
		}
		// The shortest wait that there could be is the pool's.
		if took, n := time.Since(start), 3*len(everyRoute); took > time.Duration(n)*sqlconn.DefaultPoolWait {
			t.Errorf("%d refusals took %v", n, took)
		}
		g.openUp()
		for _, target := range everyRoute {
			if got := s.get(target).outcome(); got != "200" {
				t.Errorf("/%s after the server came back: %s", target, got)
			}
		}
	}
}

// TestDatabaseStalls: a server that does not answer costs each request its own
// time limit and not more, however many wait, and also before the first of them
// has read the site's options.
func TestDatabaseStalls(t *testing.T) {
	const limit, requests = time.Second, 30
	for name, warm := range map[string]bool{"cold": false, "warm": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g, s := outageSite(t, func(c *Config) {
				c.RequestTimeout = limit
				c.Observe = nil
				if warm {
					c.SiteRefresh = time.Hour
				}
			})
			if warm {
				s.get("events")
			}
			g.stall(true)
			var wg sync.WaitGroup
			start := time.Now()
			for range requests {
				wg.Go(func() {
					if got := s.get("events").outcome(); got != "503 calbridge_unavailable" {
						t.Error(got)
					}
				})
			}
			wg.Wait()
			if took := time.Since(start); took > requests*limit/2 { // one after the other
				t.Errorf("%d requests took %v", requests, took)
			}
			g.stall(false)
			// The pool throws the stalled connections away.
			for end := time.Now().Add(2 * time.Minute); ; time.Sleep(limit / 10) {
				got := s.get("events").outcome()
				if got == "200" {
					return
				}
				if time.Now().After(end) {
					t.Fatal("after the server came back:", got)
				}
			}
		})
	}
}
