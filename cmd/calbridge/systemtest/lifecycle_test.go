package systemtest

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"calbridge/wpstore/sample"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// child is the program as a separate process that can receive signals.
type child struct {
	*started
	cmd     *exec.Cmd
	manager *manager
	exited  chan error
	took    time.Duration // time until it was ready
}

// manager stands in for systemd: it listens on NOTIFY_SOCKET.
type manager struct {
	conn *net.UnixConn
	path string
}

func newManager(t *testing.T) *manager {
	t.Helper()
	path := filepath.Join(shortDir(t), "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return &manager{conn, path}
}

// shortDir returns a directory with a path that is short enough for a socket.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "cb")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// next returns the first line of the next message.
func (m *manager) next(t *testing.T) string {
	t.Helper()
	buf := make([]byte, 4096)
	_ = m.conn.SetReadDeadline(time.Now().Add(2 * time.Minute))
	n, err := m.conn.Read(buf)
	if err != nil {
		t.Fatalf("the service manager received nothing: %v", err)
	}
	line, _, _ := strings.Cut(string(buf[:n]), "\n")
	return line
}

// spawn starts the program and waits for READY=1.
func spawn(t *testing.T, env []string, args ...string) *child {
	t.Helper()
	c := &child{started: &started{t: t, stdout: &output{}, stderr: &output{}}, manager: newManager(t), exited: make(chan error, 1)}
	if !slices.Contains(args, "--listen") {
		args = append(args, "--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0")
	}
	c.cmd = exec.Command("calbridge", args...)
	c.cmd.Env = append(append(os.Environ(), "NOTIFY_SOCKET="+c.manager.path), env...)
	c.cmd.Stdout, c.cmd.Stderr = c.stdout, c.stderr
	begin := time.Now()
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { c.exited <- c.cmd.Wait() }()
	t.Cleanup(func() {
		_ = c.cmd.Process.Kill()
		c.wait(10 * time.Second)
	})
	if line := c.manager.next(t); line != "READY=1" {
		t.Fatalf("sent %q first, want READY=1:\n%s", line, c.stderr)
	}
	c.took = time.Since(begin)
	var m []string
	waitFor(t, func() bool { // the log arrives through a pipe
		m = servingLine.FindStringSubmatch(c.stderr.String())
		return m != nil
	})
	c.api, c.ops = "http://"+m[1], "http://"+m[2]
	return c
}

// wait returns how the process ended. It returns an error if the process is still running.
func (c *child) wait(within time.Duration) error {
	select {
	case err := <-c.exited:
		c.exited <- err
		return err
	case <-time.After(within):
		return errors.New("still running")
	}
}

func (c *child) signal(s os.Signal) {
	c.t.Helper()
	if err := c.cmd.Process.Signal(s); err != nil {
		c.t.Fatal(err)
	}
}

// reload sends SIGHUP and waits until the reload has finished.
func (c *child) reload() {
	c.t.Helper()
	c.signal(syscall.SIGHUP)
	for _, want := range []string{"RELOADING=1", "READY=1"} {
		if line := c.manager.next(c.t); line != want {
			c.t.Fatalf("sent %q, want %q:\n%s", line, want, c.stderr)
		}
	}
}

func TestLifeCycle(t *testing.T) {
	c := spawn(t, nil, "serve", "--dsn", "sqlite:"+sampleFile(t))
	t.Logf("ready after %s", c.took.Round(time.Millisecond))
	if c.took > time.Second && os.Getenv("CALBRIDGE_LONG") != "" {
		t.Errorf("starting takes %s, want less than a second", c.took)
	}
	c.reload()
	if resp, body := fetch(t, c.api+"/wp-json/calendar/events/v1/events?per_page=1"); resp.StatusCode != http.StatusOK {
		t.Errorf("after a reload: %d %s", resp.StatusCode, body)
	}
	c.signal(syscall.SIGTERM)
	if line := c.manager.next(t); line != "STOPPING=1" {
		t.Errorf("sent %q, want STOPPING=1", line)
	}
	if err := c.wait(time.Minute); err != nil {
		t.Errorf("SIGTERM ends with %v:\n%s", err, c.stderr)
	}
}

// hang begins a request and does not finish it.
func hang(t *testing.T, api string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(api, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if _, err := io.WriteString(conn, "POST /wp-json/calendar/events/v1/events HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	// The server has asked for the body, so the request is in flight.
	if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatalf("%q, %v", line, err)
	}
	return conn
}

func TestSecondSignalEndsAtOnce(t *testing.T) {
	c := spawn(t, nil, "serve", "--dsn", "sqlite:"+sampleFile(t))
	hang(t, c.api)
	c.signal(syscall.SIGTERM)
	if line := c.manager.next(t); line != "STOPPING=1" {
		t.Fatalf("sent %q", line)
	}
	if err := c.wait(300 * time.Millisecond); err == nil || err.Error() != "still running" {
		t.Fatalf("does not wait for the request under way: %v", err)
	}
	c.signal(syscall.SIGTERM)
	err := c.wait(time.Minute)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGTERM {
		t.Errorf("the second signal ends with %v", err)
	}
}

// dialOnce dials one connection.
func dialOnce() func(context.Context, string, string) (net.Conn, error) {
	dialled := false
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		if dialled {
			return nil, errors.New("the connection was closed")
		}
		dialled = true
		return new(net.Dialer).DialContext(ctx, network, addr)
	}
}

func TestDrainDelay(t *testing.T) {
	file := sampleFile(t)
	c := spawn(t, nil, "serve", "--dsn", "sqlite:"+file, "--drain-delay", "10m")
	idle := &http.Client{Transport: &http.Transport{DialContext: dialOnce()}}
	ask := func() bool {
		resp, err := idle.Post(c.api+"/wp-json/calendar/events/v1/events", "application/json", strings.NewReader("{}")) // net/http doesn't repeat a POST
		if err != nil {
			t.Fatalf("a connection that was idle when the process began to stop: %v", err)
		}
		defer resp.Body.Close()
		_, _ = io.Copy(io.Discard, resp.Body)
		return resp.Close
	}
	if ask() {
		t.Error("closed by the first answer")
	}
	c.signal(syscall.SIGTERM)
	c.manager.next(t)
	if !ask() {
		t.Error("not closed by an answer of a process that stops")
	}
	if resp, _ := fetch(t, c.ops+"/readyz"); resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("/readyz says %d while draining", resp.StatusCode)
	}
	if resp, _ := fetch(t, c.api+"/wp-json/calendar/events/v1/events?per_page=1"); resp.StatusCode != http.StatusOK || !resp.Close {
		t.Errorf("while balancers find out, a request gets %d, close %v", resp.StatusCode, resp.Close)
	}
	c = spawn(t, nil, "serve", "--dsn", "sqlite:"+file, "--drain-delay", "100ms")
	c.signal(syscall.SIGTERM)
	if err := c.wait(time.Minute); err != nil {
		t.Error(err)
	}
}

// namedSample returns a file with the sample calendar of a site with the URL home.
func namedSample(t *testing.T, home string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "sample.db")
	db, err := sitedb.Open(t.Context(), sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, "sqlite:"+file), CreateFile: true}, Tables: table.Config{Prefix: "wp_"}})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := sample.Load(t.Context(), db, sample.Options{Now: time.Now(), Home: home}); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestReload changes the secret that names the database while clients send requests, then the
// profile, and then breaks settings.
func TestReload(t *testing.T) {
	dir := t.TempDir()
	secret, config := filepath.Join(dir, "dsn"), filepath.Join(dir, "conf")
	put := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(secret, "sqlite:"+namedSample(t, "https://one.example"))
	put(config, "namespace = calendar/events/v1\n")
	c := spawn(t, []string{"CALBRIDGE_DSN_FILE=" + secret}, "serve", "--config", config)
	url := c.api + "/wp-json/calendar/events/v1/events?per_page=1"
	serves := func(host string) {
		t.Helper()
		if resp, body := fetch(t, url); resp.StatusCode != http.StatusOK || !strings.Contains(body, host) {
			t.Errorf("%d, want links to %s: %.200s", resp.StatusCode, host, body)
		}
	}
	serves("one.example")

	var stop atomic.Bool
	var asked, failed atomic.Int64
	var clients sync.WaitGroup
	for range 2 {
		clients.Go(func() {
			for !stop.Load() {
				resp, err := http.Get(url)
				asked.Add(1)
				if err != nil || resp.StatusCode != http.StatusOK {
					failed.Add(1)
				}
				if err == nil {
					_, _ = io.Copy(io.Discard, resp.Body)
					resp.Body.Close()
				}
			}
		})
	}
	put(secret, "sqlite:"+namedSample(t, "https://two.example"))
	for range 5 {
		c.reload()
	}
	stop.Store(true)
	clients.Wait()
	if failed.Load() > 0 || asked.Load() == 0 {
		t.Errorf("%d of %d requests failed during reloads", failed.Load(), asked.Load())
	}
	serves("two.example")

	put(config, "namespace = other/v1\n")
	c.reload()
	url = c.api + "/wp-json/other/v1/events?per_page=1"
	serves("two.example")

	reloads := func(want string) {
		t.Helper()
		if _, body := fetch(t, c.ops+"/metrics"); !strings.Contains(body, "calbridge_config_last_reload_successful "+want+"\n") {
			t.Errorf("calbridge_config_last_reload_successful is not %s", want)
		}
	}
	reloads("1")
	for _, broken := range []func(){
		func() { put(secret, "sqlite:"+filepath.Join(dir, "nothing.db")) },
		func() { put(secret, "") },
		func() { put(config, "nonsense\n") },
		func() { os.Remove(config) },
	} {
		broken()
		c.reload()
		serves("two.example")
		reloads("0")
	}
	waitFor(t, func() bool { return strings.Contains(c.stderr.String(), "reload failed") })
}
