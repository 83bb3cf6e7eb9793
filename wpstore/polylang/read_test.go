package polylang_test

import (
	"maps"
	"slices"
	"testing"

	sq "github.com/Masterminds/squirrel"

	"calbridge/i18n"
	"calbridge/wpstore"
)

func TestReads(t *testing.T) {
	s := newSite(t)
	languages := &s.facts.Languages
	found, err := s.posts.PostsWithLanguage(t.Context(), languages, []int64{50, 51, 53})
	if err != nil || found[50].Language != "cs" || found[51].Language != "de" || found[53].Language != "" {
		t.Errorf("languages of posts: %v", err)
	}
	if a, b := s.plugin.PostVariant(languages), s.plugin.PostVariant(&i18n.Languages{}); a == b {
		t.Errorf("statements of different languages share the variant %s", a)
	}
	// Post 50 is Czech by its own term, whatever else its group has; 52 has no group.
	translations, err := s.posts.PostTranslations(t.Context(), languages, []int64{50, 52, 53})
	if err != nil || len(translations) != 2 || translations[50]["cs"] != 50 || translations[50]["de"] != 51 || !maps.Equal(translations[52], i18n.Group{"de": 52}) {
		t.Errorf("translations: %v %v", translations, err)
	}
	byTerm, err := s.terms.TermTranslations(t.Context(), languages, wpstore.TagTaxonomy, []int64{20, 22})
	if err != nil || !maps.Equal(byTerm[20], i18n.Group{"cs": 20, "de": 21}) || !maps.Equal(byTerm[22], i18n.Group{"cs": 22}) {
		t.Errorf("translations of terms: %v %v", byTerm, err)
	}
	in := wpstore.In(languages, "cs")
	ids, err := s.rows.IDs(t.Context(), "test", s.plugin.JoinPosts(sq.Select("p.ID").From("wp_posts p"), in, "", "p.ID"))
	if err != nil || !slices.Equal(ids, []int64{50}) {
		t.Errorf("posts in Czech: %v %v", ids, err)
	}
	tags, total, err := s.terms.TermList(t.Context(), wpstore.TermQuery{Taxonomy: wpstore.TagTaxonomy, Language: in, Limit: 9})
	if err != nil || total != 2 || tags[0].ID != 22 || tags[1].ID != 20 {
		t.Errorf("tags in Czech: %v %d %v", tags, total, err)
	}
}
