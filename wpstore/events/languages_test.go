package events_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"calbridge/wpstore"
	"calbridge/wpstore/events"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/synthetic"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// generated opens a generated calendar of n events.
func generated(t testing.TB, engine string, n int) *sitedb.DB {
	t.Helper()
	cfg := sitedb.Config{
		Config: sqlconn.Config{Database: wptest.Address(t, "sqlite::memory:"), MaxOpen: 1, Now: func() time.Time { return synthetic.Now }},
		Tables: table.Config{Prefix: "wp_"},
	}
	if engine == "mariadb" {
		cfg.Database = wptest.Address(t, wptest.MariaDB(t))
	}
	db, err := sitedb.Open(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if err := db.CreateSchema(context.Background()); err != nil {
		t.Fatal(err)
	}
	wptest.Generate(t, db.SQL(), "wp_", n)
	if engine == "mariadb" {
		// What a server finds out by itself within seconds.
		for _, table := range []string{"posts", "postmeta", "tec_occurrences", "terms", "term_taxonomy", "term_relationships"} {
			rows, err := db.SQL().Query("ANALYZE TABLE " + db.Table(table))
			if err != nil {
				t.Fatal(err)
			}
			rows.Close()
		}
	}
	return db
}

// A list that is counted in another language than its own is the same in one
// query as in two, whatever the page.
func TestEventsCountedInAnotherLanguage(t *testing.T) {
	for _, engine := range wptest.Engines() {
		t.Run(engine, func(t *testing.T) {
			db := generated(t, engine, 300)
			scans := func(q wpstore.EventQuery, other wpstore.InLanguage) bool {
				return events.ScansLanguages(&db.Session(nil).Events, q, other)
			}
			scanned := false
			if err := db.CreateLanguageSchema(t.Context()); err != nil {
				t.Fatal(err)
			}
			wptest.Translate(t, db.SQL(), "wp_")
			ask := func() []string {
				var got []string
				for name, q := range wptest.TypicalQueries() {
					facts, err := db.Session(nil).Options.SiteFacts(t.Context())
					if err != nil {
						t.Fatal(err)
					}
					other := q
					q.Language, other.Language = wpstore.In(&facts.Languages, "en"), wpstore.In(&facts.Languages, "cs")
					for _, offset := range []int64{0, 10, 40, 90, 100, 1000} {
						q.Offset, other.Offset = offset, offset
						page, err := db.Session(nil).Events.Events(t.Context(), q, &other)
						if err != nil {
							t.Fatal(err)
						}
						scanned = scanned || scans(q, other.Language)
						want, err := db.Session(nil).Events.Events(t.Context(), q, nil)
						if err != nil {
							t.Fatal(err)
						}
						counted, err := db.Session(nil).Events.Events(t.Context(), other, nil)
						if err != nil {
							t.Fatal(err)
						}
						want.Counted = counted.Total
						if diff := cmp.Diff(want, page); diff != "" {
							t.Errorf("%s from %d: %s", name, offset, diff)
						}
						got = append(got, fmt.Sprint(name, offset, page))
					}
				}
				slices.Sort(got)
				return got
			}
			with := ask()
			// Where a list is long, its next time goes another way.
			if diff := cmp.Diff(with, ask()); diff != "" {
				t.Errorf("the second time: %s", diff)
			}
			if got, want := scanned, engine != "sqlite"; got != want {
				t.Errorf("reads all languages: %v, want %v", got, want)
			}
			// Old versions of WPML lack the index that look-ups go by.
			drop := "ALTER TABLE wp_icl_translations DROP INDEX id_type_language"
			if engine == "sqlite" {
				return
			}
			if _, err := db.SQL().Exec(drop); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(with, ask()); diff != "" {
				t.Errorf("without the index: %s", diff)
			}
		})
	}
}
