package wpml_test

import (
	"strings"
	"testing"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/rowedit"
)

const (
	filed = "SELECT element_type, element_id, trid, language_code, source_language_code FROM wp_icl_translations WHERE element_type = '%' AND element_id IS NOT NULL ORDER BY translation_id"
	dates = "SELECT ID, post_date FROM wp_posts ORDER BY ID"
)

func of(kind string) string { return strings.Replace(filed, "%", kind, 1) }

func TestNewPost(t *testing.T) {
	s := newSite(t)
	w := s.writer(langplugin.Rules{Posts: "de"})
	post := &wpstore.Post{ID: 60, Type: wpstore.VenueType, Status: "publish"}
	s.exec("INSERT INTO wp_posts (ID, post_type, post_title, post_content) VALUES (60, 'tribe_venue', 'Alte Mühle', 'Ein Saal am Fluss')")
	s.holds("in a group of its own", of("post_tribe_venue"), "post_tribe_venue 60 7 de ", w.PostCreated(t.Context(), post))
	s.holds("the priority of its language", "SELECT term_taxonomy_id FROM wp_term_relationships WHERE object_id = 60", "38", nil)
	if err := w.PostUpdated(t.Context(), post, post, false); err != nil { // new posts have nothing to follow
		t.Error(err)
	}
	// 23 letters, one of them of two bytes: 24 bytes at five a word.
	s.holds("words", "SELECT post_id, meta_value FROM wp_postmeta WHERE meta_key = '_wpml_word_count'", "60 5", w.Finish(t.Context()))
	s.holds("deleted", of("post_tribe_venue"), "", w.PostDeleting(t.Context(), post))
}

// A slug must be unique in its language only.
func TestRivals(t *testing.T) {
	s := newSite(t)
	w := s.writer(langplugin.Rules{Posts: "de"})
	for id, want := range map[int64]string{0: "51", 51: "51", 50: "50 53", 99: "51"} {
		query, err := w.Rivals(t.Context(), sq.Select("ID").From("wp_posts").OrderBy("ID"), id, wpstore.EventType)
		if err != nil {
			t.Fatal(err)
		}
		text, args, _ := query.ToSql()
		for _, arg := range args {
			text = strings.Replace(text, "?", "'"+arg.(string)+"'", 1)
		}
		s.holds("rivals", text, strings.ReplaceAll(want, " ", "\n"), nil)
	}
}

// The next element becomes the original when the original is deleted.
func TestDeletesOriginals(t *testing.T) {
	s := newSite(t)
	s.exec("INSERT INTO wp_icl_translations (element_type, element_id, trid, language_code, source_language_code) VALUES ('post_tribe_events', 54, 1, 'pl', 'cs')")
	w := s.writer(langplugin.Rules{Terms: "de", Faithful: true})
	s.holds("a post", of("post_tribe_events"), "post_tribe_events 51 1 de \npost_tribe_events 53 2 cs \npost_tribe_events 54 1 pl de",
		w.PostDeleting(t.Context(), &wpstore.Post{ID: 50, Type: wpstore.EventType}))
	// The translation of a post loses the translation of the term.
	s = newSite(t)
	w = s.writer(langplugin.Rules{})
	s.holds("a term", of("tax_post_tag"), "tax_post_tag 31 3 de \ntax_post_tag 32 4 cs ", w.TermDeleting(t.Context(), wpstore.Term{ID: 20, TaxonomyID: 30, Taxonomy: wpstore.TagTaxonomy}))
	s.holds("terms of posts", "SELECT object_id, term_taxonomy_id FROM wp_term_relationships ORDER BY 1, 2", "50 30\n50 32", nil)
	if err := w.TermDeleting(t.Context(), wpstore.Term{TaxonomyID: 99, Taxonomy: wpstore.TagTaxonomy}); err != nil {
		t.Error(err)
	}
}

func TestTermScopes(t *testing.T) {
	s := newSite(t)
	w := s.writer(langplugin.Rules{Terms: "de", Faithful: true})
	for id, want := range map[int64]langplugin.TermScope{30: {Code: "cs", Collides: true}, 31: {Code: "de"}, 99: {Code: "de"}} {
		if got, err := w.StoredTerm(t.Context(), wpstore.Term{TaxonomyID: id, Taxonomy: wpstore.TagTaxonomy}); err != nil || got != want {
			t.Errorf("%d: %+v %v", id, got, err)
		}
	}
	if got := w.NewTerm("cs"); got.Names.Code != "cs" || got.Slugs != (wpstore.InLanguage{}) || got.Code != "cs" {
		t.Errorf("%+v", got)
	}
	s.holds("filed", of("tax_tribe_events_cat"), "tax_tribe_events_cat 33 7 de ", w.TermCreated(t.Context(), wpstore.Term{TaxonomyID: 33, Taxonomy: wpstore.CategoryTaxonomy}, "de"))
	change := langplugin.ChildChange{Term: wpstore.Term{ID: 33, Taxonomy: wpstore.CategoryTaxonomy, Parent: 32}, Hierarchical: true, Made: true, Code: "de"}
	s.holds("children", "SELECT option_name, option_value FROM wp_options ORDER BY 1",
		"tribe_events_cat_children_all a:1:{i:32;a:1:{i:0;s:2:\"33\";}}\ntribe_events_cat_children_de a:1:{i:32;a:1:{i:0;s:2:\"33\";}}", w.ChildrenChanged(t.Context(), change))
	change.Gone = true
	if err := w.ChildrenChanged(t.Context(), change); err != nil {
		t.Error(err)
	}
}

// The translation of a saved original takes its date, its picture and the translations of
// its terms.
func TestTranslationsFollow(t *testing.T) {
	s := newSite(t)
	s.exec("INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (51, 32)") // Czech: stays
	s.exec("DELETE FROM wp_term_relationships WHERE object_id = 51 AND term_taxonomy_id = 31")
	w := s.writer(langplugin.Rules{Posts: "cs", Jobs: true})
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
	w = s.writer(langplugin.Rules{Posts: "cs"})
	locked[50].Meta.Delete("_thumbnail_id")
	w.MetaChanged(locked[50].Post, locked[50].Meta)
	if err := posts.Metas.Write(t.Context(), locked[50].Meta); err != nil {
		t.Fatal(err)
	}
	s.holds("no picture", "SELECT COUNT(*) FROM wp_postmeta WHERE post_id = 51 AND meta_key = '_thumbnail_id'", "0", w.Finish(t.Context()))
}

// A saved translation takes the date of its original, and becomes a job that is complete.
func TestTranslationSaved(t *testing.T) {
	s := newSite(t)
	s.exec("INSERT INTO wp_usermeta (user_id, meta_key, meta_value) VALUES (7, 'wp_capabilities', 'a:1:{s:6:\"editor\";b:1;}')")
	for range 2 { // the second save updates the records
		found, err := s.posts.Posts(t.Context(), []int64{51})
		if err != nil {
			t.Fatal(err)
		}
		w := s.writer(langplugin.Rules{Posts: "cs", Jobs: true, Translator: true})
		if err := w.PostUpdated(t.Context(), found[51], found[51], false); err != nil {
			t.Fatal(err)
		}
		s.holds("dates", dates, "50 2026-11-01 10:00:00\n51 2026-11-01 10:00:00\n53 2026-11-03 10:00:00", w.Finish(t.Context()))
		s.holds("state", "SELECT translation_id, status, needs_update, translator_id, translation_service FROM wp_icl_translation_status", "2 10 0 7 local", nil)
		s.holds("job", "SELECT rid, translator_id, translated, title FROM wp_icl_translate_job", "1 7 1 Koncert", nil)
		s.holds("batch", "SELECT batch_name FROM wp_icl_translation_batches", "Manual Translations from November the 21st, 2026", nil)
		// The texts are in Base64, those of the original first.
		s.holds("fields", "SELECT field_type, field_data, field_data_translated FROM wp_icl_translate ORDER BY tid", "original_id 50 51\ntitle S29uY2VydA== S29uemVydA==\nbody  \nexcerpt  ", nil)
		s.holds("translator", "SELECT meta_key, meta_value FROM wp_usermeta ORDER BY umeta_id",
			"wp_capabilities a:2:{s:6:\"editor\";b:1;s:9:\"translate\";b:1;}\nwp_language_pairs a:1:{s:2:\"cs\";a:1:{s:2:\"de\";i:1;}}", nil)
	}
}

// Without WPML's tables of jobs nothing is recorded, and a draft is not scheduled.
func TestTranslationSavedWithoutJobs(t *testing.T) {
	s := newSite(t)
	s.exec("UPDATE wp_posts SET post_date_gmt = '0000-00-00 00:00:00' WHERE ID = 50")
	found, err := s.posts.Posts(t.Context(), []int64{50, 51, 53})
	if err != nil {
		t.Fatal(err)
	}
	w := s.writer(langplugin.Rules{})
	for _, p := range found { // 53 has no translation
		if err := w.PostUpdated(t.Context(), p, p, false); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.PostUpdated(t.Context(), found[50], found[50], true); err != nil { // into the trash
		t.Fatal(err)
	}
	s.holds("records", "SELECT COUNT(*) FROM wp_icl_translation_status", "0", w.Finish(t.Context()))
	s.holds("cron", "SELECT COUNT(*) FROM wp_options", "0", nil)
}

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
