package systemtest

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"calbridge/cmd/calbridge/console"
	"calbridge/compat/recording"
	"calbridge/wpstore/wptest"
)

// TestColdSite checks how often the database is asked about a site by its first request, which opens it: its
// facts and character sets are read to check it, to answer, and to load its indexes. Columns, for which servers
// take longest, are not looked up one by one unless one is missing.
func TestColdSite(t *testing.T) {
	oneAtATime(t)
	n := readNetwork(t)
	db := wptest.ReplicatedSite(t, "network")
	store := openStore(t, db)
	copySite(t, store, otherSite)
	copySite(t, store, faultySite)
	change(t, store, "ALTER TABLE wp_102_commentmeta DROP COLUMN meta_value")
	server := spawn(t, nil, n.allArgs(t, db, "--metrics-sites", "10")...)
	i := newIsolation(t, server.started)
	list := i.reads[slices.IndexFunc(i.reads, func(x *recording.Exchange) bool {
		return x.As == recording.Anonymous && strings.Contains(x.ID, "events-list")
	})]
	for _, c := range []struct {
		name string
		site int
		most map[string]float64
	}{
		{"a site", otherSite, map[string]float64{"check.columns": 0, "site.other_charsets": 0, "site.charsets": 3, "site.tables": 5, "options.read": 5}},
		{"a column is missing", faultySite, map[string]float64{"check.columns": 1, "site.other_charsets": 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			counts := func() map[string]float64 {
				_, text := fetch(t, server.ops+"/metrics")
				counts := map[string]float64{}
				for query := range c.most {
					series := fmt.Sprintf(`calbridge_db_query_duration_seconds_count{query=%q,site="%d"}`, query, c.site)
					if strings.Contains(text, series) {
						counts[query] = metric(t, text, series)
					}
				}
				return counts
			}
			if text, err := i.ask(t.Context(), list, c.site, ""); err != nil || !strings.HasPrefix(text, "200 ") {
				t.Fatal(text, err)
			}
			for query, asked := range counts() {
				if asked > c.most[query] || asked == 0 && c.most[query] > 0 {
					t.Errorf("%s: %v times, want 1 to %v", query, asked, c.most[query])
				}
			}
		})
	}
}

// TestSitesLoaded checks that hardly more than --sites-loaded sites are open at any time, although other ones are
// asked for all the time.
func TestSitesLoaded(t *testing.T) {
	oneAtATime(t)
	n := readNetwork(t)
	db := wptest.ReplicatedSite(t, "network")
	store := openStore(t, db)
	const sites, loaded, underway = 12, 2, 4 // underway are being opened or closed
	for id := range sites {
		copySite(t, store, 100+id)
	}
	server := spawn(t, nil, n.allArgs(t, db, "--sites-loaded", strconv.Itoa(loaded))...)
	i := newIsolation(t, server.started)
	page, err := http.Get(server.ops + console.Path + "stream") // while it is open, the sites' states are read
	if err != nil {
		t.Fatal(err)
	}
	defer page.Body.Close()
	most := 0
	for began := time.Now(); time.Since(began) < 7*time.Second; {
		for id := range sites {
			if text, err := i.ask(t.Context(), i.reads[0], 100+id, ""); err != nil || !strings.HasPrefix(text, "200 ") {
				t.Fatal(text, err)
			}
			_, text := fetch(t, server.ops+console.Path+"sites.json")
			most = max(most, strings.Count(text, `"state":"open"`))
		}
	}
	if most < 1 || most > loaded+underway {
		t.Errorf("%d sites were open, want at most %d", most, loaded+underway)
	}
}
