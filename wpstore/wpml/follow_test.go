package wpml_test

import (
	"testing"

	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/rowedit"
)

// The translation of a saved original takes its date, its picture and the translations of
// its terms.
func TestTranslationsFollow(t *testing.T) {
	s := newSite(t)
	s.exec("INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (51, 32)") // Czech: stays
	s.exec("DELETE FROM wp_term_relationships WHERE object_id = 51 AND term_taxonomy_id = 31")
	w := s.writer(langplugin.Rules{Posts: "cs", Events: "cs", Jobs: true})
	posts := rowedit.Posts{Rows: s.rows, Metas: rowedit.Metas{Rows: s.rows}, Read: &s.posts}
	locked, err := posts.Lock(t.Context(), 50)
	if err != nil {
		t.Fatal(err)
	}
	locked[50].Meta.Add("_thumbnail_id", "77")
	w.MetaChanged(locked[50].Post, locked[50].Meta)
	if err := posts.Metas.Write(t.Context(), locked[50].Meta); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the last of several saves counts
		if err := w.PostUpdated(t.Context(), locked[50].Post, locked[50].Post, false); err != nil {
			t.Fatal(err)
		}
	}
	s.holds("dates", dates, "50 2026-11-01 10:00:00\n51 2026-11-01 10:00:00\n53 2026-11-03 10:00:00", w.Finish(t.Context()))
	s.holds("terms", "SELECT term_taxonomy_id FROM wp_term_relationships WHERE object_id = 51 ORDER BY 1", "31\n32", nil)
	s.holds("picture", "SELECT meta_value FROM wp_postmeta WHERE post_id = 51 AND meta_key = '_thumbnail_id'", "77", nil)
	s.holds("counts", "SELECT count FROM wp_term_taxonomy WHERE term_taxonomy_id = 31", "1", nil)
	s.holds("state", "SELECT translation_id, status, needs_update FROM wp_icl_translation_status", "2 0 1", nil)
	// A second after the original was published, 09:00:01 in UTC.
	s.holds("cron", "SELECT INSTR(option_value, 'i:1793523601;a:1:{s:19:\"publish_future_post\"') > 0 FROM wp_options WHERE option_name = 'cron'", "1", nil)

	// Without the picture the translation loses it too.
	locked, err = posts.Lock(t.Context(), 50)
	if err != nil {
		t.Fatal(err)
	}
	w = s.writer(langplugin.Rules{Posts: "cs", Events: "cs"})
	locked[50].Meta.Delete("_thumbnail_id")
	w.MetaChanged(locked[50].Post, locked[50].Meta)
	if err := posts.Metas.Write(t.Context(), locked[50].Meta); err != nil {
		t.Fatal(err)
	}
	s.holds("no picture", "SELECT COUNT(*) FROM wp_postmeta WHERE post_id = 51 AND meta_key = '_thumbnail_id'", "0", w.Finish(t.Context()))
}
