package site

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/sitecheck"
	"calbridge/rest/rollout"
	"calbridge/wpstore/sample"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// TestWatch changes options and files of a site that is served. It checks that each change is
// logged and announced once, and that a hook that may close the API ends native responses
// until it is removed.
func TestWatch(t *testing.T) {
	store, err := sitedb.Open(t.Context(), sitedb.Config{
		Config: sqlconn.Config{Database: wptest.Address(t, "sqlite::memory:"), Now: time.Now, Logger: slog.New(slog.DiscardHandler)}, Tables: table.Config{Prefix: "wp_"},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if err := sample.Load(t.Context(), store, sample.Options{Now: time.Now(), Home: "https://a.example"}); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	plugin := filepath.Join(dir, "wp-content", "mu-plugins", "own.php")
	if err := os.MkdirAll(filepath.Dir(plugin), 0o755); err != nil {
		t.Fatal(err)
	}
	s := &settings.Settings{}
	s.Site.WordPressDir = dir
	s.Rollout.Plan = rollout.Plan{Mode: rollout.Native, Clients: 100}
	g := &sitecheck.Gatherer{Settings: s, Store: store}
	facts, _, err := g.Gather(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	w := watch{gatherer: g, inUse: facts, latest: facts, changed: make(chan struct{}, 1), logger: slog.New(slog.NewTextHandler(&log, nil))}
	shut := false
	w.shut = func(closed bool) { shut = closed }
	look := func(what string, changed, closed bool, logged string) {
		t.Helper()
		log.Reset()
		w.look(t.Context())
		select {
		case <-w.changed:
			if !changed {
				t.Errorf("%s: announced", what)
			}
		default:
			if changed {
				t.Errorf("%s: not announced", what)
			}
		}
		if shut != closed {
			t.Errorf("%s: streams are ended %t", what, shut)
		}
		if w.closed.Load() != closed || !strings.Contains(log.String(), logged) || !changed && log.Len() > 0 {
			t.Errorf("%s: closed %t, want %t; log: %s", what, w.closed.Load(), closed, log.String())
		}
	}
	look("nothing", false, false, "")
	if _, err := store.SQL().Exec("UPDATE wp_options SET option_value = 'astra' WHERE option_name = 'template'"); err != nil {
		t.Fatal(err)
	}
	look("the theme", true, false, `theme.template`)
	look("nothing more", false, false, "")
	if err := os.WriteFile(plugin, []byte("<?php\nadd_filter('rest_authentication_errors', 'own');\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	look("a hook", true, true, "own.php:2")
	look("the same hook", false, true, "")
	if err := os.Remove(plugin); err != nil {
		t.Fatal(err)
	}
	look("no hook", true, false, "hooks.files")
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	look("no database", false, false, "")
}
