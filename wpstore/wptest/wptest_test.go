package wptest_test

import (
	"context"
	"testing"

	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

func open(t testing.TB, cfg sitedb.Config) *sitedb.DB {
	t.Helper()
	db, err := sitedb.Open(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func count(t testing.TB, db *sitedb.DB, query string) (n int) {
	t.Helper()
	if err := db.SQL().QueryRow(query).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

func TestSite(t *testing.T) {
	for _, engine := range wptest.Engines() {
		t.Run(engine, func(t *testing.T) {
			first, second := wptest.SiteCopy(t, engine, "mono"), wptest.Site(t, engine, "mono")
			if first.DSN == second.DSN {
				t.Fatal("a copy is not a copy")
			}
			db := open(t, sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, first.DSN)}, Tables: table.Config{Prefix: first.TablePrefix}})
			if n := count(t, db, "SELECT COUNT(*) FROM wp_posts WHERE post_type = 'tribe_events'"); n == 0 {
				t.Error("no events")
			}
		})
	}
}

func TestGenerate(t *testing.T) {
	const events = 1234
	for _, engine := range wptest.Engines() {
		t.Run(engine, func(t *testing.T) {
			dsn := "sqlite::memory:"
			if engine == "mariadb" {
				dsn = wptest.MariaDB(t)
			}
			db := open(t, sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, dsn)}, Tables: table.Config{Prefix: "x_"}})
			if err := db.CreateSchema(context.Background()); err != nil {
				t.Fatal(err)
			}
			wptest.Generate(t, db.SQL(), "x_", events)
			for query, want := range map[string]int{
				"SELECT COUNT(*) FROM x_posts WHERE post_type = 'tribe_events'":                                                                  events,
				"SELECT COUNT(*) FROM x_tec_occurrences":                                                                                         events,
				"SELECT COUNT(*) FROM x_postmeta m JOIN x_posts p ON p.ID = m.post_id WHERE post_type = 'tribe_events'":                          events*15 + 124 + 12 + 1,
				"SELECT COUNT(*) FROM x_term_relationships":                                                                                      events * 3,
				"SELECT SUM(count) FROM x_term_taxonomy":                                                                                         events * 3,
				"SELECT COUNT(DISTINCT meta_value) FROM x_postmeta WHERE meta_key = '_EventVenueID'":                                             25,
				"SELECT COUNT(*) FROM x_postmeta m LEFT JOIN x_posts p ON p.ID = m.meta_value WHERE meta_key = '_thumbnail_id' AND p.ID IS NULL": 0,
			} {
				if got := count(t, db, query); got != want {
					t.Errorf("%s: %d, want %d", query, got, want)
				}
			}
		})
	}
}

func BenchmarkGenerate(b *testing.B) {
	for _, engine := range wptest.Engines() {
		b.Run(engine, func(b *testing.B) {
			for b.Loop() {
				dsn := "sqlite::memory:"
				if engine == "mariadb" {
					dsn = wptest.MariaDB(b)
				}
				db := open(b, sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(b, dsn)}, Tables: table.Config{Prefix: "x_"}})
				if err := db.CreateSchema(context.Background()); err != nil {
					b.Fatal(err)
				}
				wptest.Generate(b, db.SQL(), "x_", 10_000)
			}
		})
	}
}
