package systemtest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/demo"
	"calbridge/wpstore/check"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// TestCheckUpstream compares a site with a stand-in for WordPress: calbridge on the same
// database with --compat exact, at first as PHP sends it, then with a header of a plugin.
func TestCheckUpstream(t *testing.T) {
	oneAtATime(t)
	t.Parallel()
	dir := t.TempDir()
	file, secret, report := filepath.Join(dir, "site.db"), filepath.Join(dir, "password"), filepath.Join(dir, "report.html")
	db, err := sitedb.Open(t.Context(), sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, "sqlite:"+file), CreateFile: true}, Tables: table.Config{Prefix: "wp_"}})
	if err != nil {
		t.Fatal(err)
	}
	password, err := demo.Load(t.Context(), db, time.Now(), "https://lipa.example")
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(secret, []byte(password+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := start(t, nil, "serve", "--dsn", "sqlite:"+file, "--compat", "exact", "--cache", "off", "--record-password-use=false")
	plugin := false
	wordpress := httptest.NewServer(asWordPress(t, s.api, func(resp *http.Response) {
		resp.Header.Set("X-Powered-By", "PHP/8.2.28")
		resp.Header.Set("Server-Timing", "total;dur="+time.Now().Format("05.000"))
		if plugin {
			resp.Header.Set("Access-Control-Allow-Origin", "*")
		}
	}))
	defer wordpress.Close()
	args := []string{"check", "--dsn", "sqlite:" + file, "--listen", "127.0.0.1:0", "--ops-listen", "off", "--upstream", wordpress.URL}
	env := map[string]string{"CALBRIDGE_UPSTREAM_PASSWORD_FILE": secret}

	code, stdout, stderr := once(t, env, append(args, "--upstream-user", demo.User)...)
	if code != cmdline.OK || !strings.Contains(stdout, "ok    site.compared") || !strings.Contains(stdout, "differ only in headers of the web server, PHP or a CDN") || !strings.Contains(stdout, "this site can be served\n") || strings.Contains(stdout, "WordPress ") && strings.Contains(stdout, "Differences from") || stderr != "" {
		t.Errorf("exit %d:\n%s%s", code, stdout, stderr)
	}

	plugin = true
	code, stdout, stderr = once(t, env, append(args, "--html", report)...)
	for _, want := range []string{"warn  site.compared", "CORS headers", "see filter rest_pre_serve_request", "Differences from " + wordpress.URL, "headers access-control-allow-origin [cors]", "calbridge (absent)", "but see site.compared before you switch over"} {
		if code != cmdline.OK || !strings.Contains(stdout, want) || stderr != "" {
			t.Errorf("exit %d, want %q:\n%.3000s%s", code, want, stdout, stderr)
		}
	}
	page, err := os.ReadFile(report)
	if err != nil || !strings.Contains(string(page), "access-control-allow-origin") || strings.Contains(string(page), password) {
		t.Errorf("report: %v, %d bytes", err, len(page))
	}

	code, stdout, _ = once(t, env, append(args, "--json")...)
	var out struct {
		Findings []struct {
			Name    string
			Status  check.Status
			Details struct {
				Requests int
				Groups   []struct {
					Route, Kind, Where, Sign string
					Count                    int
					Example                  struct{ Method, Path, WordPress, Calbridge string }
				}
				Suggestions []struct{ Sign, Suggests, Look string }
			}
		}
	}
	if err := json.Unmarshal([]byte(stdout), &out); err != nil || code != cmdline.OK {
		t.Fatalf("exit %d, %v:\n%.2000s", code, err, stdout)
	}
	last := out.Findings[len(out.Findings)-1]
	if last.Name != "site.compared" || last.Status != check.StatusWarn || len(last.Details.Groups) == 0 || last.Details.Requests < 80 ||
		last.Details.Groups[0].Sign != "cors" || last.Details.Groups[0].Example.Path == "" || last.Details.Suggestions[0].Look == "" {
		t.Errorf("%+v", last)
	}

	if code, stdout, _ = once(t, nil, append(args, "--upstream-user", demo.User)...); code != cmdline.OK || !strings.Contains(stdout, "CALBRIDGE_UPSTREAM_PASSWORD_FILE") {
		t.Errorf("a user without a password: exit %d:\n%s", code, stdout)
	}
	if code, _, stderr = once(t, nil, "check", "--dsn", "sqlite:"+file, "--html", report); code != cmdline.Usage || !strings.Contains(stderr, "--upstream") {
		t.Errorf("--html alone: exit %d: %s", code, stderr)
	}
}
