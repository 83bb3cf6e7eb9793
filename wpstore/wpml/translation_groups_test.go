package wpml_test

import (
	"testing"

	"calbridge/wpstore"
	"calbridge/wpstore/langplugin"
)

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
