package systemtest

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"calbridge/cmd/calbridge/httpserver"
	"calbridge/wpstore/sqlconn"
)

const hostileAPI = "/wp-json/calendar/events/v1"

// attack is what many clients do to a server at the same time.
type attack struct {
	name    string
	clients int
	// do misuses a connection until it fails because the server has closed it.
	do func(conn net.Conn) error
	// within is the time in which the server must close the connection; 0 if it need not.
	within time.Duration
}

// drip writes text a few bytes at a time, again and again.
func drip(conn net.Conn, text string, size int, pause time.Duration) error {
	for at := 0; ; at = (at + size) % len(text) {
		if _, err := io.WriteString(conn, text[at:min(at+size, len(text))]); err != nil {
			return err
		}
		time.Sleep(pause)
	}
}

// again opens one connection after another instead of holding one.
func again(addr string, until *atomic.Bool, do func(net.Conn)) error {
	for !until.Load() {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			return err
		}
		_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
		do(conn)
		conn.Close()
		time.Sleep(200 * time.Millisecond) // a flood would only measure the number of processors
	}
	return io.EOF
}

// attacks on the server at addr; those that go on by themselves end with over.
func attacks(addr string, over *atomic.Bool, n int) []attack {
	const head = "Host: lipa.example\r\n"
	post := "POST " + hostileAPI + "/events HTTP/1.1\r\n" + head + "Content-Type: application/json\r\n"
	doc := "GET " + hostileAPI + "/doc HTTP/1.1\r\n" + head + "\r\n"
	discard := func(conn net.Conn, request string) {
		go func() { _, _ = io.WriteString(conn, request) }()
		_, _ = io.Copy(io.Discard, conn)
	}
	return []attack{
		{"headers a byte at a time", n, func(conn net.Conn) error {
			return drip(conn, "GET / HTTP/1.1\r\n"+head+strings.Repeat("X: y\r\n", 5000), 1, 100*time.Millisecond)
		}, httpserver.ReadHeaderTimeout + 3*time.Second},
		{"bodies a byte at a time", n, func(conn net.Conn) error {
			_, _ = io.WriteString(conn, post+"Content-Length: 8000000\r\n\r\n")
			return drip(conn, `{"title": "x", `, 1, 100*time.Millisecond)
		}, httpserver.SlowClientTime + 13*time.Second},
		{"chunked bodies without an end", n, func(conn net.Conn) error {
			_, _ = io.WriteString(conn, post+"Transfer-Encoding: chunked\r\n\r\n")
			return drip(conn, "1;xxxxxxxxxxxxxxxx\r\nx\r\n", 23, 50*time.Millisecond)
		}, httpserver.SlowClientTime + 13*time.Second},
		{"answers that nobody reads", n / 4, func(conn net.Conn) error {
			_ = conn.(*net.TCPConn).SetReadBuffer(4096)
			return drip(conn, strings.Repeat(doc, 10), 10*len(doc), 10*time.Millisecond)
		}, httpserver.SlowClientTime + 55*time.Second},
		{"silence", n, func(conn net.Conn) error {
			_, err := conn.Read(make([]byte, 1))
			return err
		}, httpserver.ReadHeaderTimeout + 3*time.Second},
		{"headers of 1 MiB", n / 20, func(net.Conn) error {
			return again(addr, over, func(conn net.Conn) {
				discard(conn, "GET / HTTP/1.1\r\n"+head+"X: "+strings.Repeat("y", 1<<20)+"\r\n\r\n")
			})
		}, 0},
		{"bodies of 9 MiB", n / 50, func(net.Conn) error {
			return again(addr, over, func(conn net.Conn) {
				discard(conn, post+"Connection: close\r\nContent-Length: 9437184\r\n\r\n"+strings.Repeat("[", 9<<20))
			})
		}, 0},
		{"no HTTP at all", n / 20, func(net.Conn) error {
			return again(addr, over, func(conn net.Conn) {
				garbage := make([]byte, 1+rand.IntN(4000))
				for i := range garbage {
					garbage[i] = byte(rand.Uint32())
				}
				discard(conn, string(garbage)+"\r\n\r\n\r\n")
			})
		}, 0},
	}
}

// TestHostileClients lets hundreds of clients misuse the program in all ways at once. It checks
// that other clients are served meanwhile, that memory stays bounded, that clients that hold
// connections are disconnected in time, and that nothing remains afterwards. A short run does
// not wait until slow clients are disconnected; this command does:
//
//	CALBRIDGE_LONG=1 go test -run TestHostileClients -v ./cmd/calbridge/systemtest
func TestHostileClients(t *testing.T) {
	n, length := 60, 3*time.Second
	whole := os.Getenv("CALBRIDGE_LONG") != ""
	if whole {
		n, length = 400, httpserver.SlowClientTime+60*time.Second
	}
	c := spawn(t, nil, "serve", "--dsn", "sqlite:"+sampleFile(t), "--log-level", "info")
	quiet := serveOthers(t, c.api, 100)
	idle := readFigures(t, c.started)

	var over atomic.Bool
	var clients sync.WaitGroup
	var open sync.Map
	all := attacks(hostOf(c.started), &over, n)
	lasted := make([][]time.Duration, len(all))
	var mu sync.Mutex
	for i, a := range all {
		for range a.clients {
			conn, err := net.Dial("tcp", hostOf(c.started))
			if err != nil {
				t.Fatal(err)
			}
			open.Store(conn, true)
			clients.Go(func() {
				begin := time.Now()
				_ = a.do(conn)
				if !over.Load() {
					mu.Lock()
					lasted[i] = append(lasted[i], time.Since(begin))
					mu.Unlock()
				}
			})
		}
	}
	worst := idle
	var busy []time.Duration
	for begin := time.Now(); time.Since(begin) < length; {
		busy = append(busy, serveOthers(t, c.api, 10)...)
		now := readFigures(t, c.started)
		worst = soakFigures{resident: max(worst.resident, now.resident), heap: max(worst.heap, now.heap), goroutines: max(worst.goroutines, now.goroutines), openFiles: max(worst.openFiles, now.openFiles)}
	}
	over.Store(true)
	open.Range(func(conn, _ any) bool { conn.(net.Conn).Close(); return true })
	clients.Wait()
	var after soakFigures
	waitFor(t, func() bool {
		after = readFigures(t, c.started)
		// The pool keeps its connections, each of which has open files.
		return after.goroutines <= idle.goroutines+20 && after.openFiles <= idle.openFiles+3*sqlconn.DefaultMaxOpen
	})
	middle := func(took []time.Duration) time.Duration {
		slices.Sort(took)
		return took[len(took)/2].Round(100 * time.Microsecond)
	}
	t.Logf("others: %s in the middle before, %s under attack, at most %s, of %d requests", middle(quiet), middle(busy), busy[len(busy)-1].Round(time.Millisecond), len(busy))
	t.Logf("resident memory %.0f MiB before, at most %.0f; goroutines %.0f, at most %.0f, %.0f after; open files %.0f, at most %.0f, %.0f after",
		idle.resident/(1<<20), worst.resident/(1<<20), idle.goroutines, worst.goroutines, after.goroutines, idle.openFiles, worst.openFiles, after.openFiles)
	for i, a := range all {
		slices.Sort(lasted[i])
		line := fmt.Sprintf("%-30s %4d clients, %4d cut off by the server", a.name, a.clients, len(lasted[i]))
		if len(lasted[i]) > 0 {
			line += fmt.Sprintf(", the last after %s", lasted[i][len(lasted[i])-1].Round(100*time.Millisecond))
		}
		t.Log(line)
		if whole && a.within > 0 && (len(lasted[i]) != a.clients || lasted[i][len(lasted[i])-1] > a.within) {
			t.Errorf("%s: not all are cut off within %s", a.name, a.within)
		}
	}
	if worst.resident > 512<<20 {
		t.Errorf("%.0f MiB of memory were in use", worst.resident/(1<<20))
	}
	if log := c.stderr.String(); strings.Contains(log, "panic") {
		t.Errorf("the log tells of a panic:\n%.2000s", log)
	}
}

// serveOthers sends requests as a normal client and returns how long the responses took.
func serveOthers(t *testing.T, api string, n int) (took []time.Duration) {
	t.Helper()
	for i := range n {
		path := []string{"/events?per_page=5", "/venues", "/tags", "/categories", "/doc"}[i%5]
		begin := time.Now()
		if resp, body := fetch(t, api+hostileAPI+path); resp.StatusCode != http.StatusOK {
			t.Errorf("%s: %d %.200s", path, resp.StatusCode, body)
		}
		took = append(took, time.Since(begin))
	}
	return took
}
