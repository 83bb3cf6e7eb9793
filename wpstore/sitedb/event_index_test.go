package sitedb_test

import (
	"fmt"
	"testing"

	"calbridge/i18n"
	"calbridge/wpstore/eventindex"
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
					if engine == "mariadb" && s.searched < (queries+5*rounds)/100 {
						t.Errorf("%d searches found events in the index: %v", s.searched, s.by)
					}
					delete(s.by, eventindex.TextSearch) // searches for different texts, and of many changed posts
					if other := len(s.by) - 1; other > 0 || s.by[eventindex.FromIndex] == 0 {
						t.Errorf("lists were answered by %v", s.by)
					}
					if s.linked == 0 {
						t.Error("no upcoming event has a venue or an organizer")
					}
				})
			}
		}
	}
}
