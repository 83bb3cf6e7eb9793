package systemtest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/wpstore/check"
	"calbridge/wpstore/wptest"
)

// TestDoctor judges one instance while it is healthy, after its files have changed, while its
// certificate ends soon, while its database is away, and after it has stopped.
func TestDoctor(t *testing.T) {
	node := wptest.StartNode(t)
	db := node.Site("mono")
	dir := t.TempDir()
	cert, key, config := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem"), filepath.Join(dir, "calbridge.conf")
	writeCertificate(t, cert, key, 30)
	text := "tls-cert = " + cert + "\ntls-key = " + key + "\nops-listen = 127.0.0.1:0\n"
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	node.Exec("GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.* TO 'site'@'%'")
	s := start(t, nil, outageArgs(db, node.DSN("calendar"), "--config", config, "--pool-wait", "500ms")...)
	s.awaitMetric("calbridge_cache_followed", 1)
	s.awaitMetric("calbridge_listing_loaded_ratio", 1)
	doctor := func(t *testing.T, code int, want ...string) {
		t.Helper()
		got, out, stderr := once(t, nil, "doctor", "--config", config, "--ops-listen", strings.TrimPrefix(s.ops, "http://"), "--for", "500ms")
		if got != code {
			t.Errorf("exit %d, want %d:\n%s%s", got, code, out, stderr)
		}
		for _, line := range want {
			if !strings.Contains(out, line) {
				t.Errorf("no %q in\n%s", line, out)
			}
		}
	}
	t.Run("healthy", func(t *testing.T) {
		doctor(t, cmdline.OK, "ok    ready", "as on disk", "unchanged since: "+config, "ok    certificate              valid until", "followed; 99 %", "12 ok, 0 warnings, 0 failures: it serves as it should")
	})
	t.Run("as JSON", func(t *testing.T) {
		code, out, _ := once(t, nil, "doctor", "--json", "--ops-listen", strings.TrimPrefix(s.ops, "http://"), "--for", "0s")
		var report struct {
			Status   check.Status
			Findings check.Report
		}
		if err := json.Unmarshal([]byte(out), &report); err != nil || code != cmdline.OK || report.Status != check.StatusOK || len(report.Findings) != 12 {
			t.Errorf("exit %d, %v:\n%s", code, err, out)
		}
	})
	t.Run("files changed", func(t *testing.T) {
		later := time.Now().Add(time.Minute)
		if err := os.Chtimes(cert, later, later); err != nil {
			t.Fatal(err)
		}
		doctor(t, cmdline.Warned, "warn  settings", "changed on disk since: "+cert, "Reload (SIGHUP).", "it serves, but look at the warnings")
	})
	t.Run("database away", func(t *testing.T) {
		node.Kill()
		s.awaitMetric("calbridge_ready", 0)
		doctor(t, cmdline.Failed, "fail  ready", "status 503", "it does not serve as it should")
		node.Start()
	})
	t.Run("stopped", func(t *testing.T) {
		s.stop()
		doctor(t, cmdline.Unreachable)
	})
}

// TestDoctorOfAnEndingCertificate checks that the certificate in use counts.
func TestDoctorOfAnEndingCertificate(t *testing.T) {
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	writeCertificate(t, cert, key, 5)
	s := start(t, nil, "serve", "--dsn", "sqlite:"+sampleFile(t), "--tls-cert", cert, "--tls-key", key)
	code, out, stderr := once(t, nil, "doctor", "--ops-listen", strings.TrimPrefix(s.ops, "http://"), "--for", "0s")
	if code != cmdline.Warned || !strings.Contains(out, "warn  certificate ") || !strings.Contains(out, "1 warning, 0 failures") {
		t.Errorf("exit %d\n%s%s", code, out, stderr)
	}
}
