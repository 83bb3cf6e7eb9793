package systemtest

import (
	"testing"

	"calbridge/testdata"
	"calbridge/wpstore/wptest"
)

// TestReplayByStart replays the recordings on sites with the indexes by start date that check
// recommends.
func TestReplayByStart(t *testing.T) {
	oneAtATime(t)
	if len(wptest.Engines()) == 1 {
		t.Skip("the embedded engine has no such advice")
	}
	shared := testdata.Shared(t)
	for _, site := range []string{"poly", "mono", "wpml"} {
		t.Run(site, func(t *testing.T) {
			db := wptest.SiteCopy(t, "mariadb", site)
			store := openStore(t, db)
			for _, suffix := range []string{"", "_utc"} {
				if _, err := store.SQL().Exec("CREATE INDEX calbridge_start" + suffix + " ON " + store.Table("tec_occurrences") +
					" (start_date" + suffix + ", post_id, end_date" + suffix + ")"); err != nil {
					t.Fatal(err)
				}
			}
			replayRecordings(t, shared, site, "mariadb", serveStore(t, store, site, db.Now, buildProfile(t, shared, site)))
		})
	}
}
