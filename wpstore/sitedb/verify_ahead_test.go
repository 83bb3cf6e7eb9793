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
