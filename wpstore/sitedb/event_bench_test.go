package sitedb_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"calbridge/wpstore"
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

// BenchmarkEventIDs10k asks for the ids and the total of lists over 10,000
// events.
func BenchmarkEventIDs10k(b *testing.B) {
	for _, engine := range wptest.Engines() {
		b.Run(engine, func(b *testing.B) {
			db := generated(b, engine, 10_000)
			for name, q := range wptest.TypicalQueries() {
				b.Run(name, func(b *testing.B) {
					var total int64
					for b.Loop() {
						_, n, err := eventIDs(b.Context(), &db.Session(nil).Events, q)
						if err != nil {
							b.Fatal(err)
						}
						total = n
					}
					b.ReportMetric(float64(total), "total")
				})
			}
		})
	}
}

// BenchmarkLoaders10k loads a page of 50 events, and asks the other questions,
// over 10,000 events.
func BenchmarkLoaders10k(b *testing.B) {
	for _, engine := range wptest.Engines() {
		b.Run(engine, func(b *testing.B) {
			db := generated(b, engine, 10_000)
			ids, _, err := eventIDs(b.Context(), &db.Session(nil).Events, wpstore.EventQuery{Occurrences: true, Limit: 50, Offset: 5_000})
			if err != nil {
				b.Fatal(err)
			}
			now := synthetic.Now.Format(time.DateTime)
			publish := []string{"publish"}
			for name, ask := range map[string]func(context.Context) (any, error){
				"posts": func(ctx context.Context) (any, error) { return db.Session(nil).Posts.Posts(ctx, ids) },
				"heads": func(ctx context.Context) (any, error) { return db.Session(nil).Posts.PostHeads(ctx, ids) },
				"meta":  func(ctx context.Context) (any, error) { return db.Session(nil).Posts.PostMeta(ctx, ids) },
				"terms": func(ctx context.Context) (any, error) {
					return db.Session(nil).Terms.PostTerms(ctx, ids, []string{category, tag})
				},
				"site_facts": func(ctx context.Context) (any, error) { return db.Session(nil).Options.SiteFacts(ctx) },
				"by_path": func(ctx context.Context) (any, error) {
					return db.Session(nil).Posts.PostIDsByPath(ctx, wpstore.EventType, []string{"neni"})
				},
				"with_events": func(ctx context.Context) (any, error) {
					return db.Session(nil).Linked.LinkedWithEvents(ctx, wpstore.VenueLink, nil)
				},
				"upcoming": func(ctx context.Context) (any, error) {
					return db.Session(nil).Linked.LinkedUpcoming(ctx, wpstore.VenueLink, wpstore.EventQuery{Statuses: publish, Occurrences: true, Limit: 10}, now)
				},
				"venues": func(ctx context.Context) (any, error) {
					page, err := db.Session(nil).Linked.Linked(ctx, wpstore.LinkedQuery{PostType: wpstore.VenueType, Statuses: publish, Limit: 10}, wpstore.InLanguage{})
					return page.IDs, err
				},
				"search_venues": func(ctx context.Context) (any, error) {
					return db.Session(nil).Linked.SearchLinked(ctx, wpstore.VenueType, []string{"brno"}, nil)
				},
				"tags": func(ctx context.Context) (any, error) {
					terms, _, err := db.Session(nil).Terms.TermList(ctx, wpstore.TermQuery{Taxonomy: tag, HideEmpty: true, Limit: 10})
					return terms, err
				},
			} {
				b.Run(name, func(b *testing.B) {
					for b.Loop() {
						if _, err := ask(b.Context()); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		})
	}
}

// BenchmarkListsByStart asks for lists without and with the index by start that the owner of
// a site may add.
func BenchmarkListsByStart(b *testing.B) {
	if len(wptest.Engines()) == 1 {
		b.Skip("needs MariaDB")
	}
	for _, n := range []int{10_000, 100_000} {
		db := generated(b, "mariadb", n)
		lists := func(kind string, starts wpstore.StartIndexes) {
			for _, name := range []string{"upcoming", "last_page", "everything", "month", "category", "venue", "search"} {
				q := wptest.TypicalQueries()[name]
				b.Run(fmt.Sprintf("%d/%s/%s", n, name, kind), func(b *testing.B) {
					for b.Loop() {
						session := db.Session(nil)
						session.Events.UseStartIndexes(starts)
						if _, _, err := eventIDs(b.Context(), &session.Events, q); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
		lists("sorted", wpstore.StartIndexes{})
		for _, statement := range []string{"CREATE INDEX starts ON wp_tec_occurrences (start_date, post_id, end_date)", "ANALYZE TABLE wp_tec_occurrences"} {
			if _, err := db.SQL().Exec(statement); err != nil {
				b.Fatal(err)
			}
		}
		lists("walked", wpstore.StartIndexes{Local: "starts"})
	}
}
