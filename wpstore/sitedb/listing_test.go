package sitedb_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/coherence"
	"calbridge/wpstore/listing"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/wptest"
)

// Lists are the same from the index and from the database, whatever the tables
// hold and whatever has changed.
func TestListingAnswersAsTheDatabase(t *testing.T) {
	for _, engine := range wptest.Engines() {
		queries, rounds := 150, 60
		if testing.Short() {
			queries, rounds = 20, 5
		}
		for plugin, name := range map[i18n.Plugin]string{i18n.NoPlugin: "none", i18n.WPML: "wpml", i18n.Polylang: "polylang"} {
			for _, occurrences := range []bool{true, false} {
				t.Run(fmt.Sprintf("%s/%s/occurrences=%v", engine, name, occurrences), func(t *testing.T) {
					s := newMessySite(t, engine, plugin, occurrences, 7)
					s.compare(queries, occurrences)
					for range rounds {
						for range s.rng.IntN(4) {
							s.change()
						}
						s.compare(5, occurrences)
					}
					if other := len(s.by) - 1; other > 0 || s.by[sitedb.ListedFromIndex] == 0 {
						t.Errorf("lists were answered by %v", s.by)
					}
				})
			}
		}
	}
}

// Asked for an order, the index is made ready for it while changes go on.
func TestListingAdaptsToTheOrder(t *testing.T) {
	db := generated(t, "sqlite", 1500)
	ledger := coherence.NewLedger()
	index := db.OpenListing(t.Context(), ledger)
	ledger.Follow(true)
	if err := index.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	q := wpstore.EventQuery{Occurrences: true, OrderUTC: true, Descending: true, Limit: 40, Offset: 700}
	want, err := db.Events(t.Context(), q, nil)
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); ; {
		ready := index.ReadyFor(listing.ByStartUTC)
		got, err := db.Events(sitedb.FromMemory(t.Context()), q, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.IDs, want.IDs) || got.Total != want.Total {
			t.Fatalf("got %v, want %v (ready: %v)", got, want, ready)
		}
		if ready {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the index does not adapt")
		}
		ledger.Changed(coherence.Tag{Kind: coherence.Post, ID: 10_001})
		time.Sleep(time.Millisecond)
	}
	if index.ReadyFor(listing.ByPublication) {
		t.Error("ready for an order that nobody asked for")
	}
}
