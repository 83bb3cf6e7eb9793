package sitedb_test

import (
	"context"
	"fmt"
	"testing"

	"calbridge/wpstore"
)

// TestVerifyCounts: the first write of a term adds to its count where that was verified, and
// counts otherwise. A relation that was added without being logged distinguishes the two.
func TestVerifyCounts(t *testing.T) {
	const counts, adds = true, false
	s := newCountedSite(t)
	verify := func(least int64) func(*countedSite, int64) {
		return func(s *countedSite, _ int64) { s.OK(s.db.VerifyCounts(t.Context(), least)) }
	}
	for i, c := range []struct {
		name string
		do   func(s *countedSite, tag int64)
		want bool
	}{
		{"not verified", func(*countedSite, int64) {}, counts},
		{"verified", verify(1), adds},
		{"fewer posts", verify(2), counts},
		{"the count is wrong", func(s *countedSite, tag int64) {
			s.exec(fmt.Sprintf("UPDATE wp_term_taxonomy SET count = 9 WHERE term_id = %d", tag))
			s.awaitFeed()
			verify(1)(s, tag)
		}, counts},
		{"others change a relation afterwards", func(s *countedSite, tag int64) {
			verify(1)(s, tag)
			s.exec("DELETE FROM wp_term_relationships WHERE object_id = 500", "INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (500, 1008)")
		}, counts},
		{"the request isn't proved", verify(1), counts},
		{"in the background", func(s *countedSite, tag int64) {
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan struct{})
			go func() { defer close(ended); s.db.VerifyAhead(ctx, 1) }()
			await(t, "verified", func() bool { return s.db.CountKnown(1000 + tag) })
			stop()
			<-ended
		}, adds},
		{"the log isn't followed", func(s *countedSite, tag int64) { s.stop(); verify(1)(s, tag) }, counts},
	} {
		t.Run(c.name, func(t *testing.T) {
			tag, post := int64(20+i), int64(100+2*i)
			s.Term(tag, wpstore.TagTaxonomy, c.name, fmt.Sprint("tag-", tag), 0, 1)
			s.Event(post, "2027-01-01 10:00:00", row{"post_name": c.name, "post_title": c.name})
			s.Event(post+1, "2027-01-01 10:00:00", row{"post_name": c.name + "-2", "post_title": c.name})
			s.exec(fmt.Sprintf("INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (%d, %d)", post, 1000+tag))
			s.awaitFeed()
			c.do(s, tag)
			session := s.nextSession(c.name)
			s.unlogged(fmt.Sprintf("INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (%d, %d)", post+1, 1000+tag))
			s.add(session, "publish", tags(tag))
			got := s.number(fmt.Sprintf("SELECT count FROM wp_term_taxonomy WHERE term_taxonomy_id = %d", 1000+tag))
			if got != map[bool]int64{counts: 3, adds: 2}[c.want] {
				t.Errorf("count %d; recounts: %v", got, c.want)
			}
		})
	}
}

// TestVerifyRange: the first write compares its event with the range of all where that was verified,
// and reads all events otherwise. An earlier event that was added without being logged distinguishes
// the two.
func TestVerifyRange(t *testing.T) {
	const reads, compares = true, false
	verify := func(t *testing.T, s *countedSite) { s.OK(s.db.VerifyCounts(t.Context(), 0)) }
	for _, c := range []struct {
		name string
		do   func(t *testing.T, s *countedSite)
		want bool
	}{
		{"not verified", func(*testing.T, *countedSite) {}, reads},
		{"verified", verify, compares},
		{"the range is wrong", func(t *testing.T, s *countedSite) {
			s.exec("UPDATE wp_options SET option_value = REPLACE(option_value, '2027', '2026') WHERE option_name = 'tribe_events_calendar_options'")
			s.awaitFeed()
			verify(t, s)
		}, reads},
		{"another changes the option afterwards", func(t *testing.T, s *countedSite) {
			verify(t, s)
			s.exec("UPDATE wp_options SET option_value = REPLACE(option_value, '2027', '2026') WHERE option_name = 'tribe_events_calendar_options'")
		}, reads},
		{"another moves the first event back afterwards", func(t *testing.T, s *countedSite) {
			verify(t, s)
			s.exec("UPDATE wp_tec_occurrences SET start_date_utc = '2027-03-01 10:00:00' WHERE post_id = 500")
		}, reads},
		{"another moves an event to the front afterwards", func(t *testing.T, s *countedSite) {
			verify(t, s)
			s.exec("UPDATE wp_tec_occurrences SET start_date_utc = '2026-12-01 10:00:00' WHERE post_id = 500")
			s.awaitFeed()
			s.saveDated(s.caughtUp(), "2027-06-01 10:00:00")
			if s.number("SELECT COUNT(*) FROM wp_options WHERE option_value LIKE '%2026-12-01 10:00:00%'") == 0 {
				t.Error("the range lacks an event that another has moved")
			}
		}, compares},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newCountedSite(t)
			s.lockRows()
			s.Option("tec_ct1_migration_state", `a:1:{s:5:"phase";s:18:"migration-complete";}`)
			s.OK(s.db.MendRange(t.Context()))
			s.exec("UPDATE wp_posts SET post_status = 'private' WHERE ID = 500", "UPDATE wp_posts SET post_status = 'publish' WHERE ID = 500") // forgets the range
			s.awaitFeed()
			c.do(t, s)
			s.unlogged(`INSERT INTO wp_posts (ID, post_type, post_status, post_title, post_name, post_content, post_excerpt, to_ping, pinged, post_content_filtered)
				VALUES (900, 'tribe_events', 'publish', 'Hidden', 'hidden', '', '', '', '', '')`,
				`INSERT INTO wp_tec_occurrences (event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, duration, hash)
				VALUES (900, 900, '2020-01-01 10:00:00', '2020-01-01 10:00:00', '2020-01-01 12:00:00', '2020-01-01 12:00:00', 7200, 'h')`)
			s.awaitFeed()
			s.saveDated(s.caughtUp(), "2027-07-01 10:00:00")
			found := s.number("SELECT COUNT(*) FROM wp_options WHERE option_name = 'tribe_events_calendar_options' AND option_value LIKE '%2020-01-01 10:00:00%'") > 0
			if found != c.want {
				t.Errorf("reads all events: %v", found)
			}
		})
	}
}
