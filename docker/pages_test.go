package docker_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"calbridge/cmd/calbridge/logging"
	"calbridge/rest/api"
)

// examples returns the blocks of a language in a page, in order.
func examples(t *testing.T, page, language string) (all []string) {
	t.Helper()
	for _, m := range regexp.MustCompile("(?ms)^ *```"+language+"\n(.*?)^ *```$").FindAllStringSubmatch(read(t, page), -1) {
		all = append(all, m[1])
	}
	return all
}

// installByHand runs the commands of install.md for an installation without a package, in a
// folder with the binary and docker/, and checks that the unit's files are there.
func installByHand(t *testing.T, m *machine) {
	t.Helper()
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	program := binary(t)
	asked := m.pretendSystemd()
	m.share(here)
	m.share(filepath.Dir(program))
	m.run("sh", "-ec", "mkdir /root/calbridge; cp -r \"$1\" /root/calbridge/docker; cp \"$2\" /root/calbridge/calbridge", "sh", here, program)
	for _, block := range examples(t, "install.md", "sh") {
		if strings.Contains(block, "useradd") {
			m.run("sh", "-ec", "cd /root/calbridge\n"+block)
		}
	}
	asks(t, "installed by hand", asked(), "daemon-reload\nenable --now calbridge\n")
	service := m.run("cat", "/etc/systemd/system/calbridge.service")
	for _, path := range []string{"/usr/local/bin/calbridge", "/etc/calbridge/calbridge.conf"} {
		if !m.has(path) || !strings.Contains(service, path) {
			t.Errorf("%s is missing, or the unit does not use it", path)
		}
	}
	if got := m.run("stat", "--format=%G %a", "/etc/calbridge", "/etc/calbridge/calbridge.conf"); got != "calbridge 750\ncalbridge 640\n" {
		t.Errorf("group and mode:\n%s", got)
	}
}

// TestPermissionsPage runs the commands of permissions.md on a machine with a site of
// www-data's, and tries as the service's user what they should permit.
func TestPermissionsPage(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short")
	}
	m := newMachine(t)
	installByHand(t, m)
	m.run("sh", "-ec", `rm -rf /var/www/html && install -d -o www-data -g www-data -m 750 /var/www/html
		install -d -o www-data -g www-data -m 755 /var/www/html/wp-content /var/www/html/wp-content/uploads /var/www/html/wp-content/uploads/2026`)
	m.put("/var/www/html/wp-config.php", "www-data", "<?php\ndefine('DB_NAME', 'wordpress');\ndefine('DB_USER', 'wordpress');\ndefine('DB_PASSWORD', 'x');\ndefine('DB_HOST', '127.0.0.1:1');\n$table_prefix = 'wp_';\n")
	blocks := examples(t, "permissions.md", "sh")
	if len(blocks) != 3 || !strings.HasPrefix(blocks[1], "runuser ") {
		t.Fatalf("the page has the commands %q", blocks)
	}

	// check finds no database here, but names the file if it can't read it.
	const denied = "permission denied"
	if out, _ := m.command("", "sh", "-ec", blocks[1]).CombinedOutput(); !strings.Contains(string(out), denied) {
		t.Errorf("without the right:\n%s", out)
	}
	m.run("sh", "-ec", blocks[0])
	if out, _ := m.command("", "sh", "-ec", blocks[1]).CombinedOutput(); strings.Contains(string(out), denied) || !strings.Contains(string(out), "127.0.0.1:1") {
		t.Errorf("with the right:\n%s", out)
	}
	write := []string{"runuser", "-u", "calbridge", "--", "sh", "-ec", "umask 077; mkdir /var/www/html/wp-content/uploads/2026/12; touch /var/www/html/wp-content/uploads/2026/x"}
	if err := m.command("", write...).Run(); err == nil {
		t.Error("calbridge can write without the right")
	}
	m.run("sh", "-ec", blocks[2])
	m.run(write...)
	if got := m.run("stat", "--format=%U %G", "/var/www/html/wp-content/uploads/2026/12", "/var/www/html/wp-content/uploads/2026/x"); got != "calbridge www-data\ncalbridge www-data\n" {
		t.Errorf("owner and group of what calbridge stores:\n%s", got)
	}

	// The unit with the page's drop-in is valid.
	dropIns := examples(t, "permissions.md", "ini")
	if len(dropIns) != 1 {
		t.Fatalf("the page has the drop-ins %q", dropIns)
	}
	m.run("install", "-d", "/etc/systemd/system/calbridge.service.d")
	m.put("/etc/systemd/system/calbridge.service.d/override.conf", "root", dropIns[0])
	out, err := m.command("", "systemd-analyze", "verify", "--man=no", "/etc/systemd/system/calbridge.service").CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) || strings.Contains(string(out), "calbridge.service") {
		t.Errorf("systemd-analyze: %v\n%s", err, out)
	}
}

// TestLogsPage compares the fields that logs.md explains, and the sizes that it gives, with
// lines of requests.
func TestLogsPage(t *testing.T) {
	_, table, _ := strings.Cut(read(t, "logs.md"), "\n## Fields of a request\n")
	table, _, _ = strings.Cut(table, "\n## ")
	var explained []string
	for row := range strings.Lines(table) {
		if first, _, ok := strings.Cut(strings.TrimPrefix(row, "| "), " | "); ok && strings.HasPrefix(row, "| `") {
			for name := range strings.SplitSeq(first, ", ") {
				explained = append(explained, strings.Trim(name, "`"))
			}
		}
	}
	line := func(o api.Observation, format string, headers http.Header) []byte {
		var out bytes.Buffer
		logger, flush := logging.New(&out, logging.Config{Format: format, Level: "info"})
		logging.Mark(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			o.Context = r.Context()
			logging.Access(logger, &o)
		})).ServeHTTP(nil, (&http.Request{Header: headers}).WithContext(context.Background()))
		flush()
		return out.Bytes()
	}
	usual := api.Observation{Method: "GET", Path: "/wp-json/tribe/events/v1/events", Route: "/events", Status: 200, Bytes: 48211, Queries: 4, Cache: api.CacheMiss, Language: "cs", Took: time.Millisecond}
	full := usual
	full.Status, full.Code, full.Err, full.UserID, full.Auth, full.Language = 500, "internal", fs.ErrInvalid, 7, "basic", "cs"
	var fields map[string]any
	if err := json.Unmarshal(line(full, "json", http.Header{"Traceparent": {"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}}), &fields); err != nil {
		t.Fatal(err)
	}
	var logged []string
	for name := range fields {
		logged = append(logged, name)
	}
	slices.Sort(logged)
	slices.Sort(explained)
	if !slices.Equal(logged, explained) {
		t.Errorf("a request's line has the fields\n%q, logs.md explains\n%q", logged, explained)
	}
	for _, format := range []string{"text", "json"} {
		if n := len(line(usual, format, nil)); n < 150 || n > 350 {
			t.Errorf("a usual line has %d bytes as %s", n, format)
		}
	}
	// The patterns of the page find what they should.
	text := string(line(full, "text", nil))
	greps := regexp.MustCompile(`--grep '([^']+)'`).FindAllStringSubmatch(read(t, "logs.md"), -1)
	if len(greps) != 2 {
		t.Fatalf("logs.md has the patterns %q", greps)
	}
	for _, m := range greps {
		pattern := regexp.MustCompile(m[1])
		if !pattern.MatchString(text) || pattern.Match(line(usual, "text", nil)) {
			t.Errorf("%q does not tell a failed request from another", m[1])
		}
	}
}

// TestExampleConfiguration checks that the program accepts the example configuration as it is,
// and with all lines that are commented out.
func TestExampleConfiguration(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short")
	}
	example := read(t, "package/calbridge.conf")
	optional := regexp.MustCompile(`(?m)^#([a-z-]+ = )`)
	if n := len(optional.FindAllString(example, -1)); n < 5 {
		t.Fatalf("only %d lines are commented out", n)
	}
	for name, text := range map[string]string{"as it is": example, "everything": optional.ReplaceAllString(example, "$1")} {
		t.Run(name, func(t *testing.T) {
			file := write(t, t.TempDir(), "calbridge.conf", text)
			// The file is read before anything else is tried; the line and the name are in its errors.
			out, err := exec.CommandContext(t.Context(), binary(t), "check", "--config", file).CombinedOutput()
			if err == nil || strings.Contains(string(out), file+":") && !strings.Contains(string(out), "no such file") {
				t.Errorf("%v\n%s", err, out)
			}
			want := "wp-config.php"
			if name == "as it is" {
				want = "no database configured"
			}
			if !strings.Contains(string(out), want) {
				t.Errorf("it ends with something else than %q:\n%s", want, out)
			}
		})
	}
}
