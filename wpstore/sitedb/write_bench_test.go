package sitedb_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"calbridge/wpstore"
	"calbridge/wpstore/edit"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/wptest"
)

// BenchmarkNewEvent writes events that all have one tag and one category, on calendars of
// two sizes, with the binary log followed and without, and with the range of all dates and
// without. The median is reported.
func BenchmarkNewEvent(b *testing.B) {
	for _, events := range []int{120, 10_000} {
		for _, c := range []struct{ followed, dates bool }{{true, true}, {true, false}, {false, true}} {
			b.Run(fmt.Sprintf("events=%d/followed=%v/dates=%v", events, c.followed, c.dates), func(b *testing.B) {
				s := newCountedSite(b)
				s.exec(fmt.Sprintf(`INSERT INTO wp_posts (ID, post_type, post_status, post_name, post_title, post_content, post_excerpt, to_ping, pinged, post_content_filtered)
					SELECT 10000 + seq, 'tribe_events', 'publish', CONCAT('old-', seq), 'Old', '', '', '', '', '' FROM %s`, wptest.Sequence(1, events)),
					fmt.Sprintf("INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) SELECT 10000 + seq, 1007 FROM %s", wptest.Sequence(1, events)),
					fmt.Sprintf("INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) SELECT 10000 + seq, 1009 FROM %s", wptest.Sequence(1, events)),
					fmt.Sprintf(`INSERT INTO wp_tec_occurrences (event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, duration, hash)
					SELECT seq, 10000 + seq, '2027-01-01' + INTERVAL seq HOUR, '2027-01-01' + INTERVAL seq HOUR, '2027-01-01' + INTERVAL seq + 1 HOUR, '2027-01-01' + INTERVAL seq + 1 HOUR, 3600, seq
					FROM %s`, wptest.Sequence(1, events)),
					"ANALYZE TABLE wp_posts, wp_term_relationships, wp_tec_occurrences")
				s.awaitFeed()
				if !c.followed {
					s.stop()
				}
				var took []time.Duration
				for b.Loop() {
					start := time.Now()
					err := write(b.Context(), s.caughtUp(), func(tx *sitedb.Tx) error {
						e := tx.PostEditor.New(wpstore.Post{Type: wpstore.EventType, Title: fmt.Sprint("New ", len(took)), Status: "publish", Author: 1})
						e.Terms = []edit.PostTermSet{tags(7), {Taxonomy: wpstore.CategoryTaxonomy, IDs: []int64{9}}}
						if err := tx.PostEditor.Save(b.Context(), e); err != nil {
							return err
						}
						tx.Saved(c.dates)
						return tx.PostEditor.Flush(b.Context(), e)
					})
					s.OK(err)
					took = append(took, time.Since(start))
				}
				slices.Sort(took)
				b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			})
		}
	}
}
