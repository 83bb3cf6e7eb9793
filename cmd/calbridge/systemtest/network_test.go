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
	"calbridge/wpstore/sitedb"
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

// activate activates the calendar for the whole network.
func (n *network) activate(t *testing.T, store *sitedb.DB) {
	t.Helper()
	for _, statement := range n.Active.SQL {
		change(t, store, statement)
	}
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

// serve runs the program over one site of the network, answering as the reference, exactly.
func (n *network) serve(t *testing.T, db wptest.Database, site *networkSite, profile string) *started {
	t.Helper()
	return start(t, nil, "serve", "--wp-config", n.config(t), "--dsn", db.DSN, "--blog-id", strconv.FormatInt(site.BlogID, 10),
		"--namespace", recording.DefaultNamespace, "--compat", "exact", "--profile", profile, "--clock", db.Now().Format(time.RFC3339),
		"--request-timeout", "1m", "--pool-wait", "1m")
}

// replay replays the reads of one site from a recording whose ids begin with prefix.
func (n *network) replay(t *testing.T, db wptest.Database, site *networkSite, profile, file, prefix string) {
	t.Helper()
	prefix = fmt.Sprintf("%s-b%d-", prefix, site.BlogID)
	replayOf(t, db.Engine, "network", replay.Options{
		Target:     n.serve(t, db, site, profile).api,
		Recordings: []string{testdata.Shared(t, "recordings", "network", file)},
		Site:       n.siteFile(t, site),
		Selection:  replay.Selection{Filter: func(e *recording.Exchange) bool { return strings.HasPrefix(e.ID, prefix) }},
	})
}

// TestReplayNetwork serves each site of the recorded network that has a calendar with
// --blog-id, and replays the reads of that site. Rights, cookies, addresses and uploads depend
// on the network and the site.
func TestReplayNetwork(t *testing.T) {
	oneAtATime(t)
	n := readNetwork(t)
	profile := buildProfileFile(t, testdata.Shared(t), "mono")
	for _, engine := range replayEngines() {
		for i := range n.Sites {
			site := &n.Sites[i]
			if !site.served() {
				continue
			}
			t.Run(fmt.Sprintf("%s/%d", engine, site.BlogID), func(t *testing.T) {
				t.Parallel()
				n.replay(t, wptest.Site(t, engine, "network"), site, profile, "network.jsonl.gz", "network")
			})
		}
	}
}

// TestReplayActiveNetwork replays the reads of a network that has activated the calendar for
// all its sites. No site's own options list it.
func TestReplayActiveNetwork(t *testing.T) {
	oneAtATime(t)
	n := readNetwork(t)
	profile := buildProfileFile(t, testdata.Shared(t), "mono")
	for _, engine := range replayEngines() {
		db := wptest.SiteCopy(t, engine, "network")
		n.activate(t, openStore(t, db))
		for i := range n.Sites {
			site := &n.Sites[i]
			if !site.served() {
				continue
			}
			t.Run(fmt.Sprintf("%s/%d", engine, site.BlogID), func(t *testing.T) {
				n.replay(t, db, site, profile, "network-active.jsonl.gz", "network-active")
			})
		}
	}
}
