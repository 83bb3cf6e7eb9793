package sitedb_test

import (
	"fmt"
	"testing"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/wptest"
)

// BenchmarkEventsInLanguage compares a list of one language, on a site with three,
// with the list of a site of as many events that has one language.
func BenchmarkEventsInLanguage(b *testing.B) {
	for _, engine := range wptest.Engines() {
		db := generated(b, engine, 10_000)
		languages := trilingual(b, db)
		for _, name := range []string{"upcoming", "everything", "search"} {
			for _, code := range []string{"", "cs"} {
				q := wptest.TypicalQueries()[name]
				q.Language = wpstore.In(languages, code)
				b.Run(fmt.Sprintf("%s/%s/language=%s", engine, name, code), func(b *testing.B) {
					for b.Loop() {
						if _, _, err := eventIDs(b.Context(), &db.Session(nil).Events, q); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}

// trilingual deals the events of a generated calendar out to three languages, in
// the tables of WPML.
func trilingual(t testing.TB, db *sitedb.DB) *i18n.Languages {
	t.Helper()
	table := db.Table("icl_translations")
	for _, text := range []string{
		"CREATE TABLE " + table + " (translation_id integer PRIMARY KEY, element_type varchar(60) NOT NULL, element_id bigint, trid bigint NOT NULL, language_code varchar(7) NOT NULL)",
		"CREATE UNIQUE INDEX el_type_id ON " + table + " (element_type, element_id)",
		"INSERT INTO " + table + " SELECT ID, 'post_tribe_events', ID, ID, CASE ID % 3 WHEN 0 THEN 'cs' WHEN 1 THEN 'en' ELSE 'de' END FROM " + db.Table("posts") + " WHERE post_type = 'tribe_events'",
	} {
		if _, err := db.SQL().ExecContext(t.Context(), text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	languages := i18n.FromWPML(i18n.WPMLFacts{Default: "cs", Negotiation: 1, Active: []i18n.Language{{Code: "cs"}, {Code: "en"}, {Code: "de"}}})
	return &languages
}
