package wpml_test

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
	found, err := s.posts.PostsWithLanguage(t.Context(), languages, []int64{50, 51})
	if err != nil || found[50].Language != "cs" || found[51].Language != "de" {
		t.Errorf("languages of posts: %v", err)
	}
	// Event 53 has a translation that is only planned.
	groups, err := s.posts.PostTranslations(t.Context(), languages, []int64{51, 53, 99})
	if err != nil || len(groups) != 2 || !maps.Equal(groups[51], i18n.Group{"cs": 50, "de": 51}) || !maps.Equal(groups[53], i18n.Group{"cs": 53}) {
		t.Errorf("translations: %v %v", groups, err)
	}
	groups, err = s.terms.TermTranslations(t.Context(), languages, wpstore.TagTaxonomy, []int64{20, 22})
	if err != nil || !maps.Equal(groups[20], i18n.Group{"cs": 20, "de": 21}) || !maps.Equal(groups[22], i18n.Group{"cs": 22}) {
		t.Errorf("translations of terms: %v %v", groups, err)
	}
	codes := map[int64]string{}
	err = s.plugin.PostCodes(t.Context(), s.rows.Runner, "test", wpstore.EventType, []int64{32, 50, 51}, func(post int64, code string) { codes[post] = code })
	if err != nil || !maps.Equal(codes, map[int64]string{50: "cs", 51: "de"}) { // 32 is a page
		t.Errorf("codes: %v %v", codes, err)
	}
	in := wpstore.In(languages, "cs")
	_, total, err := s.terms.TermList(t.Context(), wpstore.TermQuery{Taxonomy: wpstore.TagTaxonomy, Language: in, Limit: 9})
	if err != nil || total != 2 {
		t.Errorf("tags in Czech: %d %v", total, err)
	}
	// Of two languages, the second is marked, whichever way the table is read.
	for _, scan := range []bool{false, true} {
		both := in
		both.Also, both.Scan = "de", scan
		second, able := s.plugin.SecondLanguage(both)
		ids, err := s.rows.IDs(t.Context(), "test", s.plugin.JoinPosts(sq.Select("p.ID").From("wp_posts p"), both, wpstore.EventType, "p.ID").Where(second).OrderBy("p.ID"))
		if err != nil || !able || !slices.Equal(ids, []int64{51}) {
			t.Errorf("posts in the second language: %v %v", ids, err)
		}
	}
	if s.plugin.JoinVariant() != "" || s.plugin.WorthScanning(1<<40) {
		t.Error("SQLite has no index to force")
	}
}
