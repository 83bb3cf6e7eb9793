package systemtest

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"calbridge/cmd/calbridge/buildinfo"
	"calbridge/cmd/calbridge/cmdline"
	"calbridge/wpstore/check"
	"calbridge/wpstore/sample"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// sampleFile returns a SQLite file with the sample calendar.
func sampleFile(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "sample.db")
	loadSample(t, sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, "sqlite:"+file), CreateFile: true}, Tables: table.Config{Prefix: "wp_"}})
	return file
}

func loadSample(t *testing.T, cfg sitedb.Config) {
	t.Helper()
	db, err := sitedb.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := sample.Load(t.Context(), db, sample.Options{Now: time.Now(), Home: "https://lipa.example"}); err != nil {
		t.Fatal(err)
	}
}

func TestServe(t *testing.T) {
	s := start(t, nil, "serve", "--dsn", "sqlite:"+sampleFile(t), "--log-format", "text")
	resp, body := fetch(t, s.api+"/wp-json/calendar/events/v1/events?per_page=2", "Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	if resp.StatusCode != http.StatusOK || !strings.Contains(body, `"rest_url":"https:\/\/lipa.example`) {
		t.Errorf("%d %.300s", resp.StatusCode, body)
	}
	if resp, body := fetch(t, s.api+"/wp-json/calendar/events/v1/nothing?_wpnonce=secret"); resp.StatusCode == http.StatusOK || !json.Valid([]byte(body)) {
		t.Errorf("%d %s", resp.StatusCode, body)
	}
	for path, want := range map[string]string{"/healthz": "ok\n", "/readyz": "ready\n", "/version": buildinfo.This().String() + "\n"} {
		if resp, body := fetch(t, s.ops+path); resp.StatusCode != http.StatusOK || body != want {
			t.Errorf("%s: %d %q", path, resp.StatusCode, body)
		}
	}
	if resp, _ := fetch(t, s.ops+"/wp-json/"); resp.StatusCode != http.StatusNotFound {
		t.Errorf("the ops listener answers the API: %d", resp.StatusCode)
	}
	if code, stdout, stderr := once(t, nil, "healthcheck", "--ops-listen", strings.TrimPrefix(s.ops, "http://")); code != 0 || stdout != "ready\n" {
		t.Errorf("healthcheck: %d %s", code, stderr)
	}
	// The addresses are in use now.
	code, _, stderr := once(t, nil, "demo", "--listen", hostOf(s), "--ops-listen", "off")
	if code != cmdline.Failed || !strings.Contains(stderr, "Another program listens there") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	code, found := checkReport(t, "--dsn", "sqlite:"+sampleFile(t), "--listen", hostOf(s), "--ops-listen", strings.TrimPrefix(s.ops, "http://"))
	if code != cmdline.OK || !strings.Contains(found["listen.api"].Found, "calbridge is running") {
		t.Errorf("check beside a running server: %d %+v", code, found["listen.api"])
	}
	code, found = checkReport(t, "--dsn", "sqlite:"+sampleFile(t), "--listen", hostOf(s))
	if code != cmdline.Failed || found["listen.api"].Status != check.StatusFail {
		t.Errorf("check of a taken address: %d %+v", code, found["listen.api"])
	}
	if code := s.stop(); code != cmdline.OK {
		t.Errorf("ended with %d:\n%s", code, s.stderr)
	}
	log := s.stderr.String()
	for _, want := range []string{"route=/events status=200", "trace=0af7651916cd43dd8448eb211c80319c", "msg=stopped", `check=site.wording`} {
		if !strings.Contains(log, want) {
			t.Errorf("the log lacks %q:\n%s", want, log)
		}
	}
	if strings.Contains(log, "secret") {
		t.Errorf("a secret is in the log:\n%s", log)
	}
}

// TestHugeRequests sends more than a server should accept.
func TestHugeRequests(t *testing.T) {
	s := start(t, nil, "demo")
	conn, err := net.Dial("tcp", hostOf(s))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	go func() {
		_, _ = io.WriteString(conn, "GET /wp-json/calendar/events/v1/events?search="+strings.Repeat("a", 10<<20)+" HTTP/1.1\r\nHost: x\r\n\r\n")
	}()
	_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
	head := make([]byte, 12)
	if _, err := io.ReadFull(conn, head); err != nil || string(head) != "HTTP/1.1 431" {
		t.Errorf("10 MB query: %q %v", head, err)
	}
	resp, err := http.Post(s.api+"/wp-json/calendar/events/v1/events", "application/json", strings.NewReader(strings.Repeat(" ", 9<<20)))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusRequestEntityTooLarge || !json.Valid(body) {
		t.Errorf("9 MiB body: %d %s", resp.StatusCode, body)
	}
	if resp, _ := fetch(t, s.api+"/wp-json/calendar/events/v1/events?search="+strings.Repeat("%FF", 10000)); resp.StatusCode != http.StatusOK {
		t.Errorf("30 kB of invalid UTF-8: %d", resp.StatusCode)
	}
}

// TestDrain stops the program while a request is in flight.
func TestDrain(t *testing.T) {
	s := start(t, nil, "serve", "--dsn", "sqlite:"+sampleFile(t))
	conn := hang(t, s.api)
	s.cancel()
	waitFor(t, func() bool { return strings.Contains(s.stderr.String(), "stopping") })
	if resp, body := fetch(t, s.ops+"/readyz"); resp.StatusCode != http.StatusServiceUnavailable || body != "stopping\n" {
		t.Errorf("/readyz while stopping: %d %s", resp.StatusCode, body)
	}
	_, _ = io.WriteString(conn, "{}")
	_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
	if answer, err := io.ReadAll(conn); err != nil || !strings.Contains(string(answer), "HTTP/1.1 ") {
		t.Errorf("the request under way was cut off: %v %q", err, answer)
	}
	if code := s.stop(); code != cmdline.OK {
		t.Errorf("ended with %d", code)
	}
}

func waitFor(t *testing.T, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("waited in vain")
		}
	}
}

// TestDatabaseGoesAway cuts the connection to the database while the program serves, and
// restores it.
func TestDatabaseGoesAway(t *testing.T) {
	dsn := wptest.MariaDB(t)
	loadSample(t, sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, dsn)}, Tables: table.Config{Prefix: "wp_"}})
	cfg, err := mysql.ParseDSN(dsn)
	if err != nil {
		t.Fatal(err)
	}
	wire := newWire(t, cfg.Net, cfg.Addr)
	cfg.Net, cfg.Addr = "unix", wire.path
	s := start(t, map[string]string{"CALBRIDGE_DSN": cfg.FormatDSN()}, "serve", "--site-refresh", "0s", "--request-timeout", "1m")
	url := s.api + "/wp-json/calendar/events/v1/events"
	if resp, body := fetch(t, url); resp.StatusCode != http.StatusOK {
		t.Fatalf("%d %s", resp.StatusCode, body)
	}
	wire.cut()
	for range 3 {
		resp, body := fetch(t, url)
		if resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Retry-After") == "" || !json.Valid([]byte(body)) || !strings.Contains(body, `"code"`) {
			t.Errorf("without a database: %d %v %s", resp.StatusCode, resp.Header, body)
		}
	}
	if resp, _ := fetch(t, s.ops+"/readyz"); resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("/readyz without a database: %d", resp.StatusCode)
	}
	if resp, _ := fetch(t, s.ops+"/healthz"); resp.StatusCode != http.StatusOK {
		t.Errorf("/healthz without a database: %d", resp.StatusCode)
	}
	wire.mend(t)
	waitFor(t, func() bool { resp, _ := fetch(t, url); return resp.StatusCode == http.StatusOK })
	waitFor(t, func() bool { resp, _ := fetch(t, s.ops+"/readyz"); return resp.StatusCode == http.StatusOK })
}

// wire forwards connections to a server until it is cut.
type wire struct {
	path, network, addr string
	mu                  sync.Mutex
	listener            net.Listener
	conns               []net.Conn
}

func newWire(t *testing.T, network, addr string) *wire {
	t.Helper()
	dir, err := os.MkdirTemp("", "wire") // the path of t.TempDir is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{path: filepath.Join(dir, "s"), network: network, addr: addr}
	t.Cleanup(func() { w.cut(); os.RemoveAll(dir) })
	w.mend(t)
	return w
}

func (w *wire) mend(t *testing.T) {
	t.Helper()
	l, err := net.Listen("unix", w.path)
	if err != nil {
		t.Fatal(err)
	}
	w.mu.Lock()
	w.listener = l
	w.mu.Unlock()
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial(w.network, w.addr)
			if err != nil {
				in.Close()
				continue
			}
			w.mu.Lock()
			w.conns = append(w.conns, in, out)
			w.mu.Unlock()
			go func() { _, _ = io.Copy(out, in); out.Close() }()
			go func() { _, _ = io.Copy(in, out); in.Close() }()
		}
	}()
}

func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.listener.Close()
	for _, c := range w.conns {
		c.Close()
	}
	w.conns = nil
}
