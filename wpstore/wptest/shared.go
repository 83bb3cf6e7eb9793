package wptest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// SharedDir is the folder of recordings, dumps and vectors beside the repository.
func SharedDir(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("CALBRIDGE_SHARED")
	if dir == "" {
		root, err := moduleRoot()
		if err != nil {
			t.Fatal(err)
		}
		dir = filepath.Join(root, "..", "shared")
	}
	if _, err := os.Stat(filepath.Join(dir, "sites")); err != nil {
		if os.Getenv("CALBRIDGE_REQUIRE_SHARED") == "1" {
			t.Fatalf("the shared folder is required: %v", err)
		}
		t.Skipf("the shared folder is not here (CALBRIDGE_SHARED moves it): %v", err)
	}
	return dir
}

// moduleRoot is the nearest folder above with a go.mod.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", os.ErrNotExist
		}
		dir = parent
	}
}

// SiteInfo is what the JSON beside a dump says that tests of the store need.
type SiteInfo struct {
	Home        string `json:"home"`
	TablePrefix string `json:"table_prefix"`
	Clock       struct {
		Epoch int64 `json:"epoch"`
	} `json:"clock"`
}

// Now is the moment at which the site's recordings stand.
func (s SiteInfo) Now() time.Time { return time.Unix(s.Clock.Epoch, 0).UTC() }

// Info reads the JSON beside the dump of a site.
func Info(t testing.TB, site string) SiteInfo {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(SharedDir(t), "sites", site+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var info SiteInfo
	if err := json.Unmarshal(data, &info); err != nil {
		t.Fatalf("%s.json: %v", site, err)
	}
	return info
}
