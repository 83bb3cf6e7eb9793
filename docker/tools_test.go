// Package docker_test tests the operations files. Each is run by the program that it is
// for, where that program is installed. Debian has all of them:
//
//	apt-get install --no-install-recommends prometheus nginx apache2 caddy buildah systemd
//
// Tests of missing programs are skipped; CALBRIDGE_REQUIRE_OPS=1 makes them fail.
package docker_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"calbridge/wpstore/wptest"
)

// tool returns the path of a program, also in directories that only root's PATH has.
func tool(t *testing.T, names ...string) string {
	t.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
		for _, dir := range []string{"/usr/sbin", "/sbin", "/usr/local/sbin"} {
			path := filepath.Join(dir, name)
			if info, err := os.Stat(path); err == nil && info.Mode()&0o111 != 0 {
				return path
			}
		}
	}
	missing(t, "%s is not installed", strings.Join(names, " or "))
	return ""
}

// missing skips a test, or fails it if CALBRIDGE_REQUIRE_OPS is set.
func missing(t *testing.T, format string, args ...any) {
	t.Helper()
	if os.Getenv("CALBRIDGE_REQUIRE_OPS") == "1" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

// optional skips a test that this machine can't run, or fails it if the environment variable is 1.
func optional(t *testing.T, variable, format string, args ...any) {
	t.Helper()
	if os.Getenv(variable) == "1" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format+"; set %s=1 to insist on it", append(args, variable)...)
}

// output runs a program and returns its output. The program must succeed.
func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", filepath.Base(name), strings.Join(args, " "), err, out)
	}
	return string(out)
}

// process is a program that runs until the test ends.
type process struct {
	cmd *exec.Cmd
	log *lockedBuffer
}

// start runs a program until the test ends. Its output is shown if the test fails.
func start(t *testing.T, cmd *exec.Cmd) *process {
	t.Helper()
	p := &process{cmd: cmd, log: &lockedBuffer{}}
	cmd.Stdout, cmd.Stderr = p.log, p.log
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	cmd.WaitDelay = 30 * time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		kill := time.AfterFunc(30*time.Second, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		kill.Stop()
		if t.Failed() {
			t.Logf("%s said:\n%s", filepath.Base(cmd.Path), tail(p.log.String(), 4000))
		}
	})
	return p
}

func tail(s string, n int) string {
	if len(s) > n {
		return "…" + s[len(s)-n:]
	}
	return s
}

// lockedBuffer collects the output of a running program.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// freeAddr returns a loopback address that is currently not in use.
func freeAddr(t *testing.T) string {
	t.Helper()
	return fmt.Sprintf("127.0.0.1:%d", wptest.FreePort(t))
}

// eventually calls done until it returns true; what describes the condition in the error.
func eventually(t *testing.T, what string, within time.Duration, done func(ctx context.Context) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	for !done(ctx) {
		select {
		case <-ctx.Done():
			t.Fatalf("%s: not within %s", what, within)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// listening waits until something accepts connections at addr.
func listening(t *testing.T, addr string) {
	t.Helper()
	eventually(t, "something listens on "+addr, 2*time.Minute, func(ctx context.Context) bool {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", addr)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
}

// read returns one of the files under test.
func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// write puts text into a file of dir and returns its path.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
