package systemtest

import (
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOpsHosts checks that the ops listener refuses foreign names, which their owners could
// point at it (DNS rebinding). Probes by IP address work, and so do the names in --ops-hosts,
// which a reload changes.
func TestOpsHosts(t *testing.T) {
	config := filepath.Join(t.TempDir(), "conf")
	put := func(text string) {
		t.Helper()
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("ops-hosts = calbridge, metrics.example\n")
	c := spawn(t, []string{"CALBRIDGE_DSN=sqlite:" + namedSample(t, "https://one.example")}, "serve", "--config", config, "--pprof", "--namespace", "calendar/events/v1")
	status := func(host, path string) int {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.ops+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Host = host
		resp, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	_, port, err := net.SplitHostPort(strings.TrimPrefix(c.ops, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	paths := []string{"/metrics", "/version", "/healthz", "/readyz", "/console/", "/console/status.json", "/debug/pprof/heap", "/debug/pprof/cmdline"}
	for _, path := range paths {
		for _, host := range []string{"127.0.0.1:" + port, "localhost:" + port, "[::1]:" + port, "10.42.0.7:9464", "calbridge:9464", "metrics.example"} {
			if got := status(host, path); got != http.StatusOK {
				t.Errorf("Host %s: GET %s gives %d", host, path, got)
			}
		}
		for _, host := range []string{"evil.example", "evil.example:" + port, "127.0.0.1.evil.example", "calbridge.evil.example:9464"} {
			if got := status(host, path); got != http.StatusForbidden {
				t.Errorf("Host %s: GET %s gives %d", host, path, got)
			}
		}
	}
	for _, path := range []string{"/proof", "/", "/none", "/notices"} {
		if got := status("evil.example", path); got != http.StatusForbidden {
			t.Errorf("GET %s gives %d by a foreign name", path, got)
		}
	}
	put("ops-hosts = other\n")
	c.reload()
	if a, b := status("other:9464", "/metrics"), status("calbridge:9464", "/metrics"); a != http.StatusOK || b != http.StatusForbidden {
		t.Errorf("after a reload the new name gives %d, and the old one %d", a, b)
	}
}
