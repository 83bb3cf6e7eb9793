package systemtest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/compat/recording"
	"calbridge/wpstore/check"
	"calbridge/wpstore/wptest"
)

// checkedSites is the output of check --json for several sites.
type checkedSites struct {
	Status   check.Status
	Findings []check.Finding
	Sites    []struct {
		Name, Address, Verdict, Closed string
		Status                         check.Status
		Calendar                       bool
		Findings                       []check.Finding
	}
}

// checkSites runs check --json over several sites.
func checkSites(t *testing.T, args ...string) (code int, report checkedSites) {
	t.Helper()
	code, stdout, stderr := once(t, nil, append([]string{"check", "--json", "--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0"}, args...)...)
	if err := json.Unmarshal([]byte(stdout), &report); err != nil {
		t.Fatalf("exit %d, no JSON: %v\n%s%s", code, err, stdout, stderr)
	}
	return code, report
}

// finding returns the finding about all sites with a name.
func (c *checkedSites) finding(name string) check.Finding {
	for _, f := range c.Findings {
		if f.Name == name {
			return f
		}
	}
	return check.Finding{}
}

// TestCheckSites checks that check lists the sites of a network, with why each is not served, and shows
// the details of one.
func TestCheckSites(t *testing.T) {
	oneAtATime(t)
	n := readNetwork(t)
	for _, engine := range replayEngines() {
		t.Run(engine, func(t *testing.T) {
			db := wptest.SiteCopy(t, engine, "network")
			store := openStore(t, db)
			change(t, store, "DROP TABLE wp_3_postmeta")
			change(t, store, "DROP TABLE wp_8_tec_events") // as on a site that has never had the calendar
			change(t, store, "DROP TABLE wp_8_tec_occurrences")
			args := []string{"--network", "--wp-config", n.config(t), "--dsn", db.DSN, "--namespace", recording.DefaultNamespace}
			code, report := checkSites(t, args...)
			if code != cmdline.Failed || report.Status != check.StatusFail || len(report.Sites) != len(n.Sites) {
				t.Fatalf("exit %d, %d sites: %+v", code, len(report.Sites), report.Findings)
			}
			for i, want := range n.Sites {
				got := report.Sites[i]
				var verdict string
				switch {
				case want.BlogID == 3:
					verdict = "can't be served: "
				case want.Archived != 0:
					verdict = "closed: archived"
				case want.Spam != 0:
					verdict = "closed: marked as spam"
				case want.Deleted != 0:
					verdict = "closed: deleted"
				case !want.Calendar:
					verdict = "no calendar"
				default:
					verdict = "ok"
				}
				if got.Name != fmt.Sprint(want.BlogID) || !strings.HasPrefix(got.Verdict, verdict) || "https://"+got.Address != strings.TrimSuffix(want.Home, "/")+"/" {
					t.Errorf("site %d (%s): %s %s: %s, want %q", want.BlogID, want.Home, got.Name, got.Address, got.Verdict, verdict)
				}
			}
			_, stdout, _ := once(t, nil, append([]string{"check", "--listen", "127.0.0.1:0", "--ops-listen", "off"}, args...)...)
			for _, want := range []string{"fail  3  sit.example/knihovna/  can't be served: ", "ok    4  sit.example/archiv/    closed: archived\n", "8 sites: 3 with a calendar, 1 without, 3 closed, 1 can't be served"} {
				if !strings.Contains(stdout, want) {
					t.Errorf("no %q in\n%s", want, stdout)
				}
			}
			if code, found := checkReport(t, append(args, "--site", "2")...); code != cmdline.OK || !strings.Contains(found["site.address"].Found, "https://sit.example/divadlo") {
				t.Errorf("site 2: exit %d: %+v", code, found["site.address"])
			}
			if code, found := checkReport(t, append(args, "--site", "3")...); code != cmdline.Failed || !strings.Contains(found["database.tables"].Found, "wp_3_postmeta") {
				t.Errorf("site 3: exit %d: %+v", code, found["database.tables"])
			}
			if code, found := checkReport(t, append(args, "--site", "99")...); code != cmdline.Usage || found["settings.site"].Status != check.StatusFail {
				t.Errorf("a site that the network lacks: exit %d: %v", code, found)
			}
		})
	}
}

// TestCheckSitesFile checks the sites of a file: a good one, and one whose database is missing.
func TestCheckSitesFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sites.conf")
	text := fmt.Sprintf("[good]\naddress = https://good.example/\ndsn = sqlite:%s\n[bad]\naddress = https://bad.example/\ndsn = sqlite:%s\n", sampleFile(t), filepath.Join(t.TempDir(), "none.sqlite"))
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	code, report := checkSites(t, "--sites", file)
	if code != cmdline.Failed || len(report.Sites) != 2 {
		t.Fatalf("exit %d: %+v", code, report)
	}
	if good, bad := report.Sites[0], report.Sites[1]; !strings.HasPrefix(good.Verdict, "ok") || good.Address != "good.example/" || !strings.HasPrefix(bad.Verdict, "can't be served: ") {
		t.Errorf("%s, %s", good.Verdict, bad.Verdict)
	}
	if code, found := checkReport(t, "--sites", file, "--site", "good"); code != cmdline.OK || found["site.timezone"].Name == "" {
		t.Errorf("exit %d: %v", code, found)
	}
}

// TestCheckOddNetworks checks that check names what calbridge leaves to WordPress.
func TestCheckOddNetworks(t *testing.T) {
	oneAtATime(t)
	n := readNetwork(t)
	db := wptest.Site(t, "sqlite", "network")
	plain, err := os.ReadFile(n.config(t))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		config  string
		args    []string
		finding string
		status  check.Status
		want    string
		code    int
	}{
		"sunrise":    {"define( 'SUNRISE', true );", nil, "network.sunrise", check.StatusFail, "sunrise.php", cmdline.Failed},
		"no sunrise": {"define( 'SUNRISE', false );", nil, "network.sunrise", "", "", cmdline.OK},
		"a prefix of the request": {
			"$table_prefix = $_SERVER['HTTP_HOST'] . '_';", []string{"--table-prefix", "wp_"},
			"network.wp-config", check.StatusWarn, "$table_prefix", cmdline.OK,
		},
		"a prefix that only the request has": {"$table_prefix = $_SERVER['HTTP_HOST'] . '_';", nil, "settings", check.StatusFail, "$table_prefix", cmdline.Usage},
	} {
		t.Run(name, func(t *testing.T) {
			config := filepath.Join(t.TempDir(), "wp-config.php")
			if err := os.WriteFile(config, []byte(string(plain)+"\n"+c.config+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			args := append([]string{"--network", "--wp-config", config, "--dsn", db.DSN}, c.args...)
			code, report := checkSites(t, args...)
			f := report.finding(c.finding)
			if code != c.code || f.Status != c.status || !strings.Contains(f.Found, c.want) {
				t.Errorf("exit %d: %+v", code, f)
			}
			if c.status != check.StatusFail {
				return
			}
			code, _, stderr := once(t, nil, append([]string{"serve", "--listen", "127.0.0.1:0", "--ops-listen", "off"}, args...)...)
			if code != c.code || !strings.Contains(stderr, c.want) {
				t.Errorf("serve: exit %d: %s", code, stderr)
			}
		})
	}
}

// TestCheckDatabaseDropIn checks that check names a db.php of the network, whichever site is checked.
func TestCheckDatabaseDropIn(t *testing.T) {
	oneAtATime(t)
	config := readNetwork(t).config(t)
	folder := filepath.Join(filepath.Dir(config), "wp-content")
	if err := os.MkdirAll(filepath.Join(folder, "plugins"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "db.php"), []byte("<?php\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	db := wptest.Site(t, "sqlite", "network")
	for _, site := range []string{"1", "7"} {
		t.Run("site "+site, func(t *testing.T) {
			if _, found := checkReport(t, "--network", "--wp-config", config, "--wordpress-dir", filepath.Dir(config), "--dsn", db.DSN, "--site", site); found["network.db-php"].Status != check.StatusWarn {
				t.Errorf("%+v", found)
			}
		})
	}
}
