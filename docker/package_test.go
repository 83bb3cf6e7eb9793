package docker_test

import (
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"calbridge/cmd/calbridge/buildinfo"
	"calbridge/wpstore/wptest"
)

// olderCommit is the build that the upgrade starts from: 0.1.0 in the changelog.
const olderCommit = "293d9c8"

// olderPackage returns a Debian package with the files of the given one, but with the binary
// of olderCommit and version 0.1.0.
func olderPackage(t *testing.T, deb string) string {
	t.Helper()
	dir := t.TempDir()
	source, files, older := filepath.Join(dir, "source"), filepath.Join(dir, "files"), filepath.Join(dir, "older.deb")
	if out, err := exec.Command("git", "rev-parse", "--quiet", "--verify", olderCommit+"^{commit}").CombinedOutput(); err != nil {
		optional(t, "CALBRIDGE_REQUIRE_HISTORY", "commit %s is not in this clone: %v\n%s", olderCommit, err, out)
	}
	output(t, "git", "clone", "--quiet", "--shared", "--no-checkout", "..", source)
	output(t, "git", "-C", source, "checkout", "--quiet", olderCommit)
	output(t, "dpkg-deb", "--extract", deb, files)
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(files, "usr/bin/calbridge"), "./cmd/calbridge")
	build.Dir, build.Env = source, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build %s: %v\n%s", olderCommit, err, out)
	}
	pack(t, "deb", files, older)
	return older
}

// pack makes a package with version 0.1.0 of files.
func pack(t *testing.T, format, files, target string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "tool", "-modfile=.ci/release.mod", "nfpm", "package", "--config", "docker/package/nfpm.yaml", "--packager", format, "--target", target)
	cmd.Dir, cmd.Env = "..", append(os.Environ(), "GOFLAGS=-trimpath", "CGO_ENABLED=0", "STAGE="+files, "VERSION=0.1.0", "ARCH="+runtime.GOARCH) // as in .ci/release
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("nfpm: %v\n%s", err, out)
	}
}

// asks compares what a package has asked systemd for.
func asks(t *testing.T, when, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: systemctl was called with\n%swant\n%s", when, got, want)
	}
}

// What packages ask systemd for.
const (
	asksWhenNew      = "daemon-reload\n"
	asksWhenUpgraded = "daemon-reload\ntry-restart calbridge.service\n"
	asksWhenRemoved  = "disable --now calbridge.service\ndaemon-reload\n"
)

// unit reads an installed unit.
type unit struct{ m *machine }

// values returns the values of a key.
func (u unit) values(key string) (all []string) {
	for _, m := range regexp.MustCompile(`(?m)^`+key+`=(.*)$`).FindAllStringSubmatch(u.m.cat("/usr/lib/systemd/system/calbridge.service"), -1) {
		all = append(all, m[1])
	}
	return all
}

// start runs the command of the unit as systemd would: as its user, with its environment and
// its state folder.
func (u unit) start() *process {
	t := u.m.t
	t.Helper()
	users, command, states := u.values("User"), u.values("ExecStart"), u.values("StateDirectory")
	if len(users) != 1 || len(command) != 1 || len(states) != 1 {
		t.Fatalf("the unit has the users %q, commands %q and state folders %q", users, command, states)
	}
	u.m.run("install", "-d", "--mode=750", "--owner="+users[0], "--group="+users[0], "/var/lib/"+states[0])
	cmd := u.m.command(users[0], strings.Fields(command[0])...)
	for _, file := range u.values("EnvironmentFile") {
		for line := range strings.Lines(u.m.cat(strings.TrimPrefix(file, "-"))) {
			cmd.Env = append(cmd.Env, strings.TrimSpace(line))
		}
	}
	return start(t, cmd)
}

// stop ends a process as systemd does. It must exit with code 0.
func (p *process) stop(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, tail(p.log.String(), 3000))
	}
}

// fetch returns the status and the body of a response.
func fetch(t *testing.T, url string) (int, string) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

// ready waits until an instance reports that it is ready.
func ready(t *testing.T, p *process, ops string) {
	t.Helper()
	defer func() {
		if t.Failed() {
			t.Log(tail(p.log.String(), 3000))
		}
	}()
	eventually(t, "/readyz", time.Minute, func(ctx context.Context) bool {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+ops+"/readyz", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return false
		}
		resp.Body.Close()
		return resp.StatusCode == http.StatusOK
	})
}

// stateFiles lists the files of the state folder with their sizes, modes and owners.
func stateFiles(m *machine) string {
	return m.run("sh", "-ec", `find /var/lib/calbridge -printf '%P %s %m %u %g\n' | sort`)
}

// tryDebianPackage installs an older package, configures it as install.md describes, serves a
// site, upgrades to the package under test, serves again, and removes and purges it.
func tryDebianPackage(t *testing.T, deb string) {
	cfg, err := mysql.ParseDSN(wptest.Replicated(t))
	if err != nil {
		t.Fatal(err)
	}
	older := olderPackage(t, deb)
	m := newMachine(t)
	// The user of the service must reach the database.
	sockets := filepath.Dir(cfg.Addr)
	if err := os.Chmod(sockets, 0o711); err != nil {
		t.Fatal(err)
	}
	m.share(sockets)
	for _, file := range []string{older, deb} {
		m.share(filepath.Dir(file))
	}

	asked := m.pretendSystemd()
	if out := m.run("dpkg", "--install", older); !strings.Contains(out, "edit /etc/calbridge/calbridge.conf") {
		t.Errorf("the installation doesn't say what to do next:\n%s", out)
	}
	asks(t, "installed", asked(), asksWhenNew)
	if got := m.run("stat", "--format=%U %G %a", "/etc/calbridge", "/etc/calbridge/calbridge.conf"); got != "root calbridge 750\nroot calbridge 640\n" {
		t.Errorf("owner, group and mode:\n%s", got)
	}
	if got := m.run("getent", "passwd", "calbridge"); !strings.HasSuffix(got, ":/nonexistent:/usr/sbin/nologin\n") {
		t.Errorf("the user is %q", got)
	}
	api, ops := freeAddr(t), freeAddr(t)
	m.put("/etc/calbridge/dsn", "calbridge", cfg.FormatDSN()+"\n")
	m.put("/etc/calbridge/environment", "calbridge", "CALBRIDGE_DSN_FILE=/etc/calbridge/dsn\n")
	settings := m.cat("/etc/calbridge/calbridge.conf") + "listen = " + api + "\nops-listen = " + ops + "\nextensions = true\n"
	m.put("/etc/calbridge/calbridge.conf", "calbridge", settings)
	load := m.command("calbridge", "calbridge", "demo", "load", "--home", "http://"+api)
	load.Env = append(load.Env, "CALBRIDGE_DSN_FILE=/etc/calbridge/dsn")
	if out, err := load.CombinedOutput(); err != nil {
		t.Fatalf("demo load: %v\n%s", err, out)
	}

	events := "http://" + api + "/wp-json/tribe/events/v1/events"
	p := unit{m}.start()
	ready(t, p, ops)
	if code, body := fetch(t, events); code != http.StatusOK || !strings.Contains(body, `"events":[{`) {
		t.Errorf("%d %.300s", code, body)
	}
	eventually(t, "changes", time.Minute, func(context.Context) bool { // 503 until the binary log has been followed
		code, _ := fetch(t, events+"/changes")
		return code == http.StatusOK
	})
	p.stop(t)
	state := stateFiles(m)
	if !strings.Contains(state, "journal/") {
		t.Errorf("the state folder has only %q", state)
	}

	m.run("dpkg", "--install", deb)
	asks(t, "upgraded", asked(), "daemon-reload\n"+asksWhenUpgraded) // the older package's scripts, too
	if got := m.cat("/etc/calbridge/calbridge.conf"); got != settings {
		t.Errorf("the configuration has become\n%s", got)
	}
	if got := stateFiles(m); got != state {
		t.Errorf("the state folder has become %q, was %q", got, state)
	}
	p = unit{m}.start()
	ready(t, p, ops)
	if code, body := fetch(t, "http://"+ops+"/version"); code != http.StatusOK || !strings.HasPrefix(body, "calbridge "+buildinfo.Version+" ") {
		t.Errorf("%d %q", code, body)
	}
	eventually(t, "changes", time.Minute, func(context.Context) bool {
		code, _ := fetch(t, events+"/changes")
		return code == http.StatusOK
	})
	if log := p.log.String(); strings.Contains(log, "not survive") || strings.Contains(log, `level=ERROR msg="`) {
		t.Errorf("the state folder of the older build makes trouble:\n%s", tail(log, 3000))
	}
	p.stop(t)

	// The way back, and a backup of the state folder, by the commands of upgrade.md.
	backup := examples(t, "upgrade.md", "sh")
	if len(backup) != 3 || !strings.Contains(backup[1], "tar ") || !strings.Contains(backup[2], "tar ") {
		t.Fatalf("upgrade.md has the commands %q", backup)
	}
	systemctl := regexp.MustCompile(`(?m)^systemctl .*$`) // nothing runs here
	kept := stateFiles(m)
	m.run("sh", "-ec", "cd /root\n"+systemctl.ReplaceAllString(backup[1], ""))
	m.run("rm", "-r", "/var/lib/calbridge")
	m.run("sh", "-ec", "cd /root\n"+systemctl.ReplaceAllString(backup[2], ""))
	if got := stateFiles(m); got != kept {
		t.Errorf("the restored state folder is %q, was %q", got, kept)
	}
	m.run("dpkg", "--install", older)
	asks(t, "gone back", asked(), "daemon-reload\n"+asksWhenUpgraded)
	if !m.has("/var/lib/calbridge/journal") || m.cat("/etc/calbridge/calbridge.conf") != settings {
		t.Error("going back loses settings or state")
	}
	p = unit{m}.start()
	ready(t, p, ops)
	if code, body := fetch(t, events); code != http.StatusOK {
		t.Errorf("%d %.300s", code, body)
	}
	p.stop(t)

	m.run("dpkg", "--remove", "calbridge")
	asks(t, "removed", asked(), asksWhenRemoved)
	for path, want := range map[string]bool{
		"/usr/bin/calbridge": false, "/usr/lib/systemd/system/calbridge.service": false, "/usr/share/doc/calbridge/README.md": false,
		"/etc/calbridge/calbridge.conf": true, "/var/lib/calbridge/journal": true,
	} {
		if got := m.has(path); got != want {
			t.Errorf("after removal, %s exists: %t, want %t", path, got, want)
		}
	}
	m.run("dpkg", "--purge", "calbridge")
	for _, path := range []string{"/etc/calbridge/calbridge.conf", "/var/lib/calbridge"} {
		if m.has(path) {
			t.Errorf("after a purge, %s still exists", path)
		}
	}
}

// tryRPM installs the RPM on a Debian machine, whose rpm doesn't know the packages that it
// depends on, verifies it, goes back to an older one with the same files, upgrades and removes it.
func tryRPM(t *testing.T, file, files string) {
	older := filepath.Join(t.TempDir(), "older.rpm")
	pack(t, "rpm", files, older)
	m := newMachine(t)
	asked := m.pretendSystemd()
	m.share(filepath.Dir(file))
	m.share(filepath.Dir(older))
	if out := m.run("rpm", "--install", "--nodeps", file); !strings.Contains(out, "edit /etc/calbridge/calbridge.conf") {
		t.Errorf("the installation doesn't say what to do next:\n%s", out)
	}
	asks(t, "installed", asked(), asksWhenNew)
	m.run("rpm", "--verify", "--nodeps", "calbridge")
	if got := m.run("stat", "--format=%U %G %a", "/etc/calbridge", "/etc/calbridge/calbridge.conf"); got != "root calbridge 750\nroot calbridge 640\n" {
		t.Errorf("owner, group and mode:\n%s", got)
	}
	if got := m.run("calbridge", "version"); !strings.HasPrefix(got, "calbridge "+buildinfo.Version+" ") {
		t.Errorf("version: %q", got)
	}
	m.put("/etc/calbridge/calbridge.conf", "calbridge", "# changed\n")
	m.run("install", "-d", "/var/lib/calbridge/journal")
	for _, upgrade := range [][]string{{"--oldpackage", older}, {file}} {
		out := m.run(append([]string{"rpm", "--upgrade", "--nodeps"}, upgrade...)...)
		if strings.Contains(out, "edit /etc/calbridge") {
			t.Errorf("an upgrade prints the advice for a first installation:\n%s", out)
		}
		asks(t, "upgraded", asked(), asksWhenUpgraded+"daemon-reload\n")
		if got := m.cat("/etc/calbridge/calbridge.conf"); got != "# changed\n" {
			t.Errorf("the upgrade has changed the configuration to\n%s", got)
		}
	}
	m.run("rpm", "--erase", "calbridge")
	asks(t, "removed", asked(), asksWhenRemoved)
	for path, want := range map[string]bool{
		"/usr/bin/calbridge": false, "/usr/lib/systemd/system/calbridge.service": false, "/var/lib/calbridge/journal": true, "/etc/calbridge/calbridge.conf.rpmsave": true,
	} {
		if got := m.has(path); got != want {
			t.Errorf("after removal, %s exists: %t, want %t", path, got, want)
		}
	}
}
