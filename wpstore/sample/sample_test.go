package sample

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"calbridge/i18n"
	"calbridge/wpstore/check"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func open(t *testing.T, engine string) *sitedb.DB {
	t.Helper()
	dsn := "sqlite::memory:"
	if engine == "mariadb" {
		dsn = wptest.MariaDB(t)
	}
	db, err := sitedb.Open(t.Context(), sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, dsn), Now: func() time.Time { return noon }}, Tables: table.Config{Prefix: "wp_"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// in selects the dates of the events of one language.
func in(code string) string {
	return "SELECT COUNT(*) FROM wp_tec_occurrences JOIN wp_icl_translations ON element_type = 'post_tribe_events' AND element_id = post_id AND language_code = '" + code + "' WHERE"
}

func published(code string) string {
	return in(code) + " post_id IN (SELECT ID FROM wp_posts WHERE post_type = 'tribe_events' AND post_status = 'publish')"
}

// groups counts the events with so many translations, themselves included.
func groups(members int) string {
	return fmt.Sprintf("SELECT COUNT(*) FROM (SELECT trid FROM wp_icl_translations WHERE element_type = 'post_tribe_events' GROUP BY trid HAVING COUNT(*) = %d) AS g", members)
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
				{"published events in Czech", published("cs"), 60},
				{"published events in English", published("en"), 40},
				{"published events in German", published("de"), 30},
				{"originals in English", "SELECT COUNT(*) FROM wp_icl_translations WHERE language_code = 'en' AND source_language_code IS NULL", 1},
				{"originals in German", "SELECT COUNT(*) FROM wp_icl_translations WHERE language_code = 'de' AND source_language_code IS NULL", 1},
				{"full groups", groups(3), 20},
				{"partial groups", groups(2), 10},
				{"groups of one", groups(1), 10},
				{"past events", in("cs") + " end_date_utc < '2026-11-21 12:00:00'", 10},
				{"ongoing events", in("cs") + " start_date_utc < '2026-11-21 12:30:00' AND end_date_utc > '2026-11-21 12:30:00'", 3},
				{"upcoming events", in("cs") + " start_date_utc > '2026-11-21 12:00:00'", 40},
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
			if n := count("SELECT COUNT(*) FROM wp_posts LEFT JOIN wp_icl_translations ON element_id = ID AND element_type = 'post_' || post_type WHERE trid IS NULL"); engine == "sqlite" && n > 0 {
				t.Errorf("%d posts in no language", n)
			}
			report, facts, err := db.CheckSchema(t.Context())
			if err != nil || report.Worst() == check.StatusFail {
				t.Fatalf("check: %v %v", report, err)
			}
			if !facts.Occurrences || !facts.UsingApplicationPasswords || facts.Calendar.At("posts_per_page") != "10" {
				t.Errorf("facts: %+v", facts)
			}
			if got := facts.Languages.Codes(); facts.Languages.Plugin != i18n.WPML || !slices.Equal(got, []string{"cs", "en", "de"}) {
				t.Errorf("languages: %v", facts.Languages)
			}
		})
	}
}

// TestDays checks that events fall on the days that their names and texts name, whenever the
// calendar is loaded.
func TestDays(t *testing.T) {
	zone, err := time.LoadLocation(Zone)
	if err != nil {
		t.Fatal(err)
	}
	on := func(days ...time.Weekday) func(time.Time) bool {
		return func(start time.Time) bool { return slices.Contains(days, start.Weekday()) }
	}
	date := func(text string) func(time.Time) bool {
		return func(start time.Time) bool { return start.Format("January 2") == text }
	}
	between := func(first, last string, day time.Weekday) func(time.Time) bool {
		return func(start time.Time) bool {
			at := start.Format("01-02")
			return first <= at && at <= last && start.Weekday() == day
		}
	}
	wants := map[string]func(time.Time) bool{
		"run": on(time.Saturday), "newcomers": on(time.Sunday, time.Saturday), "nicholas": date("December 5"), "newyear": date("January 1"), "lantern": date("November 11"), "swim": date("December 26"),
		"tree": between("11-27", "12-03", time.Sunday), "advent": between("11-25", "12-01", time.Friday), "festival": between("07-08", "07-14", time.Thursday), "council": on(time.Monday),
	}
	for now := time.Date(2026, 1, 1, 0, 30, 0, 0, zone); now.Year() < 2029; now = now.Add(61 * time.Hour) {
		for _, e := range calendar() {
			day, err := e.offset(now)
			if err != nil {
				t.Fatalf("%s: %v", e.key, err)
			}
			if distance := day - e.day; e.date == "" && (distance < -3 || distance > 3) || e.date != "" && (day < -recent-3 || day > 366-recent+3) {
				t.Errorf("loaded on %s, %s is %d days away", now.Format(time.DateOnly), e.key, day)
			}
			e.day = day
			start, _, err := e.span(now)
			if err != nil {
				t.Fatalf("%s: %v", e.key, err)
			}
			if right := wants[e.key]; right != nil && !right(start) {
				t.Errorf("loaded on %s, %s is on %s", now.Format(time.DateOnly), e.key, start.Format("Monday, January 2"))
			}
		}
	}
}

func TestSlug(t *testing.T) {
	s := slugs{}
	for _, want := range [][3]string{
		{"en", "Summer festival “Lípa v květu”", "summer-festival-lipa-v-kvetu"},
		{"en", "Farmers’ market", "farmers-market"},
		{"en", "Farmers’ market", "farmers-market-2"},
		{"de", "Farmers’ market", "farmers-market"},
		{"en", "Farmers’ market", "farmers-market-3"},
		{"de", "Jazz & Blues – für alle", "jazz-blues-fur-alle"},
	} {
		if got := s.of(want[0], want[1]); got != want[2] {
			t.Errorf("slug(%q, %q) = %q, want %q", want[0], want[1], got, want[2])
		}
	}
}

// Every word belongs to something, and every language says it differently: a
// key that nothing has would otherwise be lost in silence.
func TestWords(t *testing.T) {
	events := map[string]bool{}
	for _, e := range calendar() {
		if events[e.key] {
			t.Errorf("two events have the key %s", e.key)
		}
		events[e.key] = true
	}
	all := languages()
	for _, lang := range all {
		for key := range lang.events {
			if !events[key] {
				t.Errorf("%s: words for an event %s that there is not", lang.code, key)
			}
		}
		for kind, kinds := range map[string][2]map[string]words{
			"venue": {lang.venues, all[0].venues}, "organizer": {lang.organizers, all[0].organizers},
			"category": {lang.categories, all[0].categories}, "tag": {lang.tags, all[0].tags},
		} {
			for key := range kinds[0] {
				if _, ok := kinds[1][key]; !ok {
					t.Errorf("%s: words for a %s %s that there is not", lang.code, kind, key)
				}
			}
		}
	}
}
