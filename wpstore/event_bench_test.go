package wpstore_test

import (
	"context"
	"testing"
	"time"

	"calbridge/wpstore"
	"calbridge/wpstore/synthetic"
	"calbridge/wpstore/wptest"
)

// generated opens a generated calendar of n events.
func generated(t testing.TB, engine string, n int) *wpstore.DB {
	t.Helper()
	cfg := wpstore.Config{
		DSN: "sqlite::memory:", TablePrefix: "wp_", MaxOpen: 1,
		Now: func() time.Time { return synthetic.Now },
	}
	if engine == "mariadb" {
		cfg.DSN = wptest.MariaDB(t)
	}
	db, err := wpstore.Open(context.Background(), cfg)
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

// typicalQueries are lists that clients ask for, over a generated calendar.
func typicalQueries() map[string]wpstore.EventQuery {
	now := synthetic.Now.Format(time.DateTime)
	from := wpstore.Bound{Op: ">=", Value: now}
	until := func(days int) wpstore.Bound {
		return wpstore.Bound{End: true, Op: "<=", Value: synthetic.Now.AddDate(0, 0, days).Format(time.DateTime)}
	}
	base := wpstore.EventQuery{Statuses: []string{"publish"}, Occurrences: true, Limit: 10, Bounds: []wpstore.Bound{from, until(730)}}
	with := func(change func(*wpstore.EventQuery)) wpstore.EventQuery {
		q := base
		change(&q)
		return q
	}
	yes := true
	return map[string]wpstore.EventQuery{
		"upcoming":     base,
		"last_page":    with(func(q *wpstore.EventQuery) { q.Offset = 4_900 }),
		"everything":   with(func(q *wpstore.EventQuery) { q.Bounds = nil }),
		"month":        with(func(q *wpstore.EventQuery) { q.Bounds = []wpstore.Bound{from, until(30)} }),
		"category":     with(func(q *wpstore.EventQuery) { q.Categories = []int64{3} }),
		"venue":        with(func(q *wpstore.EventQuery) { q.Venues = []int64{1001} }),
		"featured":     with(func(q *wpstore.EventQuery) { q.Featured = &yes }),
		"search":       with(func(q *wpstore.EventQuery) { q.Search = []wpstore.SearchTerm{{Text: "koncert"}} }),
		"include":      with(func(q *wpstore.EventQuery) { q.Include = []int64{15_001, 15_002}; q.OrderByPublication = true }),
		"any_status":   with(func(q *wpstore.EventQuery) { q.Statuses = nil }),
		"no_table":     with(func(q *wpstore.EventQuery) { q.Occurrences = false }),
		"beyond_pages": with(func(q *wpstore.EventQuery) { q.Offset = 1_000_000 }),
	}
}

// BenchmarkEventIDs10k asks for the ids and the total of lists over 10,000
// events.
func BenchmarkEventIDs10k(b *testing.B) {
	for _, engine := range wptest.Engines() {
		b.Run(engine, func(b *testing.B) {
			db := generated(b, engine, 10_000)
			for name, q := range typicalQueries() {
				b.Run(name, func(b *testing.B) {
					var total int64
					for b.Loop() {
						_, n, err := db.EventIDs(b.Context(), q)
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
			ids, _, err := db.EventIDs(b.Context(), wpstore.EventQuery{Occurrences: true, Limit: 50, Offset: 5_000})
			if err != nil {
				b.Fatal(err)
			}
			now := synthetic.Now.Format(time.DateTime)
			publish := []string{"publish"}
			for name, ask := range map[string]func(context.Context) (any, error){
				"posts":      func(ctx context.Context) (any, error) { return db.Posts(ctx, ids) },
				"heads":      func(ctx context.Context) (any, error) { return db.PostHeads(ctx, ids) },
				"meta":       func(ctx context.Context) (any, error) { return db.PostMeta(ctx, ids) },
				"terms":      func(ctx context.Context) (any, error) { return db.PostTerms(ctx, ids, []string{category, tag}) },
				"site_facts": func(ctx context.Context) (any, error) { return db.SiteFacts(ctx) },
				"by_path": func(ctx context.Context) (any, error) {
					return db.PostIDByPath(ctx, wpstore.EventType, []string{"neni"})
				},
				"with_events": func(ctx context.Context) (any, error) {
					return db.LinkedWithEvents(ctx, wpstore.VenueLink)
				},
				"upcoming": func(ctx context.Context) (any, error) {
					return db.LinkedUpcoming(ctx, wpstore.VenueLink, publish, now, false, true, wpstore.InLanguage{}, 10)
				},
				"venues": func(ctx context.Context) (any, error) {
					ids, _, err := db.LinkedIDs(ctx, wpstore.LinkedQuery{PostType: wpstore.VenueType, Statuses: publish, Limit: 10})
					return ids, err
				},
				"search_venues": func(ctx context.Context) (any, error) {
					return db.SearchLinked(ctx, wpstore.VenueType, []string{"brno"})
				},
				"tags": func(ctx context.Context) (any, error) {
					terms, _, err := db.TermList(ctx, wpstore.TermQuery{Taxonomy: tag, HideEmpty: true, Limit: 10})
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
