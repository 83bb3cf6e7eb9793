package docker_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"calbridge/compat/recording"
	"calbridge/testdata"
	"calbridge/wpstore/wptest"
)

// drillNames returns the names of the drills in the script.
func drillNames(t *testing.T) (names []string) {
	t.Helper()
	for _, m := range regexp.MustCompile(`(?m)^drill_([a-z-]+)\(\) \{$`).FindAllStringSubmatch(read(t, "drills/drill"), -1) {
		names = append(names, m[1])
	}
	return names
}

// TestDrills runs the drills against a MariaDB and an instance of their own.
func TestDrills(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short")
	}
	for _, name := range []string{"bash", "curl", "prlimit", "mariadb", "mariadb-dump"} {
		tool(t, name)
	}
	node := wptest.StartNode(t)
	db := node.Site("mono")
	node.Exec("GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.* TO site@'%'")
	dir := t.TempDir()
	// The scripts that stand in for systemd.
	pidFile, again := filepath.Join(dir, "pid"), filepath.Join(dir, "again")
	listen, ops := fmt.Sprintf("127.0.0.1:%d", wptest.FreePort(t)), fmt.Sprintf("127.0.0.1:%d", wptest.FreePort(t))
	state := filepath.Join(dir, "state")
	if err := os.Mkdir(state, 0o700); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() == 0 && syscall.Mount("tmpfs", state, "tmpfs", 0, "size=8m,mode=700") == nil {
		t.Cleanup(func() { _ = syscall.Unmount(state, syscall.MNT_DETACH) })
	}
	write(t, dir, "again", `set -e
if [ -s "`+pidFile+`" ]; then kill "$(cat "`+pidFile+`")" && while kill -0 "$(cat "`+pidFile+`")" 2>/dev/null; do sleep 0.1; done; fi
setsid "`+binary(t)+`" serve --dsn '`+node.DSN("calendar")+`' --table-prefix '`+db.TablePrefix+`' --namespace calendar/events/v1 --extensions --state-dir '`+state+`' \
  --listen `+listen+` --ops-listen `+ops+` --log-level warn --pool-wait 1s --application-passwords on >>"`+dir+`/log" 2>&1 </dev/null &
echo $! >"`+pidFile+`"
`)
	// Ends calbridge and the mount if this process ends without its cleanup.
	lifeline := exec.Command("sh", "-c", `cat >/dev/null; kill -9 "$(cat "$1")"; umount --lazy "$2"`, "sh", pidFile, state)
	stdin, err := lifeline.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := lifeline.Start(); err != nil {
		t.Fatal(err)
	}
	output(t, "sh", again)
	t.Cleanup(func() {
		defer func() { _, _ = stdin.Close(), lifeline.Wait() }()
		// Not with the context of the test, which has ended.
		if out, err := exec.Command("sh", "-c", `kill "$(cat "$1")"; while kill -0 "$(cat "$1")" 2>/dev/null; do sleep 0.1; done`, "sh", pidFile).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
		if t.Failed() {
			t.Logf("the log ends with\n%s", tail(read(t, filepath.Join(dir, "log")), 3000))
		}
	})
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if resp, err := http.Get("http://" + ops + "/readyz"); err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				break
			}
		}
		if time.Now().After(deadline) {
			t.Fatal("does not start")
		}
	}
	file, err := node.Text("SELECT @@pid_file")
	if err != nil {
		t.Fatal(err)
	}
	server := strings.TrimSpace(read(t, file))
	users, err := recording.LoadSite(testdata.Shared(t, "sites", "mono.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range drillNames(t) {
		t.Run(name, func(t *testing.T) {
			if name == "disk-full" {
				var fs syscall.Statfs_t
				if err := syscall.Statfs(state, &fs); err != nil || fs.Blocks*uint64(fs.Bsize) > 64<<20 {
					optional(t, "CALBRIDGE_REQUIRE_OVERLAY", "only root can mount a small file system")
				}
			}
			cmd := exec.CommandContext(t.Context(), "bash", "drills/drill", name)
			// SIGTERM lets the drill end its fault.
			cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
			cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
			cmd.WaitDelay = time.Minute
			cmd.Env = append(os.Environ(),
				"DRILL_API=http://"+listen+"/wp-json/calendar/events/v1", "DRILL_OPS=http://"+ops, "DRILL_PREFIX="+db.TablePrefix, "DRILL_SECONDS=2", "DRILL_STATE_DIR="+state,
				"DRILL_SQL=mariadb --socket="+node.Socket()+" calendar", "DRILL_DUMP=mariadb-dump --socket="+node.Socket()+" calendar",
				"DRILL_STOP_DATABASE=kill -STOP "+server, "DRILL_START_DATABASE=kill -CONT "+server, "DRILL_PID="+strings.TrimSpace(read(t, pidFile)), "DRILL_UPGRADE=sh "+again,
				"DRILL_WRITER=admin:"+users.Users["admin"].ApplicationPassword)
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.HasSuffix(string(out), "drill "+name+" passed\n") {
				t.Fatalf("%v\n%s", err, out)
			}
			t.Logf("%s", out)
		})
	}
}

// TestDrillsPage checks that drills.md describes each drill, and no other.
func TestDrillsPage(t *testing.T) {
	var described []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\|").FindAllStringSubmatch(read(t, "drills.md"), -1) {
		described = append(described, m[1])
	}
	if names := drillNames(t); !slices.Equal(names, described) {
		t.Errorf("the script has %q, the page %q", names, described)
	}
	cmd := exec.Command("bash", "drills/drill", "everything")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "usage: drill NAME") || !strings.Contains(string(out), "log-purged") {
		t.Errorf("%v\n%s", err, out)
	}
}
