package systemtest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/wpstore/check"
	"calbridge/wpstore/wptest"
)

// TestRefusedSettings checks that check refuses the same settings as serve, with the same
// message and exit code.
func TestRefusedSettings(t *testing.T) {
	file, dir := sampleFile(t), t.TempDir()
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte("not JSON, no certificate, no recording, no folder\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(dir, "missing")
	const upstream = "--upstream=http://127.0.0.1:1"
	for name, c := range map[string]struct {
		args []string
		want string
		code int
	}{
		"auto without upstream":        {[]string{"--mode", "auto"}, "--mode auto with --mode-share 100 needs --upstream, the address of WordPress itself", cmdline.Usage},
		"proxy without upstream":       {[]string{"--mode", "proxy"}, "--mode proxy with --mode-share 100 needs --upstream, the address of WordPress itself", cmdline.Usage},
		"diff-native without upstream": {[]string{"--mode", "diff-native"}, "--mode diff-native with --mode-share 100 needs --upstream, the address of WordPress itself", cmdline.Usage},
		"a share without upstream":     {[]string{"--mode-share", "12.5"}, "--mode native with --mode-share 12.5 needs --upstream, the address of WordPress itself", cmdline.Usage},
		"an upstream with a path":      {[]string{"--upstream", "http://127.0.0.1:1/blog"}, `--mode and --upstream: "http://127.0.0.1:1/blog": give scheme, host and port only, such as http://127.0.0.1:8081`, cmdline.Usage},
		"an upstream with a user":      {[]string{"--mode", "proxy", "--upstream", "http://a@127.0.0.1:1"}, `--mode and --upstream: "http://a@127.0.0.1:1": give scheme, host and port only, such as http://127.0.0.1:8081`, cmdline.Usage},
		"auto with timed caches":       {[]string{"--mode", "auto", upstream, "--cache", "timed"}, "--mode auto needs --cache auto or strict, and a database whose binary log can be followed", cmdline.Usage},
		"auto without caches":          {[]string{"--mode", "auto", upstream, "--cache", "off"}, "--mode auto needs --cache auto or strict, and a database whose binary log can be followed", cmdline.Usage},
		"auto without a binary log":    {[]string{"--mode", "auto", upstream, "--proof-without-companion"}, "--mode auto needs --cache auto or strict, and a database whose binary log can be followed", cmdline.Failed},
		"rules that are missing":       {[]string{"--mode", "diff-native", upstream, "--compare-rules", missing}, "--compare-rules: ", cmdline.Usage},
		"rules that are none":          {[]string{"--mode", "diff-proxy", upstream, "--compare-rules", text}, "--compare-rules: ", cmdline.Usage},
		"a log that is another file":   {[]string{"--mode", "diff-native", upstream, "--compare-log", text}, "--compare-log: recording cannot be continued: " + text + " is no recording", cmdline.Usage},
		"a log that can't be written":  {[]string{"--mode", "diff-native", upstream, "--compare-log", filepath.Join(text, "x")}, "--compare-log: recording cannot be written: open " + filepath.Join(text, "x"), cmdline.Usage},
		"a profile that is missing":    {[]string{"--profile", missing}, missing, cmdline.Usage},
		"a profile that is none":       {[]string{"--profile", text}, "--profile: ", cmdline.Usage},
		"a certificate without key":    {[]string{"--tls-cert", text}, "--tls-cert and --tls-key belong together: one of them is missing", cmdline.Usage},
		"a key without certificate":    {[]string{"--tls-key", text}, "--tls-cert and --tls-key belong together: one of them is missing", cmdline.Usage},
		"a certificate that is none":   {[]string{"--tls-cert", text, "--tls-key", text}, "--tls-cert, --tls-key: tls: failed to find any PEM data", cmdline.Usage},
		"a certificate that's missing": {[]string{"--tls-cert", missing, "--tls-key", text}, "--tls-cert, --tls-key: cannot read " + missing, cmdline.Usage},
		"a companion without secret":   {[]string{"--companion-url", "http://127.0.0.1:1"}, "--upstream and --companion-secret: ", cmdline.Usage},
		"and where nothing is written": {[]string{"--companion-url", "http://127.0.0.1:1", "--companion-secret", "short", "--read-only"}, "--upstream and --companion-secret: ", cmdline.Usage},
		"a companion without scheme":   {[]string{"--companion-url", "127.0.0.1", "--companion-secret", companionSecret}, "--upstream and --companion-secret: address of WordPress", cmdline.Usage},
		"a state folder that is none":  {[]string{"--state-dir", text}, "--state-dir: " + text + " is not writable: " + text + " is not a folder", cmdline.Usage},
		"a state folder below a file":  {[]string{"--state-dir", filepath.Join(text, "state")}, "--state-dir: " + filepath.Join(text, "state") + " is not writable: ", cmdline.Usage},
		"a state folder of the system": {[]string{"--state-dir", "/proc/calbridge"}, "--state-dir: /proc/calbridge is not writable: ", cmdline.Usage},
		"no database":                  {[]string{"--dsn", ""}, "no database configured", cmdline.Usage},
		"a missing database":           {[]string{"--dsn", "sqlite:" + missing}, "the file " + missing + " does not exist", cmdline.Failed},
		"a replica of the sample":      {[]string{"--replica-dsn", "u@tcp(db)/x"}, "--replica-dsn: only MySQL and MariaDB have replicas", cmdline.Failed},
		"a log of the sample":          {[]string{"--feed-dsn", "u@tcp(db)/x"}, "--feed-dsn: only MySQL and MariaDB have a binary log", cmdline.Failed},
		"a prefix":                     {[]string{"--table-prefix", "wp-"}, `table prefix "wp-"`, cmdline.Usage},
		"users elsewhere":              {[]string{"--custom-user-table", "a b"}, `custom table name "a b"`, cmdline.Usage},
		"another site of a network":    {[]string{"--blog-id", "7"}, "wp_7_posts", cmdline.Failed},
		"a wrong value":                {[]string{"--request-timeout", "never"}, `--request-timeout: "never" is not a duration`, cmdline.Usage},
		"a missing file of settings":   {[]string{"--config", missing}, "--config: cannot read " + missing, cmdline.Usage},
		"no address":                   {[]string{"--listen", "192.0.2.1:0"}, "--listen 192.0.2.1:0: listen tcp 192.0.2.1:0: bind: ", cmdline.Failed},
		"the same address twice":       {[]string{"--listen", "127.0.0.1:48123", "--ops-listen", "127.0.0.1:48123"}, "--ops-listen 127.0.0.1:48123: listen tcp 127.0.0.1:48123: bind: address already in use", cmdline.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			args := slices.Concat([]string{"--dsn", "sqlite:" + file, "--listen", "127.0.0.1:0", "--ops-listen", "off"}, c.args)
			code, stdout, stderr := once(t, nil, append([]string{"serve"}, args...)...)
			if code != c.code || !strings.Contains(stderr, c.want) {
				t.Errorf("serve: exit %d: %s%s", code, stdout, stderr)
			}
			code, found := checkReport(t, args...)
			var failures []string
			for _, f := range found {
				if f.Status == check.StatusFail {
					failures = append(failures, f.Found)
				}
			}
			if code != c.code || !slices.ContainsFunc(failures, func(found string) bool { return strings.Contains(found, c.want) }) {
				t.Errorf("check: exit %d: %q", code, failures)
			}
		})
	}
	if _, err := os.Stat(missing); err == nil {
		t.Error("check and serve have made a file")
	}
}

// TestCheckNetwork checks that check names the network and the site that is served.
func TestCheckNetwork(t *testing.T) {
	oneAtATime(t)
	db := wptest.Site(t, "sqlite", "network")
	n := readNetwork(t)
	single := filepath.Join(t.TempDir(), "wp-config.php")
	if err := os.WriteFile(single, []byte("<?php\n$table_prefix = 'wp_';\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		config string
		args   []string
		status check.Status
		want   string
	}{
		"none chosen":       {n.config(t), nil, check.StatusWarn, "MULTISITE) of 8 sites; site 1 (sit.example/) is served"},
		"and the others":    {n.config(t), nil, check.StatusWarn, "the others are not: 2 (sit.example/divadlo/), 3 (sit.example/knihovna/), 7 (koncerty.example/), 8 (sit.example/skola/)"},
		"one chosen":        {n.config(t), []string{"--blog-id", "7"}, check.StatusOK, "site 7 (koncerty.example/) is served, by --blog-id"},
		"an archived one":   {n.config(t), []string{"--blog-id", "4"}, check.StatusWarn, "site 4 (sit.example/archiv/) is served, by --blog-id; it is archived"},
		"a deleted one":     {n.config(t), []string{"--blog-id", "6"}, check.StatusWarn, "it is deleted"},
		"no such network":   {single, []string{"--blog-id", "2"}, check.StatusWarn, "wp-config.php does not define MULTISITE"},
		"without wp-config": {"", []string{"--blog-id", "2"}, check.StatusOK, "site 2 (sit.example/divadlo/) is served"},
	} {
		t.Run(name, func(t *testing.T) {
			args := append([]string{"--dsn", db.DSN, "--namespace", "tribe/events/v1"}, c.args...)
			if c.config != "" {
				args = append(args, "--wp-config", c.config)
			}
			code, found := checkReport(t, args...)
			if f := found["site.network"]; code != cmdline.OK || f.Status != c.status || !strings.Contains(f.Found, c.want) {
				t.Errorf("exit %d: %+v", code, f)
			}
		})
	}
	multisite := n.config(t)
	if _, found := checkReport(t, "--dsn", "sqlite:"+sampleFile(t), "--wp-config", multisite); !strings.Contains(found["site.network"].Found, "defines MULTISITE, but there is no table wp_sitemeta") {
		t.Errorf("a single site: %+v", found["site.network"])
	}
	if _, found := checkReport(t, "--dsn", "sqlite:"+sampleFile(t)); found["site.network"].Name != "" {
		t.Errorf("a single site: %+v", found["site.network"])
	}
}

// TestNamespaceOfClients checks that, if The Events Calendar is active, check and serve warn
// of a namespace other than its own and name the flag to add.
func TestNamespaceOfClients(t *testing.T) {
	db := wptest.Site(t, "sqlite", "mono")
	for namespace, status := range map[string]check.Status{"": check.StatusWarn, "foo": check.StatusWarn, "calendar/events/v1": check.StatusWarn, "tribe/events/v1": check.StatusOK, "Tribe/events/V1": check.StatusOK} {
		args := []string{"--dsn", db.DSN, "--clock", "2026-11-21T12:00:00Z"}
		if namespace != "" {
			args = append(args, "--namespace", namespace)
		}
		code, found := checkReport(t, args...)
		f := found["site.namespace"]
		if code != cmdline.OK || f.Status != status || (f.Advice != "") != (status == check.StatusWarn) {
			t.Errorf("%q: exit %d: %+v", namespace, code, f)
		}
		if status == check.StatusWarn && (!strings.Contains(f.Found, "this site's clients use tribe/events/v1") || !strings.Contains(f.Advice, "--namespace tribe/events/v1")) {
			t.Errorf("%q: %+v", namespace, f)
		}
		s := start(t, nil, append([]string{"serve"}, args...)...)
		if warned := strings.Contains(s.stderr.String(), "this site's clients use tribe/events/v1"); warned != (status == check.StatusWarn) {
			t.Errorf("%q: serve warns: %t", namespace, warned)
		}
		s.stop()
	}
}
