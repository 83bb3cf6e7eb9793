package changefeed_test

import (
	"testing"
)

// TestFeedOfOldCharsets: rows of columns of other character sets name the same changes,
// and those of which the names can't be compared count as everything.
func TestFeedOfOldCharsets(t *testing.T) {
	f := follow(t, func(c *config) { c.Charset = "latin1" })
	post := "INSERT INTO wp_posts (ID, post_type, post_content, post_title, post_excerpt, to_ping, pinged, post_content_filtered) VALUES "
	for _, test := range []struct{ run, want string }{
		{"ALTER TABLE wp_posts CONVERT TO CHARACTER SET latin1", "everything"},
		{"ALTER TABLE wp_postmeta CONVERT TO CHARACTER SET latin1", "everything"},
		{"ALTER TABLE wp_options CONVERT TO CHARACTER SET utf8mb3", "everything"},
		{post + "(7, 'tribe_events', '', 'Žluťoučký 🎉', '', '', '', '')", " post7 posts events"},
		{post + "(8, 'revision', '', 'Žluťoučký 🎉', '', '', '', '')", " post8"},
		{"UPDATE wp_posts SET post_title = 'Žlutý' WHERE ID = 7", " post7 posts events"},
		{"INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (7, '_VenueCity', 'Říčany')", " post7 posts events"},
		{"INSERT INTO wp_postmeta (post_id, meta_key) VALUES (7, '_edit_lock')", " post7"},
		{"INSERT INTO wp_options (option_name, option_value) VALUES ('home', 'ž')", " site"},
		{"ALTER TABLE wp_postmeta CONVERT TO CHARACTER SET utf16", "everything"},
		{"INSERT INTO wp_postmeta (post_id, meta_key) VALUES (7, '_edit_lock')", "everything"},
	} {
		if got := tagText(f.changes(test.run)); got != test.want {
			t.Errorf("%s: %q, want %q", test.run, got, test.want)
		}
	}
}
