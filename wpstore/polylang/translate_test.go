package polylang_test

import (
	"fmt"
	"slices"
	"testing"

	"calbridge/wpstore"
	"calbridge/wpstore/wptest/rowtest"
)

// A German post gets the German translation of a Czech tag, which is made if there is none.
func TestTranslatesTerms(t *testing.T) {
	for _, faithful := range []bool{false, true} {
		s := newSite(t)
		got, err := s.writer(faithful).TermsOfPost(t.Context(), 51, wpstore.TagTaxonomy, []int64{20, 21, 99, 22})
		if err != nil || len(got) != 4 || !slices.Equal(got[:3], []int64{21, 21, 99}) || got[3] == 22 {
			t.Fatalf("%v %v", got, err)
		}
		s.holds("new tag", "SELECT name, slug FROM wp_terms WHERE term_id > 41 AND slug NOT LIKE 'pll%'", "Divadlo divadlo-de", err)
		if n := rowtest.Texts(t, s.rows, "SELECT COUNT(*) FROM wp_terms WHERE slug LIKE 'pll\\____________%'"); (n == "1") != faithful {
			t.Errorf("%s groups stay behind", n)
		}
		for _, id := range []int64{0, 53} { // new posts and posts without a language keep the terms
			if got, err := s.writer(faithful).TermsOfPost(t.Context(), id, wpstore.TagTaxonomy, []int64{22}); err != nil || !slices.Equal(got, []int64{22}) {
				t.Errorf("%v %v", got, err)
			}
		}
	}
}

// The slug of a translation gets a number if it is taken, and the translation joins the
// group of the original.
func TestTranslationsJoinGroups(t *testing.T) {
	s := newSite(t)
	s.exec("INSERT INTO wp_terms (term_id, name, slug) VALUES (61, 'Divadlo', 'divadlo-de')")
	s.exec("INSERT INTO wp_term_taxonomy (term_taxonomy_id, term_id, taxonomy, description) VALUES (71, 61, 'post_tag', ''), (72, 62, 'term_translations', 'a:1:{s:2:\"cs\";i:22;}')")
	s.exec("INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (22, 72)")
	got, err := s.writer(false).TermsOfPost(t.Context(), 51, wpstore.TagTaxonomy, []int64{22})
	if err != nil || len(got) != 1 {
		t.Fatalf("%v %v", got, err)
	}
	s.holds("slug", fmt.Sprintf("SELECT slug FROM wp_terms WHERE term_id = %d", got[0]), "divadlo-de-2", nil)
	s.holds("group", "SELECT description FROM wp_term_taxonomy WHERE term_taxonomy_id = 72", fmt.Sprintf(`a:2:{s:2:"cs";i:22;s:2:"de";i:%d;}`, got[0]), nil)
}
