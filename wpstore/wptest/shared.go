package wptest

import (
	"encoding/json"
	"os"
	"testing"
	"time"

	"calbridge/testdata"
)

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
	data, err := os.ReadFile(testdata.Shared(t, "sites", site+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var info SiteInfo
	if err := json.Unmarshal(data, &info); err != nil {
		t.Fatalf("%s.json: %v", site, err)
	}
	return info
}
