package changefeed_test

import (
	"sync/atomic"
	"testing"
	"time"

	"calbridge/wpstore/invalidation"
)

// TestUnloggedRestore: mysqldump writes SET SQL_LOG_BIN=0 into the dumps of a MySQL that has
// GTIDs, so that nothing of their restoration is in the log.
func TestUnloggedRestore(t *testing.T) {
	t.Parallel()
	var looks atomic.Int64
	f := follow(t, func(cfg *config) {
		cfg.Observe = func(name string, _ time.Duration, _ error) {
			if name == "feed.tables" {
				looks.Add(1)
			}
		}
	})
	f.post(1, "tribe_events", nil)
	f.eventually("a later second", func() bool {
		var later bool
		f.ok(f.SQL().QueryRow("SELECT UNIX_TIMESTAMP(MAX(create_time)) < UNIX_TIMESTAMP(NOW()) FROM information_schema.tables WHERE table_schema = DATABASE()").Scan(&later))
		time.Sleep(50 * time.Millisecond)
		return later
	})
	f.caughtUp()
	f.eventually("the tables looked at as they were", func() bool { return looks.Load() > 1 })
	conn, err := f.SQL().Conn(t.Context())
	f.ok(err)
	defer conn.Close()
	post := []invalidation.Tag{{Kind: invalidation.Post, ID: 1}}
	for i, statements := range [][]string{
		{"SET SQL_LOG_BIN = 0", "CREATE TABLE wp_new LIKE wp_posts", "DROP TABLE wp_posts", "RENAME TABLE wp_new TO wp_posts"},
		{"INSERT INTO wp_posts (ID, post_content, post_title, post_excerpt, to_ping, pinged, post_content_filtered) VALUES (1, '', 'old', '', '', '', '')"},
		{"UPDATE wp_posts SET post_title = 'older'"},
	} {
		since := f.tracker.Generation()
		for _, statement := range statements {
			if _, err := conn.ExecContext(t.Context(), statement); err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
		}
		if i > 0 { // there is one more, as the table was updated in this second
			since = f.tracker.Generation()
		}
		f.eventually("invalidated", func() bool { return !f.tracker.Fresh(since, post) })
	}
}
