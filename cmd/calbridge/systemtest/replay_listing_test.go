package systemtest

import (
	"sync"
	"testing"

	"calbridge/rest"
	"calbridge/testdata"
	"calbridge/wpstore/eventindex"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/wptest"
)

// TestReplayFromIndex replays the recordings of each site with the event index, from which
// every list of events except searches is answered.
func TestReplayFromIndex(t *testing.T) {
	oneAtATime(t)
	shared := testdata.Shared(t)
	for _, site := range []string{"mono", "poly", "wpml"} {
		profile := buildProfile(t, shared, site)
		for _, engine := range replayEngines() {
			t.Run(site+"/"+engine, func(t *testing.T) {
				t.Parallel()
				d := wptest.Site(t, engine, site)
				var mu sync.Mutex
				by := map[eventindex.Outcome]int{}
				store := openStore(t, d, func(cfg *sitedb.Config) {
					cfg.Listed = func(how eventindex.Outcome) {
						mu.Lock()
						defer mu.Unlock()
						by[how]++
					}
				})
				tracker := invalidation.NewTracker()
				listing := store.OpenIndex(t.Context(), tracker)
				tracker.Resume(true)
				wptest.AwaitRows(t, listing)
				url := serveStore(t, store, site, d.Now, profile, func(c *rest.Config) {
					c.Tracker, c.CacheBytes, c.Settle = tracker, 16<<20, listing.Refresh
				})
				replayRecordings(t, shared, site, engine, url)
				mu.Lock()
				defer mu.Unlock()
				t.Logf("lists answered by %v", by)
				if indexed := by[eventindex.FromIndex]; indexed < 100 {
					t.Errorf("%d lists come from the index", indexed)
				}
				for how, n := range by {
					if how != eventindex.FromIndex && how != "search" {
						t.Errorf("%d lists by %q", n, how)
					}
				}
			})
		}
	}
}
