package mariadbd

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// Process is a running server. A shell supervises it: its standard input ends when this
// process ends for any reason, and then it kills the server.
type Process struct {
	PID      int
	lifeline io.Closer
	ended    chan struct{}
}

// Run starts a server, which appends to a log. It does not wait until the server accepts
// connections. A folder that is not "" is removed after the server's end.
func Run(binary string, args []string, log, folder string) (*Process, error) {
	out, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	const watch = `dir=$1; shift; "$@" </dev/null >/dev/null & server=$!; echo $server; cat >/dev/null; ` +
		`kill -9 $server; wait $server 2>/dev/null; [ -z "$dir" ] || rm -rf "$dir"`
	cmd := exec.Command("sh", append([]string{"-c", watch, "sh", folder, binary}, args...)...)
	cmd.Stderr = out
	lifeline, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	said, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &Process{lifeline: lifeline, ended: make(chan struct{})}
	line, err := bufio.NewReader(said).ReadString('\n')
	if err == nil {
		p.PID, err = strconv.Atoi(strings.TrimSpace(line))
	}
	go func() {
		_ = cmd.Wait()
		close(p.ended)
	}()
	return p, err
}

// Kill ends the server immediately, with SIGKILL.
func (p *Process) Kill() {
	_ = syscall.Kill(p.PID, syscall.SIGKILL)
	_ = p.lifeline.Close()
	<-p.ended
}
