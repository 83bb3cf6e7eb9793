package edit_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"calbridge/wpstore"
	"calbridge/wpstore/edit"
)

// storedTerms is the query of all terms of a taxonomy.
const storedTerms = "SELECT t.term_id, t.name, t.slug, tt.parent, tt.description FROM wp_terms t JOIN wp_term_taxonomy tt ON tt.term_id = t.term_id WHERE tt.taxonomy = 'tribe_events_cat' ORDER BY 1"

// categories adds Music (1), Jazz (2) and Swing (3), each below the one before, Sport (4), and the
// tag Music (5).
func categories(e *editor) {
	e.exec("INSERT INTO wp_terms (term_id, name, slug) VALUES (1, 'Music', 'music'), (2, 'Jazz', 'jazz'), (3, 'Swing', 'swing'), (4, 'Sport', 'sport'), (5, 'Music', 'music-tag')")
	e.exec(`INSERT INTO wp_term_taxonomy (term_taxonomy_id, term_id, taxonomy, parent, description) VALUES (1001, 1, 'tribe_events_cat', 0, ''), (1002, 2, 'tribe_events_cat', 1, ''),
		(1003, 3, 'tribe_events_cat', 2, ''), (1004, 4, 'tribe_events_cat', 0, ''), (1005, 5, 'post_tag', 0, '')`)
}

// stored returns a category.
func (e *editor) stored(id int64) wpstore.Term {
	e.t.Helper()
	found, err := e.read.Terms(e.t.Context(), wpstore.CategoryTaxonomy, []int64{id})
	e.ok(err)
	return found[id]
}

func TestInsertTerm(t *testing.T) {
	const none = "" // the slug of a term that is refused
	for _, c := range []struct {
		name string
		term wpstore.NewTerm
		slug string
		err  string
	}{
		{"new", wpstore.NewTerm{Name: "Theatre", Slug: "theatre"}, "theatre", ""},
		{"a sibling's name", wpstore.NewTerm{Name: "music", Slug: "music"}, none, "1"},
		{"a sibling's name with its slug", wpstore.NewTerm{Name: "Music", Slug: "music", SlugGiven: true}, none, "1"},
		{"a sibling's name with a sibling's slug", wpstore.NewTerm{Name: "Music", Slug: "sport", SlugGiven: true}, none, "1"},
		{"a sibling's name with a slug of its own", wpstore.NewTerm{Name: "Music", Slug: "other", SlugGiven: true}, "other", ""},
		{"a sibling's name but for the accent", wpstore.NewTerm{Name: "Músic", Slug: "music"}, "music-2", ""},
		{"a name from elsewhere", wpstore.NewTerm{Name: "Music", Slug: "music", Parent: 1}, "music-music", ""},
		{"further below", wpstore.NewTerm{Name: "Sport", Slug: "sport", Parent: 2}, "sport-jazz", ""},
		{"a slug of another taxonomy", wpstore.NewTerm{Name: "Tag", Slug: "music-tag"}, "music-tag", ""},
		{"a slug of another name", wpstore.NewTerm{Name: "Games", Slug: "sport"}, "sport-2", ""},
		{"no slug", wpstore.NewTerm{Name: "???"}, "6", ""},
		{"the longest name", wpstore.NewTerm{Name: strings.Repeat("é", 200), Slug: "long"}, "long", ""},
		{"a name that is too long", wpstore.NewTerm{Name: strings.Repeat("é", 201), Slug: "long"}, none, "too long"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := newEditor(t, nil)
			categories(e)
			c.term.Taxonomy, c.term.Hierarchical, c.term.Description = wpstore.CategoryTaxonomy, true, "text"
			made, err := e.terms.Insert(t.Context(), c.term)
			if c.err != "" {
				var exists *wpstore.TermExistsError
				switch {
				case c.err == "too long" && errors.Is(err, wpstore.ErrTooLong):
				case errors.As(err, &exists) && fmt.Sprint(exists.ID) == c.err:
				default:
					t.Errorf("error %v, want %s", err, c.err)
				}
				e.holds("refused", "SELECT COUNT(*) FROM wp_terms", "5")
				return
			}
			e.ok(err)
			e.holds("term", storedTerms+" DESC LIMIT 1", fmt.Sprintf("6 %s %s %d text", c.term.Name, c.slug, c.term.Parent))
			if made != e.stored(6) {
				t.Errorf("%+v, but %+v is stored", made, e.stored(6))
			}
			children := "a:2:{i:1;a:1:{i:0;i:2;}i:2;a:1:{i:0;i:3;}}"
			switch c.term.Parent {
			case 1:
				children = "a:2:{i:1;a:2:{i:0;i:2;i:1;i:6;}i:2;a:1:{i:0;i:3;}}"
			case 2:
				children = "a:2:{i:1;a:1:{i:0;i:2;}i:2;a:2:{i:0;i:3;i:1;i:6;}}"
			}
			e.holds("children", "SELECT option_value FROM wp_options WHERE option_name = 'tribe_events_cat_children'", children)
		})
	}
}

// TestFlatTerms: in a taxonomy without hierarchy, names are unique in all of it.
func TestFlatTerms(t *testing.T) {
	e := newEditor(t, nil)
	categories(e)
	_, err := e.terms.Insert(t.Context(), wpstore.NewTerm{Taxonomy: wpstore.TagTaxonomy, Name: "Music", Slug: "music", Parent: 3})
	var exists *wpstore.TermExistsError
	if !errors.As(err, &exists) || exists.ID != 5 {
		t.Errorf("error %v", err)
	}
}

func TestUpdateTerm(t *testing.T) {
	text := func(s string) *string { return &s }
	number := func(n int64) *int64 { return &n }
	long := strings.Repeat("é", 201)
	for _, c := range []struct {
		name   string
		id     int64
		change edit.TermChange
		want   string // the row, or the error
	}{
		{"nothing", 2, edit.TermChange{}, "2 Jazz jazz 1 "},
		{"name", 2, edit.TermChange{Name: text("Blues")}, "2 Blues jazz 1 "},
		{"description", 2, edit.TermChange{Description: text("Old")}, "2 Jazz jazz 1 Old"},
		{"slug", 2, edit.TermChange{Slug: text("blues")}, "2 Jazz blues 1 "},
		{"empty slug", 2, edit.TermChange{Name: text("Blues"), NameSlug: "blues", Slug: text("")}, "2 Blues blues 1 "},
		{"empty slug, the name's is taken", 2, edit.TermChange{NameSlug: "sport", Slug: text("")}, "2 Jazz sport-music 1 "},
		{"empty slug of a name without letters", 2, edit.TermChange{Slug: text("")}, "2 Jazz 2 1 "},
		{"a slug that is taken", 2, edit.TermChange{Slug: text("sport")}, (&wpstore.SlugTakenError{Slug: "sport"}).Error()},
		{"a slug of another taxonomy", 2, edit.TermChange{Slug: text("music-tag")}, "2 Jazz music-tag 1 "},
		{"a slug that is taken, with another parent", 2, edit.TermChange{Slug: text("sport"), Parent: number(0)}, "2 Jazz sport-2 0 "},
		{"another parent", 2, edit.TermChange{Parent: number(4)}, "2 Jazz jazz 4 "},
		{"itself as parent", 2, edit.TermChange{Parent: number(2)}, "2 Jazz jazz 0 "},
		{"a descendant as parent", 1, edit.TermChange{Parent: number(3)}, "1 Music music 0 "},
		{"a name that is too long", 2, edit.TermChange{Name: &long}, wpstore.ErrTooLong.Error()},
		{"a name that is too long and a slug that is taken", 2, edit.TermChange{Name: &long, Slug: text("sport")}, (&wpstore.SlugTakenError{Slug: "sport"}).Error()},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := newEditor(t, nil)
			categories(e)
			c.change.Hierarchical = true
			before := e.stored(c.id)
			got, err := e.terms.Update(t.Context(), before, c.change)
			if err != nil {
				if err.Error() != c.want || got != before {
					t.Errorf("%v, want %s", err, c.want)
				}
				return
			}
			e.holds("row", strings.Replace(storedTerms, "ORDER", fmt.Sprintf("AND t.term_id = %d ORDER", c.id), 1), c.want)
			if got != e.stored(c.id) {
				t.Errorf("%+v, but %+v is stored", got, e.stored(c.id))
			}
			e.holds("others", strings.Replace(storedTerms, "ORDER", "AND t.term_id IN (3, 4) ORDER", 1), "3 Swing swing 2 \n4 Sport sport 0 ")
		})
	}
}

// TestDeleteTerm: children move up, posts lose the term, and its name stays where another
// taxonomy uses it.
func TestDeleteTerm(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *editor) {
		categories(e)
		e.exec("INSERT INTO wp_term_taxonomy (term_taxonomy_id, term_id, taxonomy, parent, description) VALUES (1006, 4, 'post_tag', 0, ''), (1007, 1, 'nav_menu', 2, '')")
		e.exec("INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (60, 1002), (60, 1003), (60, 1004), (60, 1006)")
		e.exec("INSERT INTO wp_termmeta (term_id, meta_key, meta_value) VALUES (2, 'k', 'v'), (3, 'k', 'v')")
		relations := "SELECT term_taxonomy_id FROM wp_term_relationships ORDER BY 1"
		e.ok(e.terms.Delete(t.Context(), e.stored(2), true))
		e.holds("a term with a child", storedTerms, "1 Music music 0 \n3 Swing swing 1 \n4 Sport sport 0 ")
		e.holds("its relations", relations, "1003\n1004\n1006")
		e.holds("its metadata", "SELECT term_id FROM wp_termmeta", "3")
		e.holds("its row", "SELECT COUNT(*) FROM wp_terms WHERE term_id = 2", "0")
		e.holds("children of another taxonomy", "SELECT parent FROM wp_term_taxonomy WHERE term_taxonomy_id = 1007", "2")
		e.holds("hierarchy", "SELECT option_value FROM wp_options WHERE option_name = 'tribe_events_cat_children'", "a:1:{i:1;a:1:{i:0;i:3;}}")
		e.ok(e.terms.Delete(t.Context(), e.stored(4), true))
		e.holds("a shared term", storedTerms, "1 Music music 0 \n3 Swing swing 1 ")
		e.holds("the relations of the other", relations, "1003\n1006")
		e.holds("the shared row", "SELECT name FROM wp_terms WHERE term_id = 4", "Sport")
	})
}
