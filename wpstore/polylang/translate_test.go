package polylang_test

import (
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
