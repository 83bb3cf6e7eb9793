package systemtest

import (
	"sync/atomic"
	"testing"

	"calbridge/rest"
	"calbridge/rest/api"
	"calbridge/testdata"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/wptest"
)

// TestReplayFromMemory replays the reads twice on servers with caches. The second time,
// responses to anonymous clients come from the response cache, and responses to users are
// rendered from cached rows.
func TestReplayFromMemory(t *testing.T) {
	shared := testdata.Shared(t)
	for _, site := range []string{"mono", "poly", "wpml"} {
		t.Run(site, func(t *testing.T) {
			t.Parallel()
			engine := replayEngines()[0]
			db := wptest.Site(t, engine, site)
			tracker := invalidation.NewTracker()
			tracker.Resume(true)
			var hits atomic.Int64
			store := openStore(t, db)
			store.CacheRows(tracker, 64<<20)
			url := serveStore(t, store, site, db.Now, buildProfile(t, shared, site), func(c *rest.Config) {
				c.Tracker, c.CacheBytes = tracker, 64<<20
				c.Observe = func(o *api.Observation) {
					if o.Cache == api.CacheHit {
						hits.Add(1)
					}
				}
			})
			replayRecordings(t, shared, site, engine, url)
			first := hits.Swap(0)
			replayRecordings(t, shared, site, engine, url)
			t.Logf("from memory: %d, then %d", first, hits.Load())
			if hits.Load() < first+100 {
				t.Error("hardly anything came from memory")
			}
		})
	}
}
