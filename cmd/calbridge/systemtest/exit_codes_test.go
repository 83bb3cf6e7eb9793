package systemtest

import (
	"path/filepath"
	"strings"
	"testing"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/compat/replay"
)

// TestExitCodes checks that the program ends with each exit code of the table, and that commands
// of different kinds agree.
func TestExitCodes(t *testing.T) {
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	writeCertificate(t, cert, key, 5) // doctor warns of its end
	warned := start(t, nil, "serve", "--dsn", "sqlite:"+sampleFile(t), "--tls-cert", cert, "--tls-key", key)
	missing := filepath.Join(dir, "missing")
	const closed = "127.0.0.1:1"
	cases := map[int]map[string][]string{
		cmdline.OK: {
			"help":    {"help"},
			"version": {"version"},
			"check":   {"check", "--dsn", "sqlite:" + sampleFile(t), "--listen", "127.0.0.1:0", "--ops-listen", "off"},
		},
		cmdline.Failed: {
			"check": {"check", "--dsn", "sqlite:" + missing, "--listen", "127.0.0.1:0", "--ops-listen", "off"},
			"serve": {"serve", "--dsn", "sqlite:" + missing, "--listen", "127.0.0.1:0", "--ops-listen", "off"},
			"trial": {"trial", "--dsn", "sqlite:" + missing, "--dir", filepath.Join(dir, "trial")},
		},
		cmdline.Usage: {
			"no command":       {},
			"unknown command":  {"surve"},
			"unknown flag":     {"top", "--onse"},
			"serve":            {"serve", "--request-timeout", "never"},
			"check":            {"check", "--request-timeout", "never"},
			"trial":            {"trial", "--request-timeout", "never"},
			"doctor":           {"doctor", "--config", missing},
			"missing file":     {"serve", "--wp-config", missing},
			"missing setting":  {"serve", "--listen", "127.0.0.1:0", "--ops-listen", "off"},
			"compare, file":    {"compare", "--target", "http://" + closed, "--recordings", missing},
			"convert, file":    {"convert", "--recordings", missing},
			"profile, file":    {"profile", "build", "--recordings", missing},
			"record, password": {"record", "--url", "http://" + closed, "--out", missing, "--passwords", missing},
			"mirror, interval": {"mirror", "--url", "http://" + closed, "--out", missing, "--interval", "1ms"},
		},
		cmdline.Unreachable: {
			"doctor":      {"doctor", "--ops-listen", closed},
			"healthcheck": {"healthcheck", "--ops-listen", closed},
			"mirror":      {"mirror", "--url", "http://" + closed + "/wp-json/calendar/events/v1", "--out", filepath.Join(dir, "copy.db"), "--once"},
			"proof":       {"proof", "--ops-listen", closed},
			"record":      {"record", "--url", "http://" + closed, "--out", filepath.Join(dir, "out.jsonl")},
			"top":         {"top", "--once", "--ops-listen", closed},
			"webhooks":    {"webhooks", "list", "--ops-listen", closed},
		},
		cmdline.Warned: {
			"doctor": {"doctor", "--ops-listen", strings.TrimPrefix(warned.ops, "http://"), "--for", "0s"},
		},
	}
	_, help, _ := once(t, nil, "help")
	_, page, _ := once(t, nil, "man")
	for _, c := range cmdline.ExitCodes() {
		if !strings.Contains(help, c.Meaning) || !strings.Contains(page, c.Name+": ") && !strings.Contains(page, strings.ReplaceAll(c.Name, "-", `\-`)+": ") {
			t.Errorf("the help or the man page lacks exit code %d", c.Code)
		}
		if len(cases[c.Code]) == 0 {
			t.Errorf("exit code %d has no case", c.Code)
		}
		for name, args := range cases[c.Code] {
			t.Run(c.Name+"/"+name, func(t *testing.T) {
				if code, stdout, stderr := once(t, nil, args...); code != c.Code {
					t.Errorf("exit %d, want %d:\n%s%s", code, c.Code, stdout, stderr)
				}
			})
		}
	}
	if replay.ExitSame != cmdline.OK || replay.ExitFailed != cmdline.Failed || replay.ExitUsage != cmdline.Usage || replay.ExitUnreachable != cmdline.Unreachable {
		t.Error("package replay has other exit codes")
	}
}
