package wpml_test

import (
	"strings"
	"testing"

	"calbridge/wpstore"
	"calbridge/wpstore/langplugin"
)

const (
	filed = "SELECT element_type, element_id, trid, language_code, source_language_code FROM wp_icl_translations WHERE element_type = '%' AND element_id IS NOT NULL ORDER BY translation_id"
	dates = "SELECT ID, post_date FROM wp_posts ORDER BY ID"
)

func of(kind string) string { return strings.Replace(filed, "%", kind, 1) }

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
	for _, id := range []int64{33, 34} {
		if err := w.TermCreated(t.Context(), wpstore.Term{TaxonomyID: id, Taxonomy: wpstore.CategoryTaxonomy}, "de"); err != nil {
			t.Error(err)
		}
	}
	s.holds("filed", of("tax_tribe_events_cat"), "tax_tribe_events_cat 33 7 de \ntax_tribe_events_cat 34 8 de ", w.Finish(t.Context()))
	change := langplugin.ChildChange{Term: wpstore.Term{ID: 33, Taxonomy: wpstore.CategoryTaxonomy, Parent: 32}, Hierarchical: true, Made: true, Code: "de"}
	s.holds("children", "SELECT option_name, option_value FROM wp_options ORDER BY 1",
		"tribe_events_cat_children_all a:1:{i:32;a:1:{i:0;s:2:\"33\";}}\ntribe_events_cat_children_de a:1:{i:32;a:1:{i:0;s:2:\"33\";}}", w.ChildrenChanged(t.Context(), change))
	change.Gone = true
	if err := w.ChildrenChanged(t.Context(), change); err != nil {
		t.Error(err)
	}
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
		w := s.writer(langplugin.Rules{Posts: "cs", Events: "cs", Jobs: true, Translator: true})
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
