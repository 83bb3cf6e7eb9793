package wptest

import (
	"database/sql"
	"fmt"
	"testing"

	"calbridge/wpstore/synthetic"
)

// Generate calls [synthetic.Calendar] for a test.
func Generate(t testing.TB, db *sql.DB, prefix string, n int) {
	t.Helper()
	if err := synthetic.Calendar(t.Context(), db, prefix, n, nil); err != nil {
		t.Fatal(err)
	}
}

// GeneratedLanguages lists the languages of Translate, the default one first.
var GeneratedLanguages = [3]string{"cs", "en", "de"}

// Translate turns a generated calendar into that of a site with three languages, in WPML's
// empty tables. It adds no events, venues, organizers or terms: every three consecutive
// ones become translations of each other.
func Translate(t testing.TB, db *sql.DB, prefix string) {
	t.Helper()
	exec := func(text string, args ...any) {
		t.Helper()
		if _, err := db.Exec(text, args...); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	exec("UPDATE `"+prefix+"options` SET option_value = ? WHERE option_name = 'active_plugins'",
		`a:2:{i:0;s:40:"sitepress-multilingual-cms/sitepress.php";i:1;s:43:"the-events-calendar/the-events-calendar.php";}`)
	exec("INSERT INTO `"+prefix+"options` (option_name, option_value) VALUES ('icl_sitepress_settings', ?)",
		`a:2:{s:16:"default_language";s:2:"cs";s:25:"language_negotiation_type";i:1;}`)
	for i, code := range GeneratedLanguages {
		exec("INSERT INTO `"+prefix+"icl_languages` (id, code, english_name, active, default_locale) VALUES (?, ?, ?, 1, ?)", i+1, code, code, code)
	}
	// The first of three is the original; its id is also the id of the group.
	deal := func(table, id, kindColumn, kind, elementType string, first int) {
		place := fmt.Sprintf("(%s - %d) %% 3", id, first)
		for i, code := range GeneratedLanguages {
			var source any
			if i > 0 {
				source = GeneratedLanguages[0]
			}
			exec("INSERT INTO `"+prefix+"icl_translations` (element_type, element_id, trid, language_code, source_language_code)"+
				" SELECT ?, "+id+", "+id+" - "+place+", ?, ? FROM `"+prefix+table+"` WHERE "+kindColumn+" = ? AND "+place+" = ?",
				elementType, code, source, kind, i)
		}
	}
	deal("posts", "ID", "post_type", "tribe_events", "post_tribe_events", synthetic.FirstEvent)
	deal("posts", "ID", "post_type", "tribe_venue", "post_tribe_venue", synthetic.FirstVenue)
	deal("posts", "ID", "post_type", "tribe_organizer", "post_tribe_organizer", synthetic.FirstOrganizer)
	deal("term_taxonomy", "term_taxonomy_id", "taxonomy", "tribe_events_cat", "tax_tribe_events_cat", 1)
	deal("term_taxonomy", "term_taxonomy_id", "taxonomy", "post_tag", "tax_post_tag", 1)
}
