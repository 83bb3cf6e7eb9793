package docker_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// machine is a copy of this machine's file system, on which packages can be installed: an
// overlay in a mount namespace of its own, which disappears with the process that holds it.
type machine struct {
	t      *testing.T
	root   string // visible in the namespace only
	holder string // process id
}

// setUpMachine mounts the overlay. $1 is an empty folder.
const setUpMachine = `set -e
mount -t tmpfs tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o lowerdir=/,upperdir="$1/upper",workdir="$1/work" "$1/root"
mount --rbind /dev "$1/root/dev"
mount -t proc proc "$1/root/proc"
echo ready
exec cat
`

// newMachine returns a machine that exists until the test ends. Only root can make one.
func newMachine(t *testing.T) *machine {
	t.Helper()
	if os.Getuid() != 0 {
		optional(t, "CALBRIDGE_REQUIRE_OVERLAY", "only root can mount a file system")
	}
	dir := t.TempDir()
	cmd := exec.Command(tool(t, "unshare"), "--mount", "--propagation", "private", "sh", "-c", setUpMachine, "sh", dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var messages strings.Builder
	cmd.Stderr = &messages
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); _ = cmd.Wait() })
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		in.Close()
		_ = cmd.Wait()
		optional(t, "CALBRIDGE_REQUIRE_OVERLAY", "an overlay can't be mounted here: %v\n%s", err, &messages)
	}
	return &machine{t, filepath.Join(dir, "root"), strconv.Itoa(cmd.Process.Pid)}
}

// command returns a command that runs on the machine as a user, "" for root.
func (m *machine) command(user string, args ...string) *exec.Cmd {
	all := []string{"--target", m.holder, "--mount", "chroot"}
	if user != "" {
		all = append(all, "--userspec="+user+":"+user)
	}
	cmd := exec.CommandContext(m.t.Context(), "nsenter", append(append(all, m.root), args...)...)
	cmd.Env = []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", "DEBIAN_FRONTEND=noninteractive", "HOME=/"}
	return cmd
}

// run runs a command as root and returns its output, which it logs. The command must succeed.
func (m *machine) run(args ...string) string {
	m.t.Helper()
	out, err := m.command("", args...).CombinedOutput()
	if err != nil {
		m.t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	m.t.Logf("# %s\n%s", strings.Join(args, " "), tail(string(out), 1500))
	return string(out)
}

// cat returns the text of a file.
func (m *machine) cat(path string) string {
	m.t.Helper()
	out, err := m.command("", "cat", path).CombinedOutput()
	if err != nil {
		m.t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// put writes a file that root and a group can read.
func (m *machine) put(path, group, text string) {
	m.t.Helper()
	cmd := m.command("", "install", "--mode=640", "--group="+group, "/dev/stdin", path)
	cmd.Stdin = strings.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		m.t.Fatalf("write %s: %v\n%s", path, err, out)
	}
}

// pretendSystemd replaces systemctl by a script that records its arguments; asked returns them.
func (m *machine) pretendSystemd() (asked func() string) {
	m.t.Helper()
	m.run("install", "-d", "/run/systemd/system")
	script := m.command("", "install", "--mode=755", "/dev/stdin", "/usr/bin/systemctl")
	script.Stdin = strings.NewReader("#!/bin/sh\necho \"$*\" >>/root/asked\n")
	if out, err := script.CombinedOutput(); err != nil {
		m.t.Fatalf("%v\n%s", err, out)
	}
	return func() string { return m.run("sh", "-ec", "touch /root/asked; cat /root/asked; rm /root/asked") }
}

// share makes a folder of the real machine visible at the same path.
func (m *machine) share(dir string) {
	m.t.Helper()
	m.run("mkdir", "-p", dir)
	out, err := exec.CommandContext(m.t.Context(), "nsenter", "--target", m.holder, "--mount", "mount", "--bind", dir, m.root+dir).CombinedOutput()
	if err != nil {
		m.t.Fatalf("mount %s: %v\n%s", dir, err, out)
	}
}

// has reports whether a path exists.
func (m *machine) has(path string) bool { return m.command("", "test", "-e", path).Run() == nil }
