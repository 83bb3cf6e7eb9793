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
	"strconv"
	"strings"
	"syscall"
	"time"
)

// clockTick is the unit of the times in /proc, which Linux fixes for programs.
const clockTick = 10 * time.Millisecond

// cpuTime is the time that a process has spent on processors, its system calls
// included.
func cpuTime(pid int) (time.Duration, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	// The name in parentheses may hold anything; utime and stime are the 12th and
	// 13th field behind it.
	fields := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
	if len(fields) < 13 {
		return 0, fmt.Errorf("/proc/%d/stat: %d fields", pid, len(fields))
	}
	user, err1 := strconv.ParseInt(fields[11], 10, 64)
	system, err2 := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * clockTick, errors.Join(err1, err2)
}

// residentBytes is the resident size of a process.
func residentBytes(pid int) (int64, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(data))
	if len(fields) < 2 {
		return 0, fmt.Errorf("/proc/%d/statm: %q", pid, data)
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize()), err
}

// child is a server that this program has started.
type child struct {
	cmd       *exec.Cmd
	addr, ops string // of its listeners; ops may be ""
}

// startChild starts a server and waits for the line of its log that tells the
// addresses. What else it logs is read and dropped, as a log collector would.
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
	_ = c.cmd.Wait() // ended by a signal is no failure
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
