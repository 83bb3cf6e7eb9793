package sample

import (
	"testing"
	"time"

	"calbridge/wpstore"
	"calbridge/wpstore/wptest"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func open(t *testing.T, engine string) *wpstore.DB {
	t.Helper()
	dsn := "sqlite::memory:"
	if engine == "mariadb" {
		dsn = wptest.MariaDB(t)
	}
	db, err := wpstore.Open(t.Context(), wpstore.Config{DSN: dsn, TablePrefix: "wp_", Now: func() time.Time { return noon }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func TestLoad(t *testing.T) {
	for _, engine := range wptest.Engines() {
		t.Run(engine, func(t *testing.T) {
			db := open(t, engine)
			if err := Load(t.Context(), db, Options{Now: noon, Home: "http://127.0.0.1:8080", PasswordHash: "$generic$x"}); err != nil {
				t.Fatal(err)
			}
			count := func(query string) (n int) {
				if err := db.SQL().QueryRow(query).Scan(&n); err != nil {
					t.Fatalf("%s: %v", query, err)
				}
				return n
			}
			for _, c := range []struct {
				what, query string
				least       int
			}{
				{"published events", "SELECT COUNT(*) FROM wp_posts WHERE post_type = 'tribe_events' AND post_status = 'publish'", 60},
				{"past events", "SELECT COUNT(*) FROM wp_tec_occurrences WHERE end_date_utc < '2026-11-21 12:00:00'", 10},
				{"ongoing events", "SELECT COUNT(*) FROM wp_tec_occurrences WHERE start_date_utc < '2026-11-21 12:30:00' AND end_date_utc > '2026-11-21 12:30:00'", 3},
				{"upcoming events", "SELECT COUNT(*) FROM wp_tec_occurrences WHERE start_date_utc > '2026-11-21 12:00:00'", 40},
				{"whole days", "SELECT COUNT(*) FROM wp_postmeta WHERE meta_key = '_EventAllDay'", 3},
				{"featured", "SELECT COUNT(*) FROM wp_postmeta WHERE meta_key = '_tribe_featured'", 3},
				{"sticky", "SELECT COUNT(*) FROM wp_posts WHERE menu_order = -1", 2},
				{"hidden", "SELECT COUNT(*) FROM wp_postmeta WHERE meta_key = '_EventHideFromUpcoming'", 1},
				{"private", "SELECT COUNT(*) FROM wp_posts WHERE post_status = 'private'", 1},
				{"drafts", "SELECT COUNT(*) FROM wp_posts WHERE post_status = 'draft'", 2},
				{"venues", "SELECT COUNT(*) FROM wp_posts WHERE post_type = 'tribe_venue'", 8},
				{"organizers", "SELECT COUNT(*) FROM wp_posts WHERE post_type = 'tribe_organizer'", 6},
				{"images", "SELECT COUNT(*) FROM wp_posts WHERE post_type = 'attachment'", 5},
				{"inner categories", "SELECT COUNT(*) FROM wp_term_taxonomy WHERE taxonomy = 'tribe_events_cat' AND parent > 0", 4},
				{"tags in use", "SELECT COUNT(*) FROM wp_term_taxonomy WHERE taxonomy = 'post_tag' AND count > 0", 8},
				{"users", "SELECT COUNT(*) FROM wp_users", 5},
			} {
				if n := count(c.query); n < c.least {
					t.Errorf("%d %s, want at least %d", n, c.what, c.least)
				}
			}
			if n := count("SELECT COUNT(*) FROM wp_postmeta WHERE meta_key IN ('_EventVenueID', '_EventOrganizerID', '_thumbnail_id') AND meta_value = '0'"); n > 0 {
				t.Errorf("%d links to nothing: a key is misspelt", n)
			}
			if n := count("SELECT COUNT(*) FROM wp_term_relationships WHERE term_taxonomy_id = 0"); n > 0 {
				t.Errorf("%d terms that do not exist: a key is misspelt", n)
			}
			if n := count("SELECT COUNT(*) FROM wp_posts WHERE post_date_gmt > '2026-11-21 12:00:00'"); n > 0 {
				t.Errorf("%d posts from the future", n)
			}
			report, err := db.CheckSchema(t.Context())
			if err != nil || report.Worst() == wpstore.StatusFail {
				t.Errorf("check: %v %v", report, err)
			}
			facts, err := db.SiteFacts(t.Context())
			if err != nil || !facts.Occurrences || !facts.UsingApplicationPasswords || facts.Calendar.At("posts_per_page") != "1" {
				t.Errorf("facts: %+v %v", facts, err)
			}
		})
	}
}

func TestSlug(t *testing.T) {
	l := &loader{slugs: map[string]bool{}}
	for _, want := range [][2]string{
		{"Summer festival “Lípa v květu”", "summer-festival-lipa-v-kvetu"},
		{"Farmers’ market", "farmers-market"},
		{"Farmers’ market", "farmers-market-2"},
		{"Farmers’ market", "farmers-market-3"},
		{"Jazz & blues", "jazz-blues"},
	} {
		if got := l.slug(want[0]); got != want[1] {
			t.Errorf("slug(%q) = %q, want %q", want[0], got, want[1])
		}
	}
}
