package changefeed_test

import (
	"testing"

	"calbridge/wpstore"
)

// TestRowImages: where the log leaves out columns, the rows are found by their keys; what
// can't be named counts as changed.
func TestRowImages(t *testing.T) {
	tests := []struct {
		run           []string
		minimal, blob string
	}{
		{[]string{"UPDATE wp_posts SET post_title = 'x' WHERE ID = 7"}, " post7 posts events", ""},
		{[]string{"UPDATE wp_posts SET post_title = 'x' WHERE ID = 8"}, " post8", ""}, // a revision
		{[]string{"UPDATE wp_posts SET post_type = 'revision' WHERE ID = 9"}, " post9 posts events tickets", " post9 posts events"},
		{[]string{"DELETE FROM wp_posts WHERE ID = 9"}, " post9 posts events tickets", " post9"},
		{[]string{"INSERT INTO wp_postmeta (meta_id, post_id, meta_key, meta_value) VALUES (70, 7, '_EventVenueID', '1')"}, " post7 posts events", ""},
		{[]string{"INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (7, '_edit_lock', '1')"}, " post7", ""},
		{[]string{"INSERT INTO wp_postmeta (post_id, meta_value) VALUES (7, '1')"}, " post7 posts events", ""},
		{[]string{"UPDATE wp_postmeta SET meta_value = '2' WHERE post_id = 7 AND meta_key = '_edit_lock'"}, " post7", ""},
		{[]string{"UPDATE wp_postmeta SET meta_value = '3' WHERE post_id = 7"}, " post7 posts events", ""},
		{[]string{"UPDATE wp_postmeta SET post_id = 8 WHERE meta_id = 70"}, "everything", " post7 post8 posts events"},
		{[]string{"BEGIN", "UPDATE wp_postmeta SET meta_value = '4' WHERE meta_id = 70", "DELETE FROM wp_postmeta WHERE meta_id = 70", "COMMIT"}, "everything", " post8 posts events"},
		{[]string{"UPDATE wp_usermeta SET meta_value = 'y' WHERE umeta_id = 50"}, " user5", ""},
		{[]string{"DELETE FROM wp_usermeta WHERE umeta_id = 50"}, "everything", " user5"},
		{[]string{"UPDATE wp_users SET user_email = 'y'"}, " user6 users", ""},
		{[]string{"UPDATE wp_options SET option_value = 'x' WHERE option_name = 'cron'"}, "", ""},
		{[]string{"UPDATE wp_options SET option_value = 'x' WHERE option_name = 'home'"}, " site", ""},
		{[]string{"INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('_transient_x', 'y', 'no')"}, "", ""},
		{[]string{"DELETE FROM wp_options WHERE option_name = '_transient_x'"}, " site", "-"},
		{[]string{"UPDATE wp_terms SET name = 'B' WHERE term_id = 1"}, " term1 terms", ""},
		{[]string{"UPDATE wp_term_taxonomy SET count = 3 WHERE term_taxonomy_id = 1002"}, " term2 terms", ""}, // a language
		{[]string{"UPDATE wp_term_taxonomy SET description = 'd' WHERE term_taxonomy_id = 1002"}, "everything", " term2 terms site"},
		{[]string{"INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (7, 1001)"}, " post7 posts events", ""},
		{[]string{"UPDATE wp_term_relationships SET term_order = 2"}, " post7 posts events", ""},
		{[]string{"DELETE FROM wp_term_relationships"}, " post7 posts events", ""},
		{[]string{"INSERT INTO wp_icl_translations (translation_id, element_type, element_id, trid, language_code) VALUES (3, 'post_tribe_events', 7, 1, 'en')"}, " post7 posts events translations", ""},
		{[]string{"UPDATE wp_icl_translations SET trid = 2"}, " post7 posts events translations", ""},
		{[]string{"INSERT INTO wp_tec_occurrences (event_id, post_id, start_date, end_date, start_date_utc, end_date_utc, hash) VALUES (1, 7, NOW(), NOW(), NOW(), NOW(), 'h')"}, " post7 posts events", ""},
		{[]string{"UPDATE wp_tec_occurrences SET duration = 3"}, " post7 posts events", ""},
		{[]string{"DELETE FROM wp_tec_occurrences"}, "everything", " post7 posts events"},
		{[]string{"ALTER TABLE wp_postmeta DROP COLUMN meta_id"}, "everything", ""},
		{[]string{"UPDATE wp_postmeta SET meta_value = '5' WHERE meta_key = '_edit_lock'"}, " post7", ""}, // without a key the log has all columns
	}
	for image, options := range map[string][]string{
		"MINIMAL":           {"--binlog-row-image=MINIMAL"},
		"NOBLOB":            {"--binlog-row-image=NOBLOB"},
		"MINIMAL and names": {"--binlog-row-image=MINIMAL", "--binlog-row-metadata=FULL"},
	} {
		t.Run(image, func(t *testing.T) {
			f := follow(t, nil, options...)
			f.term(1, wpstore.CategoryTaxonomy, "A", "a", 0, 0)
			f.term(2, "language", "English", "en", 0, 0)
			f.post(7, "tribe_events", nil)
			f.post(8, "revision", nil)
			f.post(9, "tribe_events", nil)
			f.insert("usermeta", row{"umeta_id": 50, "user_id": 5, "meta_key": "session_tokens", "meta_value": "x"})
			f.insert("users", row{"ID": 6})
			f.insert("options", row{"option_name": "cron", "option_value": ""})
			f.insert("options", row{"option_name": "home", "option_value": ""})
			for _, test := range tests {
				want := test.minimal
				if image == "NOBLOB" && test.blob == "-" {
					want = ""
				} else if image == "NOBLOB" && test.blob != "" {
					want = test.blob
				}
				if got := tagText(f.changes(test.run...)); got != want {
					t.Errorf("%q:\n got %s\nwant %s", test.run, got, want)
				}
			}
		})
	}
}
