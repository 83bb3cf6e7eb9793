package sitedb_test

import (
	"slices"
	"sync"
	"testing"

	"calbridge/wpstore/eventindex"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// answeredBy counts how lists were answered.
type answeredBy struct {
	mu sync.Mutex
	n  map[eventindex.Outcome]int
}

func (a *answeredBy) note(by eventindex.Outcome) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.n == nil {
		a.n = map[eventindex.Outcome]int{}
	}
	a.n[by]++
}

// openIndexed opens the database of a recorded site with a listing index.
func openIndexed(t *testing.T, engine, site string) (*sitedb.DB, *answeredBy) {
	t.Helper()
	by := new(answeredBy)
	d := wptest.Site(t, engine, site)
	db, err := sitedb.Open(t.Context(), sitedb.Config{
		Config: sqlconn.Config{Database: wptest.Address(t, d.DSN), Now: d.Now, FixedClock: true},
		Tables: table.Config{Prefix: d.TablePrefix}, Listed: by.note,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	tracker := invalidation.NewTracker()
	listing := db.OpenIndex(t.Context(), tracker)
	tracker.Resume(true)
	wptest.AwaitRows(t, listing)
	if listing.Rows() == 0 {
		t.Fatal("the index is empty")
	}
	return db, by
}

// The recorded lists come from the index, except for searches.
func TestRecordedListsFromIndex(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: the race detector finds nothing in a single goroutine")
	}
	for _, site := range []string{"mono", "poly"} {
		lists := recordedLists(t, site, "events-list")
		for _, engine := range wptest.Engines() {
			t.Run(site+"/"+engine, func(t *testing.T) {
				db, by := openIndexed(t, engine, site)
				compared, searches := 0, 0
				for _, r := range lists {
					q, ok := recordedEventQuery(t, db, r)
					if !ok {
						continue
					}
					if compared++; q.Search != nil {
						searches++
					}
					ids, total, err := eventIDs(t.Context(), &indexed(db).Events, q)
					if err != nil {
						t.Fatalf("%s: %v", r.id, err)
					}
					if total != r.total || !slices.Equal(ids, r.ids) {
						t.Errorf("%s %s %v\n got %v of %d\nwant %v of %d", r.id, r.as, r.params, ids, total, r.ids, r.total)
					}
				}
				if by.n[eventindex.FromIndex] < compared*9/10-searches || by.n[eventindex.FromIndex]+by.n["search"]+by.n["id"]+by.n["text"] != compared {
					t.Errorf("%d lists were answered by %v", compared, by.n)
				}
				t.Logf("%d lists: %v", compared, by.n)
			})
		}
	}
}
