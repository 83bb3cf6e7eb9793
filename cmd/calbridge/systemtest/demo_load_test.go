package systemtest

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/wpstore/wptest"
)

// TestDemoLoad loads the sample calendar into a database twice and serves it.
func TestDemoLoad(t *testing.T) {
	for engine, dsn := range map[string]func(*testing.T) string{
		"sqlite":  func(t *testing.T) string { return "sqlite:" + filepath.Join(t.TempDir(), "demo.db") },
		"mariadb": func(t *testing.T) string { return wptest.MariaDB(t) },
	} {
		t.Run(engine, func(t *testing.T) {
			env := map[string]string{"CALBRIDGE_DSN": dsn(t)}
			for _, want := range []string{"is in the database", "nothing was changed"} {
				code, stdout, stderr := once(t, env, "demo", "load", "--home", "https://lipa.example")
				if code != cmdline.OK || !strings.Contains(stdout, want) {
					t.Fatalf("exit %d, want %q: %s%s", code, want, stdout, stderr)
				}
			}
			s := start(t, env, "serve")
			if resp, body := fetch(t, s.api+"/wp-json/calendar/events/v1/events?per_page=1"); resp.StatusCode != http.StatusOK || !strings.Contains(body, "lipa.example") {
				t.Errorf("%d %.200s", resp.StatusCode, body)
			}
		})
	}
	for _, args := range [][]string{{"--home", "https://lipa.example"}, {"--dsn", "sqlite::memory:"}, {"--listen", ":1"}} {
		if code, _, stderr := once(t, nil, append([]string{"demo", "load"}, args...)...); code != cmdline.Usage || stderr == "" {
			t.Errorf("demo load %v: exit %d: %s", args, code, stderr)
		}
	}
}
