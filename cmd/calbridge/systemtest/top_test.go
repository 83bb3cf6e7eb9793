package systemtest

import (
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"

	"calbridge/cmd/calbridge/cmdline"
)

// TestTop checks that the terminal shows the same figures, and a clear message if there is no
// server.
func TestTop(t *testing.T) {
	s := start(t, nil, "demo")
	if resp, body := fetch(t, s.api+"/wp-json/calendar/events/v1/venues"); resp.StatusCode != 200 {
		t.Fatal(body)
	}
	code, out, stderr := once(t, nil, "top", "--once", "--ops-listen", strings.TrimPrefix(s.ops, "http://"))
	if code != cmdline.OK || !strings.Contains(out, "/venues") || !strings.Contains(out, "mode native") || strings.Contains(out, "\x1b") {
		t.Errorf("exit %d\n%s%s", code, out, stderr)
	}
	code, _, stderr = once(t, nil, "top", "--once", "--ops-listen", "127.0.0.1:1")
	if code != cmdline.Unreachable || !strings.Contains(stderr, "is calbridge running, with --ops-listen 127.0.0.1:1?") {
		t.Errorf("exit %d %s", code, stderr)
	}
}

// terminal is a program on a terminal of 80 columns, which `script` makes.
type terminal struct {
	t    *testing.T
	keys io.WriteCloser
	out  output
	done chan error
}

func onTerminal(t *testing.T, command string) *terminal {
	t.Helper()
	if _, err := exec.LookPath("script"); err != nil {
		missing(t, "CALBRIDGE_REQUIRE_OPS", "script (bsdutils) is not installed")
	}
	cmd := exec.Command("script", "--quiet", "--return", "--command", "stty columns 80 rows 30; "+command, "/dev/null")
	term := &terminal{t: t, done: make(chan error, 1)}
	cmd.Stdout, cmd.Stderr = &term.out, &term.out
	cmd.Env = append(cmd.Environ(), "TERM=xterm", "SHELL=/bin/sh")
	var err error
	if term.keys, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	go func() { term.done <- cmd.Wait() }()
	return term
}

// await waits until the output has a text.
func (s *terminal) await(what string) {
	s.t.Helper()
	for deadline := time.Now().Add(time.Minute); !strings.Contains(s.out.String(), what); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.t.Fatalf("the terminal does not show %q:\n%q", what, s.out.String())
		}
	}
}

func (s *terminal) press(key string) {
	s.t.Helper()
	if _, err := io.WriteString(s.keys, key); err != nil {
		s.t.Fatal(err)
	}
}

// TestTopOnTerminal checks that keys work, that figures are dimmed while the server is away, and that
// q ends the program and leaves the terminal as it was.
func TestTopOnTerminal(t *testing.T) {
	s := start(t, nil, "demo")
	if resp, body := fetch(t, s.api+"/wp-json/calendar/events/v1/venues"); resp.StatusCode != 200 {
		t.Fatal(body)
	}
	term := onTerminal(t, "before=$(stty -g); calbridge top --ops-listen "+strings.TrimPrefix(s.ops, "http://")+"; code=$?; [ \"$before\" = \"$(stty -g)\" ] && echo \"restored, exit $code\"")
	term.await("/venues")
	term.await("▼a second")
	term.press("s")
	term.await("▼p50 ms")
	term.press("?")
	term.await("sort the routes by the next column")
	term.press("?")
	s.stop()
	term.await("no connection to " + strings.TrimPrefix(s.ops, "http://"))
	term.await("\x1b[2mrequests ")
	term.press("q")
	term.await("restored, exit 0")
	if err := <-term.done; err != nil {
		t.Error(err)
	}
}
