package wpml_test

import (
	"testing"

	"calbridge/wpstore/langplugin"
)

// Metadata of the user that can't be read is left alone.
func TestUnreadableUserMeta(t *testing.T) {
	s := newSite(t)
	s.exec("INSERT INTO wp_usermeta (user_id, meta_key, meta_value) VALUES (7, 'wp_language_pairs', 'a:1:{broken')")
	found, err := s.posts.Posts(t.Context(), []int64{51})
	if err != nil {
		t.Fatal(err)
	}
	w := s.writer(langplugin.Rules{Jobs: true, Translator: true})
	if err := w.PostUpdated(t.Context(), found[51], found[51], false); err != nil {
		t.Fatal(err)
	}
	s.holds("user", "SELECT meta_key, meta_value FROM wp_usermeta", "wp_language_pairs a:1:{broken", w.Finish(t.Context()))
}
