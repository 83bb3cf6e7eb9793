package systemtest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/rest/sitefacts"
	"calbridge/wpstore/check"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// checkFacts runs check and returns all its findings with the facts.
func checkFacts(t *testing.T, args ...string) (code int, found []check.Finding, facts map[string]sitefacts.Fact) {
	t.Helper()
	code, stdout, stderr := once(t, nil, append([]string{"check", "--json", "--listen", "127.0.0.1:0", "--ops-listen", "off"}, args...)...)
	var report struct {
		Findings []check.Finding
		Facts    map[string]sitefacts.Fact
	}
	if err := json.Unmarshal([]byte(stdout), &report); err != nil {
		t.Fatalf("exit %d: %v\n%s%s", code, err, stdout, stderr)
	}
	return code, report.Findings, report.Facts
}

// warned reports whether a finding of that name warns with the text.
func warned(found []check.Finding, name, text string) bool {
	for _, f := range found {
		if f.Name == name && f.Status == check.StatusWarn && strings.Contains(f.Found, text) && f.Advice != "" {
			return true
		}
	}
	return false
}

// TestFactsOfBrokenFolder checks that unusable files are named and that the next source is
// used.
func TestFactsOfBrokenFolder(t *testing.T) {
	file, dir, outside := sampleFile(t), t.TempDir(), t.TempDir()
	writeFile(t, dir, "wp-includes/version.php", "<?php\n$wp_version = file_get_contents( 'x' );\n")
	writeFile(t, dir, "wp-content/languages/cs_CZ.mo", "\xde\x12\x04\x95\x00\x00\x00\x00\xff\xff\xff\xff")
	writeFile(t, dir, "wp-content/languages/cs_CZ.l10n.php", "<?php\nreturn load_texts();\n")
	writeFile(t, outside, "style.css", "/*\nTheme Name: Elsewhere\nVersion: 9.9\n*/\n")
	if err := os.MkdirAll(filepath.Join(dir, "wp-content", "themes"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "wp-content", "themes", "twentytwentyfive")); err != nil {
		t.Fatal(err)
	}
	db, err := sitedb.Open(t.Context(), sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, "sqlite:"+file)}, Tables: table.Config{Prefix: "wp_"}})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.SQL().Exec("INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('WPLANG', 'cs_CZ', 'on')"); err != nil {
		t.Fatal(err)
	}
	code, found, facts := checkFacts(t, "--dsn", "sqlite:"+file, "--wordpress-dir", dir)
	for _, text := range []string{"version.php", "cs_CZ.mo", "cs_CZ.l10n.php", "themes/twentytwentyfive"} {
		if !warned(found, "facts.wordpress-dir", text) {
			t.Errorf("nothing about %s: %+v", text, found)
		}
	}
	if f := facts["wordpress.version"]; code != cmdline.OK || f.Source != sitefacts.Database {
		t.Errorf("exit %d, %+v", code, f)
	}
	if f, ok := facts["theme.version"]; ok {
		t.Errorf("a link leads out of the folder: %+v", f)
	}
	if _, found, facts = checkFacts(t, "--dsn", "sqlite:"+file, "--wordpress-dir", filepath.Join(dir, "none")); !warned(found, "facts.wordpress-dir", "none") || facts["wordpress.version"].Source != sitefacts.Database {
		t.Errorf("no folder: %+v", found)
	}
}

// TestFactsOfBadCompanion checks that a companion that breaks or lies is named and that the
// next source is used.
func TestFactsOfBadCompanion(t *testing.T) {
	t.Parallel()
	file := sampleFile(t)
	v := variant{}
	v.WordPress, v.Calendar, v.Theme = "banana", "6.17.2", "twentytwentyfive"
	for name, answer := range map[string]http.HandlerFunc{
		"hangs": func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // the server notices a closed connection only after it has read the body
			<-r.Context().Done()
		},
		"breaks": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"is unsigned": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"companion":"2","facts":"{}"}`)
		},
		"lies": nil,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := ""
			if answer != nil {
				server := httptest.NewServer(answer)
				t.Cleanup(server.Close)
				url = server.URL
			} else {
				url = v.companion(t, nil).URL
			}
			begin := time.Now()
			_, found, facts := checkFacts(t, "--dsn", "sqlite:"+file, "--companion-url", url, "--companion-secret", companionSecret)
			if f := facts["wordpress.version"]; !warned(found, "facts.companion", "") || f.Source != sitefacts.Database {
				t.Errorf("%+v, %+v", f, found)
			}
			t.Logf("after %s", time.Since(begin).Round(time.Millisecond))
		})
	}
}

// TestClosedSites checks that native mode refuses a site that plugins may close, until a flag
// accepts this, and that WordPress may answer instead.
func TestClosedSites(t *testing.T) {
	file, dir := sampleFile(t), t.TempDir()
	writeFile(t, dir, "wp-content/mu-plugins/own.php", "<?php\nadd_filter( 'rest_authentication_errors', 'own_check' );\n")
	args := []string{"--dsn", "sqlite:" + file, "--wordpress-dir", dir, "--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0"}
	code, _, stderr := once(t, nil, append([]string{"serve"}, args...)...)
	if code != cmdline.Failed || !strings.Contains(stderr, "rest_authentication_errors is hooked (wp-content/mu-plugins/own.php:2)") || !strings.Contains(stderr, "--serve-despite-hooks") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	accepted := start(t, nil, append([]string{"serve", "--serve-despite-hooks"}, args...)...)
	if resp, _ := fetch(t, accepted.api+"/wp-json/calendar/events/v1/events"); resp.StatusCode != http.StatusOK {
		t.Errorf("accepted: %s", resp.Status)
	}
	wordpress := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	t.Cleanup(wordpress.Close)
	proxied := start(t, nil, append([]string{"serve", "--mode", "proxy", "--upstream", wordpress.URL}, args...)...)
	if resp, _ := fetch(t, proxied.api+"/wp-json/calendar/events/v1/events"); resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("proxied: %s", resp.Status)
	}
}
