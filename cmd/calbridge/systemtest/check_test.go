package systemtest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/wpstore/check"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// checkReport runs check --json and returns the findings by name.
func checkReport(t *testing.T, args ...string) (code int, found map[string]check.Finding) {
	t.Helper()
	args = append([]string{"check", "--json", "--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0"}, args...)
	code, stdout, stderr := once(t, nil, args...)
	var report struct {
		Status   check.Status
		Findings []check.Finding
	}
	if err := json.Unmarshal([]byte(stdout), &report); err != nil {
		t.Fatalf("exit %d, no JSON: %v\n%s%s", code, err, stdout, stderr)
	}
	found = map[string]check.Finding{}
	for _, f := range report.Findings {
		found[f.Name] = f
	}
	return code, found
}

// TestUnusedStateDir checks that check and serve warn of a state folder in which nothing is stored.
func TestUnusedStateDir(t *testing.T) {
	t.Parallel()
	dsn, dir := "sqlite:"+sampleFile(t), t.TempDir()
	for name, c := range map[string]struct {
		args []string
		want check.Status
	}{
		"unused":      {nil, check.StatusWarn},
		"exact":       {[]string{"--extensions", "--compat", "exact"}, check.StatusWarn},
		"extensions":  {[]string{"--extensions"}, ""},
		"a companion": {[]string{"--upstream", "http://127.0.0.1:1", "--companion-secret", companionSecret}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			args := append([]string{"--dsn", dsn, "--state-dir", dir}, c.args...)
			if _, found := checkReport(t, args...); found["settings.state-dir"].Status != c.want {
				t.Errorf("%+v", found["settings.state-dir"])
			}
			s := start(t, nil, append([]string{"serve"}, args...)...)
			if warned := strings.Contains(s.stderr.String(), "check=settings.state-dir"); warned != (c.want == check.StatusWarn) {
				t.Errorf("serve warns: %t", warned)
			}
		})
	}
}

func TestCheck(t *testing.T) {
	file := sampleFile(t)
	code, found := checkReport(t, "--dsn", "sqlite:"+file)
	if code != cmdline.OK {
		t.Errorf("exit %d: %v", code, found)
	}
	for name, want := range map[string]string{
		"site.address": "https://lipa.example", "site.api": "/wp-json/calendar/events/v1/", "site.timezone": "Europe/Prague", "site.per-page": "10 events",
		"site.theme": "twentytwentyfive", "site.languages": "WPML, URLs by directory: cs ", "wordpress.version": "7.0", "listen.api": "free", "calendar.version": "6.17",
		"database.connection": "--dsn", "site.keys": "no keys and salts", "site.wording": "own",
	} {
		if !strings.Contains(found[name].Found, want) {
			t.Errorf("%s: %q, want %q in it", name, found[name].Found, want)
		}
	}
	code, stdout, _ := once(t, nil, "check", "--dsn", "sqlite:"+file, "--listen", "127.0.0.1:0", "--ops-listen", "off")
	if code != cmdline.OK || !strings.Contains(stdout, "0 failures: this site can be served") {
		t.Errorf("exit %d:\n%s", code, stdout)
	}
}

// TestCheckUploads checks folders for pictures. Root may write anywhere, so the folders that
// must not be writable are files.
func TestCheckUploads(t *testing.T) {
	file, good, busy := sampleFile(t), t.TempDir(), t.TempDir()
	month := time.Now().Format("2006/01")
	if err := os.MkdirAll(filepath.Join(busy, month), 0o755); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{good: good + " is writable", busy: month + " is writable", filepath.Join(good, "none"): "cannot be stored", file: "cannot be stored"} {
		code, found := checkReport(t, "--dsn", "sqlite:"+file, "--uploads-dir", dir)
		f := found["settings.uploads-dir"]
		if code != cmdline.OK || !strings.Contains(f.Found, want) || (f.Status == check.StatusWarn) != (f.Advice != "") {
			t.Errorf("%s: exit %d: %+v", dir, code, f)
		}
	}
	if left, err := os.ReadDir(good); err != nil || len(left) > 0 {
		t.Errorf("%d files are left, %v", len(left), err)
	}
	if _, found := checkReport(t, "--dsn", "sqlite:"+file, "--uploads-dir", file, "--read-only"); found["settings.uploads-dir"].Name != "" {
		t.Error("nothing is stored with --read-only, and yet it is checked")
	}
}

// TestBrokenSites checks that check and serve explain why a site cannot be served.
func TestBrokenSites(t *testing.T) {
	for _, c := range []struct {
		name, sql, finding, serve string
		args                      []string
		code                      int
	}{
		{"missing table", "DROP TABLE wp_postmeta", "database.tables", "wp_postmeta", nil, cmdline.Failed},
		{"wrong prefix", "", "database.tables", "blog_posts", []string{"--table-prefix", "blog_"}, cmdline.Failed},
		{"site of a network", "", "database.tables", "wp_7_posts", []string{"--blog-id", "7"}, cmdline.Failed},
		{"missing column", "ALTER TABLE wp_posts DROP COLUMN guid", "database.columns", "guid", nil, cmdline.Failed},
		{"profile", "", "settings.profile", "profile", []string{"--profile", "program_test.go"}, cmdline.Usage},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			file := sampleFile(t)
			if c.sql != "" {
				db, err := sitedb.Open(t.Context(), sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, "sqlite:"+file)}, Tables: table.Config{Prefix: "wp_"}})
				if err != nil {
					t.Fatal(err)
				}
				defer db.Close()
				if _, err := db.SQL().Exec(c.sql); err != nil {
					t.Fatal(err)
				}
			}
			args := append([]string{"--dsn", "sqlite:" + file}, c.args...)
			code, found := checkReport(t, args...)
			f := found[c.finding]
			if code != c.code || f.Status != check.StatusFail || !strings.Contains(f.Found, c.serve) || f.Advice == "" {
				t.Errorf("exit %d: %+v", code, f)
			}
			code, _, stderr := once(t, nil, append(append([]string{"serve"}, args...), "--listen", "127.0.0.1:0", "--ops-listen", "off")...)
			if code != c.code || !strings.Contains(stderr, c.serve) {
				t.Errorf("serve: exit %d: %s", code, stderr)
			}
		})
	}
}

// TestCheckBlocks checks that check names the blocks that calbridge can't render, with an event
// that has them.
func TestCheckBlocks(t *testing.T) {
	oneAtATime(t)
	for _, c := range []struct {
		name, text string
		args       []string
		status     check.Status
		want       string
	}{
		{"stored", "<!-- wp:paragraph --><p>text</p><!-- /wp:paragraph -->", nil, check.StatusOK, "are rendered"},
		{"dynamic", `<!-- wp:latest-posts /--><!-- wp:acme/map /-->`, nil, check.StatusWarn, "not rendered: acme/map (in 1 text, such as %d), core/latest-posts (in 1 text, such as %[1]d)"},
		{"static", `<!-- wp:acme/map /-->`, []string{"--static-blocks", "acme/*"}, check.StatusOK, "are rendered"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := sampleFile(t)
			db, err := sitedb.Open(t.Context(), sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, "sqlite:"+file)}, Tables: table.Config{Prefix: "wp_"}})
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			var id int64
			if err := db.SQL().QueryRow("SELECT MIN(ID) FROM wp_posts WHERE post_type = 'tribe_events' AND post_status = 'publish'").Scan(&id); err != nil {
				t.Fatal(err)
			}
			if _, err := db.SQL().Exec("UPDATE wp_posts SET post_content = ? WHERE ID = ?", c.text, id); err != nil {
				t.Fatal(err)
			}
			want := c.want
			if c.status == check.StatusWarn {
				want = fmt.Sprintf(c.want, id)
			}
			_, found := checkReport(t, append([]string{"--dsn", "sqlite:" + file}, c.args...)...)
			if f := found["site.blocks"]; f.Status != c.status || !strings.HasSuffix(f.Found, want) {
				t.Errorf("%+v, want %q", f, want)
			}
		})
	}
}
