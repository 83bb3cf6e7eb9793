package sitecheck

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"calbridge/cmd/calbridge/settings"
	"calbridge/wpstore/check"
)

func TestCompanionFindings(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "wp-content"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "wp-content", "object-cache.php"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	cached := &settings.Settings{WPConfigFile: filepath.Join(dir, "wp-config.php")}
	if f := companionFindings(t.Context(), cached, nil); len(f) != 1 || f[0].Status != check.StatusWarn || !strings.Contains(f[0].Found, "object-cache.php") {
		t.Errorf("an object cache without the plugin: %+v", f)
	}
	if f := companionFindings(t.Context(), &settings.Settings{}, []string{"w3-total-cache/w3-total-cache.php"}); len(f) != 1 || f[0].Status != check.StatusWarn {
		t.Errorf("a page cache without the plugin: %+v", f)
	}
}

// TestNoticesFinding checks that the finding names what notices don't show, and for how long.
func TestNoticesFinding(t *testing.T) {
	s := &settings.Settings{}
	s.Cache.MaxAge = 30 * time.Second
	for _, c := range []struct {
		url    string
		err    error
		status check.Status
		found  []string
	}{
		{"http://127.0.0.1:8081/", nil, check.StatusOK, []string{"within 5s if its notice is lost", "changes by other programs (SQL by hand, imports, other writers) go unnoticed for up to --cache-max-age, 30s"}},
		{"", nil, check.StatusWarn, []string{"unnoticed for up to --cache-max-age, 30s", "once the companion plugin is removed"}},
		{"http://127.0.0.1:8081/", errors.New("WordPress sends none"), check.StatusWarn, []string{"nothing is cached: WordPress sends none"}},
	} {
		s.Companion.URL = c.url
		f := Notices(s, c.err, 5*time.Second)
		for _, want := range c.found {
			if f.Status != c.status || !strings.Contains(f.Found, want) || (f.Status == check.StatusWarn) != (f.Advice != "") {
				t.Errorf("%+v, want %q", f, want)
			}
		}
	}
}
