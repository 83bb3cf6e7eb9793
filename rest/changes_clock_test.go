package rest

import (
	"testing"
	"time"

	"calbridge/wpstore/sqlconn"
)

// TestChangesAfterClockJump checks that tokens go on after the clock has jumped either way, that
// changes arrive meanwhile, and that lists by the time of day are right when the clock is right again.
func TestChangesAfterClockJump(t *testing.T) {
	const day = 24 * 3600
	for name, jump := range map[string]int64{"forwards": 3 * day, "backwards": -3 * day} {
		t.Run(name, func(t *testing.T) {
			s := embeddedChangesSite(t, sqlconn.Config{}, true)
			tomorrow := testNow.AddDate(0, 0, 1).Format(time.DateTime)
			s.exec("UPDATE wp_tec_occurrences SET start_date = ?, start_date_utc = ? WHERE post_id = 103", tomorrow, tomorrow)
			fixed, byTime := newSyncer("", "per_page=2&start_date=2020-01-01"), newSyncer("", "per_page=2")
			fixed.finish(t, s)
			byTime.finish(t, s)
			s.late.Add(jump)
			s.exec("UPDATE wp_posts SET post_title = 'After the jump' WHERE ID = 103")
			fixed.finish(t, s)
			byTime.finish(t, s)
			if d := fixed.differs(s); d != "" {
				t.Errorf("after the jump: %s", d)
			}
			s.late.Add(-jump)
			s.exec("UPDATE wp_posts SET post_title = 'Right again' WHERE ID IN (101, 103)")
			fixed.finish(t, s)
			if d := fixed.differs(s); d != "" {
				t.Errorf("right again: %s", d)
			}
			s.late.Add(4 * day) // past all times that the clock has shown
			byTime.finish(t, s)
			if d := byTime.differs(s); d != "" {
				t.Errorf("days later: %s", d)
			}
			for _, r := range []*syncer{fixed, byTime} {
				if len(r.reasons) > 0 {
					t.Errorf("tokens ended: %v", r.reasons)
				}
			}
		})
	}
}

// TestStreamAfterClockJump checks that an open stream goes on sending changes after the clock has
// jumped either way, and can be resumed.
func TestStreamAfterClockJump(t *testing.T) {
	for name, jump := range map[string]int64{"forwards": 3 * 24 * 3600, "backwards": -3 * 24 * 3600} {
		t.Run(name, func(t *testing.T) {
			s := newChangesSite(t)
			c := follow(t, s, serveStreams(t, s), "start_date=2020-01-01")
			s.exec("UPDATE wp_posts SET post_title = 'Before the jump' WHERE ID = 101")
			c.until(s)
			s.late.Add(jump)
			s.exec("UPDATE wp_posts SET post_title = 'After the jump' WHERE ID = 101")
			c.until(s)
			c.close() // and resumes
			s.exec("UPDATE wp_posts SET post_title = 'While away' WHERE ID = 102")
			c.until(s)
			s.late.Add(-jump)
			s.exec("UPDATE wp_posts SET post_title = 'Right again' WHERE ID = 102")
			c.until(s)
			if len(c.resets) > 0 {
				t.Errorf("resets: %v", c.resets)
			}
		})
	}
}
