package sitedb_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/wptest"
)

// byStart makes the indexes that the owner of a site may add.
func (s *messySite) byStart() wpstore.StartIndexes {
	s.exec("CREATE INDEX starts ON wp_tec_occurrences (start_date, post_id, end_date)")
	s.exec("CREATE INDEX starts_utc ON wp_tec_occurrences (start_date_utc, post_id, end_date_utc)")
	return wpstore.StartIndexes{Local: "starts", UTC: "starts_utc"}
}

// mild returns a query with fewer filters than others, so that it may be walked.
func (s *messySite) mild() wpstore.EventQuery {
	q := s.messyQuery(true)
	if s.chance(80) {
		q.Categories, q.Tags, q.Venues, q.Organizers, q.Include, q.Filters = nil, nil, nil, nil, nil, nil
	}
	if s.chance(80) {
		q.Order.ByPublication = false
	}
	return q
}

// Lists in the order of an index by start are those of the statement that sorts all dates,
// whatever the tables hold, and on servers each takes two statements at most, or three for
// a page that is empty.
func TestListsWalkedByStart(t *testing.T) {
	queries := 1500
	if testing.Short() {
		queries = 300
	}
	for _, engine := range wptest.Engines() {
		for plugin, name := range map[i18n.Plugin]string{i18n.NoPlugin: "none", i18n.WPML: "wpml", i18n.Polylang: "polylang"} {
			t.Run(engine+"/"+name, func(t *testing.T) {
				s := newMessySite(t, engine, plugin, true, 11)
				starts := s.byStart()
				for range 150 { // starts that are not equal
					at := time.Date(2026, 11, 1, 0, s.rng.IntN(100_000), 0, 0, time.UTC)
					s.Insert("tec_occurrences", row{"event_id": 1, "post_id": 1 + s.rng.IntN(150), "hash": fmt.Sprint(s.rng.Uint64()),
						"start_date": at.Format(time.DateTime), "end_date": at.Add(time.Hour).Format(time.DateTime),
						"start_date_utc": at.Add(-time.Hour).Format(time.DateTime), "end_date_utc": at.Format(time.DateTime)})
				}
				once, more := 0, 0
				for range queries {
					q := s.mild()
					want, err := s.plain.Session(nil).Events.Events(t.Context(), q, nil)
					s.OK(err)
					session := s.db.Session(nil)
					session.Events.UseStartIndexes(starts)
					got, err := session.Events.Events(t.Context(), q, nil)
					s.OK(err)
					if !slices.Equal(got.IDs, want.IDs) || got.Total != want.Total || got.Counted != want.Counted {
						t.Fatalf("query %+v\n got %+v\nwant %+v", q, got, want)
					}
					switch n := session.Queries(); {
					case n > 3, n == 3 && len(got.IDs) > 0:
						t.Fatalf("query %+v: %d statements", q, n)
					case n == 1 && len(got.IDs) > 0:
						once++
					case n > 1:
						more++
					}
				}
				if windows := s.db.Dialect().Windows(); windows && once < queries/6 || more == 0 {
					t.Errorf("%d lists took one statement, %d more", once, more)
				}
			})
		}
	}
}
