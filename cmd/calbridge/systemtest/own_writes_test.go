package systemtest

import (
	"context"
	"os"
	"sync"
	"testing"

	"calbridge/compat/recording"
	"calbridge/testdata"
	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/wptest"
)

// changes collects the changes that a tracker records.
type changes struct {
	*invalidation.Tracker
	mu         sync.Mutex
	tags       map[invalidation.Tag]bool
	everything bool
}

func newChanges() *changes {
	c := &changes{Tracker: invalidation.NewTracker(), tags: map[invalidation.Tag]bool{}}
	c.Listen(func(tags []invalidation.Tag, everything bool) {
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, tag := range tags {
			c.tags[tag] = true
		}
		c.everything = c.everything || everything
	})
	return c
}

// take returns the changes since the last call.
func (c *changes) take() (tags map[invalidation.Tag]bool, everything bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	tags, everything = c.tags, c.everything
	c.tags, c.everything = map[invalidation.Tag]bool{}, false
	return tags, everything
}

// TestWritesInvalidateEnough sends recorded writes to a server. It compares the invalidations
// that the server reports with the changes in the binary log. It tests every tenth write, or
// all with CALBRIDGE_INVALIDATIONS=all.
func TestWritesInvalidateEnough(t *testing.T) {
	shared := testdata.Shared(t)
	for _, site := range replaySites() {
		t.Run(site, func(t *testing.T) {
			db := wptest.ReplicatedSite(t, site)
			own, log := newChanges(), newChanges()
			store := openStore(t, db, func(cfg *sitedb.Config) { cfg.Tracker = own.Tracker })
			follower := openStore(t, db)
			ctx, cancel := context.WithCancel(t.Context())
			var group sync.WaitGroup
			group.Go(func() {
				if err := follower.Feed.Follow(ctx, log.Tracker, changefeed.Observer{}); err != nil {
					t.Error(err)
				}
			})
			defer group.Wait()
			defer cancel()
			waitFor(t, log.Active)
			client := newWriteClient(t, shared, site, serveStore(t, store, site, db.Now, nil))
			compareChanges(t, client, db, follower, own, log)
		})
	}
}

func compareChanges(t *testing.T, client *writeClient, db wptest.Database, follower *sitedb.DB, own, log *changes) {
	caughtUp := func() {
		t.Helper()
		waitFor(t, func() bool { return follower.Feed.CatchUp(t.Context()) == nil })
	}
	snapshot := takeSnapshot(t, db, notCompared...)
	cases, changed, vague := 0, 0, 0
	err := client.cases(func(c *recording.Case) error {
		if cases++; cases%10 != 0 && os.Getenv("CALBRIDGE_INVALIDATIONS") != "all" {
			return nil
		}
		caughtUp()
		own.take()
		log.take()
		for i := range c.Steps {
			if _, err := client.ask(t.Context(), c.Exchange(i)); err != nil {
				return err
			}
		}
		caughtUp()
		said, everything := own.take()
		logged, all := log.take()
		if everything {
			vague++
		}
		if all && !everything {
			t.Errorf("%s: the log says everything", c.ID)
		}
		if len(logged) > 0 {
			changed++
		}
		for tag := range logged {
			if !said[tag] && !everything {
				t.Errorf("%s %s %s: kind %d, id %d is missing", c.ID, c.Steps[0].Request.Method, c.Steps[0].Request.Path, tag.Kind, tag.ID)
			}
		}
		snapshot.Restore(t)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d cases, %d changed something, %d invalidated everything", cases, changed, vague)
	if changed == 0 {
		t.Error("nothing changed")
	}
}
