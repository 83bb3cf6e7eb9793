package systemtest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"calbridge/compat/recording"
	"calbridge/compat/replay"
	"calbridge/testdata"
	"calbridge/wpstore/wptest"
)

// network is the description of the recorded network.
type network struct {
	WPConfig []string `json:"wp_config"`
	Users    map[string]struct {
		ApplicationPassword string `json:"application_password"`
	}
	Sites []networkSite
	// Active is the state in which the calendar is active for the whole network.
	Active struct{ SQL []string } `json:"variant_network_active"`
}

type networkSite struct {
	BlogID   int64 `json:"blog_id"`
	Home     string
	Archived int `json:"archived"`
	Spam     int
	Deleted  int
	Calendar bool `json:"calendar_active"`
}

// served reports whether WordPress answers the site's calendar API.
func (s *networkSite) served() bool {
	return s.Calendar && s.Archived+s.Spam+s.Deleted == 0
}

func readNetwork(t *testing.T) *network {
	t.Helper()
	data, err := os.ReadFile(testdata.Shared(t, "sites", "network.json"))
	if err != nil {
		t.Fatal(err)
	}
	n := &network{}
	if err := json.Unmarshal(data, n); err != nil {
		t.Fatal(err)
	}
	return n
}

// siteFile writes the description of one site of the network, as package replay reads it.
func (n *network) siteFile(t *testing.T, site *networkSite) string {
	t.Helper()
	data, err := json.Marshal(map[string]any{"site": "network", "home": site.Home, "users": n.Users})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "site.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// config writes the wp-config.php of the network.
func (n *network) config(t *testing.T) string {
	t.Helper()
	var config strings.Builder
	config.WriteString("<?php\n$table_prefix = 'wp_';\n")
	for name, value := range siteKeys(t, "network") {
		fmt.Fprintf(&config, "define( '%s', '%s' );\n", name, strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(value))
	}
	config.WriteString(strings.Join(n.WPConfig, "\n"))
	file := filepath.Join(t.TempDir(), "wp-config.php")
	if err := os.WriteFile(file, []byte(config.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestReplayNetwork serves each site of the recorded network that has a calendar with
// --blog-id, and replays the reads of that site: rights, cookies, addresses and uploads are
// those of the network and of its sites.
func TestReplayNetwork(t *testing.T) {
	shared := testdata.Shared(t)
	n := readNetwork(t)
	profile := buildProfileFile(t, shared, "mono")
	config := n.config(t)
	for _, engine := range replayEngines() {
		for i := range n.Sites {
			site := &n.Sites[i]
			if !site.served() {
				continue
			}
			t.Run(fmt.Sprintf("%s/%d", engine, site.BlogID), func(t *testing.T) {
				t.Parallel()
				db := wptest.Site(t, engine, "network")
				server := start(t, nil, "serve", "--wp-config", config, "--dsn", db.DSN, "--blog-id", strconv.FormatInt(site.BlogID, 10),
					"--namespace", recording.DefaultNamespace, "--compat", "exact", "--profile", profile, "--clock", db.Now().Format(time.RFC3339),
					"--request-timeout", "1m", "--pool-wait", "1m")
				prefix := fmt.Sprintf("network-b%d-", site.BlogID)
				replayOf(t, engine, "network", replay.Options{
					Target:     server.api,
					Recordings: []string{filepath.Join(shared, "recordings", "network", "network.jsonl.gz")},
					Site:       n.siteFile(t, site),
					Selection:  replay.Selection{Filter: func(e *recording.Exchange) bool { return strings.HasPrefix(e.ID, prefix) }},
				})
			})
		}
	}
}
