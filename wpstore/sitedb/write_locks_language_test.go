package sitedb_test

import (
	"fmt"
	"testing"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/edit"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/sitedb"
)

// WPML gives each new post and term a group of its own. The lock is that of the groups'
// numbers.
func TestCrowdOfGroups(t *testing.T) {
	f := crowded(t, slowly)
	f.OK(f.db.CreateLanguageSchema(t.Context()))
	languages := &i18n.Languages{Plugin: i18n.WPML, Default: "cs", All: []i18n.Language{{Code: "cs"}, {Code: "en"}}}
	code := func(i int) string { return languages.All[i/2%2].Code } // the table has one row of a group in each
	f.togetherIn(func(i int) langplugin.Rules {
		return langplugin.Rules{Languages: languages, Posts: code(i), Events: code(i), Terms: code(i)}
	}, func(tx *sitedb.Tx, i int) error {
		if i%4 == 0 {
			_, err := tx.TermEditor.Insert(t.Context(), wpstore.NewTerm{Taxonomy: wpstore.TagTaxonomy, Name: fmt.Sprint("Tag ", i), Slug: fmt.Sprint("tag-", i), Language: code(i)})
			return err
		}
		return tx.PostEditor.Save(t.Context(), tx.PostEditor.New(wpstore.Post{Type: wpstore.VenueType, Title: fmt.Sprint("Hall ", i), Status: "publish", Author: 1}))
	})
	got := f.texts("SELECT trid FROM wp_icl_translations ORDER BY trid")
	for i, trid := range got {
		if trid != fmt.Sprint(i+1) {
			t.Fatalf("groups %q", got)
		}
	}
	if len(got) != crowd {
		t.Errorf("%d elements", len(got))
	}
}

// Polylang's terms are counted, and a term is translated once. The locks are those of the
// terms, and of the rows of the languages.
func TestCrowdOfTranslations(t *testing.T) {
	f := crowded(t, slowly)
	languages := f.polylangSite()
	f.Insert("terms", row{"term_id": 44, "name": "pll", "slug": "pll"})
	f.Insert("term_taxonomy", row{"term_taxonomy_id": 1044, "term_id": 44, "taxonomy": "term_translations", "description": `a:1:{s:2:"cs";i:23;}`})
	f.Tag(23, 44)
	rules := func(int) langplugin.Rules {
		return langplugin.Rules{Languages: languages, Posts: "en", Events: "en", Terms: "en"}
	}
	ids := make([]int64, crowd)
	f.togetherIn(rules, func(tx *sitedb.Tx, i int) (err error) {
		if ids[i], err = saveEvent(t.Context(), tx, fmt.Sprint("Event ", i), "2027-01-01 10:00:00"); err != nil {
			return err
		}
		_, err = tx.TermEditor.Insert(t.Context(), wpstore.NewTerm{Taxonomy: wpstore.TagTaxonomy, Name: fmt.Sprint("Tag ", i), Slug: fmt.Sprint("tag-", i), Language: "en"})
		return err
	})
	// Events in English get the Czech category, which has no translation yet.
	f.togetherIn(rules, func(tx *sitedb.Tx, i int) error {
		e, err := tx.PostEditor.Edit(t.Context(), ids[i])
		if err != nil {
			return err
		}
		e.Terms = []edit.PostTermSet{{Taxonomy: wpstore.CategoryTaxonomy, IDs: []int64{23}}}
		if err := tx.PostEditor.Save(t.Context(), e); err != nil {
			return err
		}
		return tx.PostEditor.Flush(t.Context(), e)
	})
	if got := f.texts("SELECT t.slug FROM wp_terms t JOIN wp_term_taxonomy tt ON tt.term_id = t.term_id WHERE tt.taxonomy = 'tribe_events_cat' AND t.name = 'Jazz'"); len(got) != 2 {
		t.Errorf("the category and its translation: %q", got)
	}
	f.none("counts", `SELECT CONCAT(tt.taxonomy, ' ', tt.term_id, ' has ', tt.count, ' instead of ', COUNT(tr.object_id)) FROM wp_term_taxonomy tt
		LEFT JOIN wp_term_relationships tr ON tr.term_taxonomy_id = tt.term_taxonomy_id
		WHERE tt.term_id IN (32, 34) GROUP BY tt.term_taxonomy_id, tt.count HAVING COUNT(tr.object_id) <> tt.count`)
}
