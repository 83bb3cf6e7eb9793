package systemtest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"calbridge/cmd/calbridge/app"
)

// TestMain lets test scripts run this program as the command calbridge.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"calbridge": func() { os.Exit(app.Main()) }})
}

// TestScripts runs the command lines in testdata/script.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Setup: func(env *testscript.Env) error {
			for _, v := range os.Environ() { // ignore the settings of the user who runs the tests
				if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "CALBRIDGE_") {
					env.Setenv(name, "")
				}
			}
			return nil
		},
	})
}

// exits runs a program like exec, and checks its exit code: exits CODE PROGRAM [ARGUMENTS].
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARGUMENTS]")
	}
	code := 0
	err := ts.Exec(args[1], args[2:]...)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// output collects what a running program writes.
type output struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}

// started is a running server.
type started struct {
	t              *testing.T
	api, ops       string // URLs without a trailing slash
	stdout, stderr *output
	cancel         context.CancelFunc
	done           chan int
}

var servingLine = regexp.MustCompile(`msg=serving listen=(\S+) ops=(\S+)`)

// start runs the program with ports that the system chooses, and waits until it serves. The
// program is stopped when the test ends.
func start(t *testing.T, env map[string]string, args ...string) *started {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	s := &started{t: t, stdout: &output{}, stderr: &output{}, cancel: cancel, done: make(chan int, 1)}
	args = append(args, "--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0")
	go func() {
		s.done <- app.Run(ctx, args, func(name string) string { return env[name] }, s.stdout, s.stderr)
	}()
	t.Cleanup(func() { s.stop() })
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if m := servingLine.FindStringSubmatch(s.stderr.String()); m != nil {
			s.api, s.ops = "http://"+m[1], "http://"+m[2]
			if args[0] == "demo" {
				waitFor(t, func() bool { return s.stdout.String() != "" }) // printed last
			}
			return s
		}
		select {
		case code := <-s.done:
			s.done <- code // for stop
			t.Fatalf("ended with %d:\n%s", code, s.stderr)
		default:
		}
	}
	t.Fatalf("does not serve:\n%s", s.stderr)
	return nil
}

// stop ends the program and returns its exit code.
func (s *started) stop() int {
	s.t.Helper()
	s.cancel()
	select {
	case code := <-s.done:
		s.done <- code
		return code
	case <-time.After(2 * time.Minute):
		s.t.Fatalf("does not stop:\n%s", s.stderr)
		return -1
	}
}

// fetch returns the response to a GET.
func fetch(t *testing.T, url string, header ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	client := http.Client{Timeout: 2 * time.Minute}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(body)
}

// once runs the program until it ends.
func once(t *testing.T, env map[string]string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = app.Run(t.Context(), args, func(name string) string { return env[name] }, &out, &err)
	return code, out.String(), err.String()
}
