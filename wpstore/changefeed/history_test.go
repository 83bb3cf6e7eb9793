package changefeed_test

import (
	"fmt"
	"testing"

	"calbridge/wpstore/invalidation"
)

// TestLogBeginsAnew: after RESET MASTER the server's numbering starts over. The open
// connection still gets heartbeats, and a new connection is refused the old position.
func TestLogBeginsAnew(t *testing.T) {
	t.Parallel()
	post := []invalidation.Tag{{Kind: invalidation.Post, ID: 1}}
	for name, test := range map[string]struct {
		after func(*follower) // makes the log start over
		ask   bool            // strict requests wait for the feed to catch up
	}{
		"connection lost": {func(f *follower) { f.cut() }, true},
		"proof":           {func(*follower) {}, true},
		"without proof":   {func(*follower) {}, false},
		"beyond the old position": {func(f *follower) {
			for i := range 60 {
				f.exec(fmt.Sprintf("INSERT INTO wp_usermeta (user_id) VALUES (%d)", i+10))
			}
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := follow(t, nil)
			f.post(1, "tribe_events", nil)
			f.caughtUp()
			since := f.tracker.Generation()
			f.resetLog()
			test.after(f)
			f.exec("UPDATE wp_posts SET post_title = 'new'")
			f.eventually("stale, or not known to be fresh", func() bool {
				if test.ask && f.CatchUp(t.Context()) == nil && f.tracker.Active() && f.tracker.Fresh(since, post) {
					t.Fatal("proved fresh although a change was missed")
				}
				return !f.tracker.Fresh(since, post)
			})
			f.eventually("following the new log", f.tracker.Active)
			f.exec("INSERT INTO wp_usermeta (user_id) VALUES (6)")
			f.caughtUp()
			if tag, _ := f.invalidated(invalidation.Tag{Kind: invalidation.User, ID: 6}); !tag {
				t.Error("not invalidated after the log started over")
			}
		})
	}
}

// resetLog deletes the log and begins a new one.
func (f *follower) resetLog() {
	f.t.Helper()
	if _, err := f.SQL().Exec("RESET BINARY LOGS AND GTIDS"); err != nil { // MySQL since 8.2
		f.exec("RESET MASTER")
	}
}
