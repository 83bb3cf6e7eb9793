package polylang_test

import (
	"fmt"
	"regexp"
	"testing"

	"calbridge/wpstore"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/wptest/rowtest"
)

func TestWritesTerms(t *testing.T) {
	s := newSite(t)
	w := s.writer(true)
	s.exec("INSERT INTO wp_terms (term_id, name, slug) VALUES (60, 'Schach', 'schach')")
	s.exec("INSERT INTO wp_term_taxonomy (term_taxonomy_id, term_id, taxonomy, description) VALUES (70, 60, 'post_tag', '')")
	schach := wpstore.Term{ID: 60, TaxonomyID: 70, Taxonomy: wpstore.TagTaxonomy, Name: "Schach"}
	if err := w.TermCreated(t.Context(), schach, "de"); err != nil {
		t.Fatal(err)
	}
	if err := w.TermCreated(t.Context(), schach, "fr"); err != nil { // a language that the site lacks
		t.Fatal(err)
	}
	name := rowtest.Texts(t, s.rows, "SELECT t.name FROM wp_terms t JOIN wp_term_taxonomy tt ON tt.term_id = t.term_id WHERE description = 'a:1:{s:2:\"de\";i:60;}'")
	if want := fmt.Sprintf("^pll_%08x[0-9a-f]{5}$", rowtest.Noon.Unix()); !regexp.MustCompile(want).MatchString(name) {
		t.Errorf("the group's name is %q", name)
	}
	s.holds("counted", counts, "14 2\n"+rowtest.Texts(t, s.rows, "SELECT MAX(term_taxonomy_id) FROM wp_term_taxonomy")+" 1", nil)
	s.holds("deleted", "SELECT COUNT(*) FROM wp_term_relationships WHERE object_id = 60", "0", w.TermDeleting(t.Context(), schach))
	s.holds("its group is deleted", groups, "40 a:2:{s:2:\"cs\";i:20;s:2:\"de\";i:21;}\n41 a:3:{s:2:\"cs\";i:50;s:2:\"de\";i:51;s:2:\"fr\";i:50;}", nil)

	scope, err := w.StoredTerm(t.Context(), wpstore.Term{ID: 20, Taxonomy: wpstore.TagTaxonomy})
	if err != nil || scope.Code != "cs" || scope.Slugs.Terms != 13 || scope.Names.Terms != 0 {
		t.Errorf("%+v %v", scope, err)
	}
	if scope := w.NewTerm("de"); scope.Slugs.Terms != 14 || scope.Names.Terms != 14 {
		t.Errorf("%+v", scope)
	}
	// Known difference F8: a tag of another language is taken for the new one.
	if known, err := w.KnownTerm(t.Context(), wpstore.TagTaxonomy, "hudba", false); err != nil || known.ID != 20 {
		t.Errorf("%+v %v", known, err)
	}
	if known, err := s.writer(false).KnownTerm(t.Context(), wpstore.TagTaxonomy, "hudba", false); err != nil || known.ID != 0 {
		t.Errorf("%+v %v", known, err)
	}
}

// The translations of a category move along with it.
func TestMovesTranslations(t *testing.T) {
	s := newSite(t)
	s.exec(`INSERT INTO wp_term_taxonomy (term_taxonomy_id, term_id, taxonomy, description, parent) VALUES
		(81, 81, 'tribe_events_cat', '', 0), (82, 82, 'tribe_events_cat', '', 0), (83, 83, 'tribe_events_cat', '', 81), (84, 84, 'tribe_events_cat', '', 0),
		(91, 91, 'term_translations', 'a:2:{s:2:"cs";i:81;s:2:"de";i:82;}', 0), (92, 92, 'term_translations', 'a:2:{s:2:"cs";i:83;s:2:"de";i:84;}', 0)`)
	s.exec("INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (81, 91), (82, 91), (83, 92), (84, 92)")
	change := langplugin.ChildChange{Term: wpstore.Term{ID: 83, Taxonomy: wpstore.CategoryTaxonomy, Parent: 81}, Hierarchical: true}
	const parents = "SELECT term_id, parent FROM wp_term_taxonomy WHERE taxonomy = 'tribe_events_cat' AND parent > 0 ORDER BY 1"
	s.holds("under the translated parent", parents, "83 81\n84 82", s.writer(false).ChildrenChanged(t.Context(), change))
	s.holds("children", "SELECT option_value FROM wp_options", "a:2:{i:81;a:1:{i:0;i:83;}i:82;a:1:{i:0;i:84;}}", nil)
	s.exec("UPDATE wp_term_taxonomy SET parent = 0 WHERE term_id = 83")
	change.Term.Parent, change.OldParent = 0, 81
	s.holds("to the top", parents, "", s.writer(false).ChildrenChanged(t.Context(), change))
}
