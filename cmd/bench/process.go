package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/prometheus/procfs"
)

// cpuTime returns the time that the threads of a process have spent on processors, including
// system calls. Threads of Go programs hardly ever end, so none is missed.
func cpuTime(pid int) (time.Duration, error) {
	threads, err := procfs.AllThreads(pid)
	if err != nil {
		return 0, err
	}
	total := time.Duration(0)
	for _, thread := range threads {
		stat, err := thread.Schedstat()
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return 0, err
		}
		total += time.Duration(stat.RunningNanoseconds)
	}
	return total, nil
}

// processTime returns the CPU time of a process, including threads that have ended, with a
// resolution of 10 ms. It returns 0 if pid is 0.
func processTime(pid int) (time.Duration, error) {
	if pid == 0 {
		return 0, nil
	}
	process, err := procfs.NewProc(pid)
	if err != nil {
		return 0, err
	}
	stat, err := process.Stat()
	return time.Duration(stat.CPUTime() * float64(time.Second)), err
}

// residentBytes returns the resident size of a process.
func residentBytes(pid int) (int, error) {
	process, err := procfs.NewProc(pid)
	if err != nil {
		return 0, err
	}
	stat, err := process.Stat()
	return stat.ResidentMemory(), err
}

// peakBytes returns the greatest resident size that a process has had so far.
func peakBytes(pid int) (int, error) {
	process, err := procfs.NewProc(pid)
	if err != nil {
		return 0, err
	}
	status, err := process.NewStatus()
	return int(status.VmHWM), err
}

// child is a server that this program started.
type child struct {
	cmd       *exec.Cmd
	addr, ops string // of its listeners; ops may be ""
}

// startChild starts a server and waits for the log line with its addresses. It reads
// and discards the rest of the log, as a log collector would.
func startChild(ctx context.Context, program string, args ...string) (*child, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second
	pipe, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	serving := regexp.MustCompile(`msg=serving listen=(\S+)(?: ops=(\S+))?`)
	lines := bufio.NewReader(pipe)
	var said strings.Builder
	for {
		line, err := lines.ReadString('\n')
		if found := serving.FindStringSubmatch(line); found != nil {
			go func() { _, _ = io.Copy(io.Discard, lines) }()
			return &child{cmd, found[1], found[2]}, nil
		}
		said.WriteString(line)
		if err != nil {
			return nil, fmt.Errorf("%s does not serve: %w\n%s", filepath.Base(program), errors.Join(err, cmd.Wait()), said.String())
		}
	}
}

// stop ends the server and waits for it.
func (c *child) stop() {
	_ = c.cmd.Process.Signal(syscall.SIGTERM)
	_ = c.cmd.Wait() // stop's signal makes Wait return an error
}

// buildCalbridge builds the server of this source tree.
func buildCalbridge(ctx context.Context, dir string) (string, error) {
	program := filepath.Join(dir, "calbridge")
	out, err := exec.CommandContext(ctx, "go", "build", "-o", program, "calbridge/cmd/calbridge").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build calbridge: %w\n%s", err, out)
	}
	return program, nil
}
