package sitecheck

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

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
