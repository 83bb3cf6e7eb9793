package terms_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"calbridge/wpstore"
	"calbridge/wpstore/wptest/rowtest"
)

func termIDs(terms []wpstore.Term) []int64 {
	var ids []int64
	for _, t := range terms {
		ids = append(ids, t.ID)
	}
	return ids
}

// termSite adds three levels of categories, of which only 5 is used, one empty branch, a
// loop, and tags.
func termSite(s *rowtest.Site) {
	s.Term(1, category, "Kultura", "kultura", 0, 0)
	s.Term(2, category, "Hudba", "hudba", 1, 0)
	s.Term(5, category, "Jazz &amp; blues", "jazz", 2, 3)
	s.Term(6, category, "Sport", "sport", 0, 0)
	s.Term(7, category, "Běh 50%", "beh", 6, 0)
	s.Term(8, category, "Kruh A", "kruh-a", 9, 0)
	s.Term(9, category, "Kruh B", "kruh-b", 8, 0)
	s.Term(11, tag, "zdarma", "zdarma", 0, 2)
	s.Term(12, tag, "Venku", "venku", 0, 5)
	s.Term(13, tag, "prázdný_štítek", "prazdny", 0, 0)
}

func TestTermList(t *testing.T) {
	number := func(n int64) *int64 { return &n }
	const ids, total, counted, page, tree = "terms.ids", "terms.count", "terms.ids terms.count", "terms.ids terms.page", "terms.ids terms.tree"
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		termSite(s)
		store := newStore(s, nil)
		s.Tag(70, 13)
		s.Tag(70, 11)
		for _, c := range []struct {
			name       string
			q          wpstore.TermQuery
			ids        []int64
			total      int64
			statements string
		}{
			{"tags", wpstore.TermQuery{Taxonomy: tag, HideEmpty: true, Limit: 10}, []int64{12, 11}, 2, page},
			{"all tags", wpstore.TermQuery{Taxonomy: tag, Limit: 10}, []int64{13, 12, 11}, 3, page},
			{"first page", wpstore.TermQuery{Taxonomy: tag, Limit: 2}, []int64{13, 12}, 3, page},
			{"last page", wpstore.TermQuery{Taxonomy: tag, Limit: 2, Offset: 2}, []int64{11}, 3, page},
			{"beyond", wpstore.TermQuery{Taxonomy: tag, Limit: 2, Offset: 4}, nil, 3, counted},
			{"only the total", wpstore.TermQuery{Taxonomy: tag}, nil, 3, total},
			{"nothing", wpstore.TermQuery{Taxonomy: "neni", Limit: 2}, nil, 0, ids},
			{"descending", wpstore.TermQuery{Taxonomy: tag, Descending: true, Limit: 10}, []int64{11, 12, 13}, 3, page},
			{"by count", wpstore.TermQuery{Taxonomy: tag, OrderBy: "COUNT", Descending: true, Limit: 10}, []int64{12, 11, 13}, 3, page},
			{"by nonsense", wpstore.TermQuery{Taxonomy: tag, OrderBy: "x; DROP TABLE", Limit: 10}, []int64{13, 12, 11}, 3, page},
			{"include in order", wpstore.TermQuery{Taxonomy: tag, Include: []int64{12, 99, 13, 12}, OrderBy: "include", Limit: 10}, []int64{12, 13}, 2, page},
			{"include nothing", wpstore.TermQuery{Taxonomy: tag, Include: []int64{}, Limit: 10}, nil, 0, ids},
			{"include beats exclude", wpstore.TermQuery{Taxonomy: tag, Include: []int64{12}, Exclude: []int64{12}, Limit: 10}, []int64{12}, 1, page},
			{"exclude", wpstore.TermQuery{Taxonomy: tag, Exclude: []int64{12, 0}, Limit: 10}, []int64{13, 11}, 2, page},
			{"exclude nothing", wpstore.TermQuery{Taxonomy: tag, Exclude: []int64{}, Limit: 10}, []int64{13, 12, 11}, 3, page},
			{"search", wpstore.TermQuery{Taxonomy: tag, HasSearch: true, Search: "STITEK", Limit: 10}, []int64{13}, 1, page},
			{"search wildcard", wpstore.TermQuery{Taxonomy: tag, HasSearch: true, Search: "_", Limit: 10}, []int64{13}, 1, page},
			{"search slug", wpstore.TermQuery{Taxonomy: tag, HasSearch: true, Search: "zdar", Limit: 10}, []int64{11}, 1, page},
			{"search bytes", wpstore.TermQuery{Taxonomy: tag, HasSearch: true, Search: "\xc3", Limit: 10}, nil, 0, ids},
			{"slug", wpstore.TermQuery{Taxonomy: tag, HasSlug: true, Slug: "venku", Limit: 10}, []int64{12}, 1, page},
			{"no slug", wpstore.TermQuery{Taxonomy: tag, HasSlug: true, Limit: 10}, nil, 0, ids},
			{"of a post", wpstore.TermQuery{Taxonomy: tag, PostID: number(70), HideEmpty: true, Limit: 10}, []int64{13, 11}, 2, page},
			{"of a post, by term_order", wpstore.TermQuery{Taxonomy: tag, PostID: number(70), OrderBy: "term_order", Limit: 10}, []int64{11, 13}, 2, page},

			{"used categories", wpstore.TermQuery{Taxonomy: category, Hierarchical: true, HideEmpty: true, Limit: 10}, []int64{2, 5, 1}, 1, tree},
			{"used categories, page", wpstore.TermQuery{Taxonomy: category, Hierarchical: true, HideEmpty: true, Limit: 2, Offset: 2}, []int64{1}, 1, tree},
			{"used categories, beyond", wpstore.TermQuery{Taxonomy: category, Hierarchical: true, HideEmpty: true, Limit: 2, Offset: 8}, nil, 1, tree},
			{"all categories", wpstore.TermQuery{Taxonomy: category, Hierarchical: true, OrderBy: "id", Limit: 50}, []int64{1, 2, 5, 6, 7, 8, 9}, 7, tree},
			{"children", wpstore.TermQuery{Taxonomy: category, Hierarchical: true, HideEmpty: true, Parent: number(1), Limit: 50}, []int64{2}, 0, tree},
			{"no such category", wpstore.TermQuery{Taxonomy: category, Hierarchical: true, HasSearch: true, Search: "neni", Limit: 50}, nil, 0, ids},
			{"search percent", wpstore.TermQuery{Taxonomy: category, Hierarchical: true, HasSearch: true, Search: "%", Limit: 50}, []int64{7}, 1, tree},
		} {
			t.Run(c.name, func(t *testing.T) {
				s.Runs(c.statements, func(ctx context.Context) {
					terms, total, err := store.TermList(ctx, c.q)
					s.OK(err)
					ids := termIDs(terms)
					if c.q.OrderBy == "term_order" { // equal here, so the server's order
						slices.Sort(ids)
					}
					if !slices.Equal(ids, c.ids) || total != c.total {
						t.Errorf("%v of %d, want %v of %d", ids, total, c.ids, c.total)
					}
				})
			})
		}
		terms, _, err := store.TermList(t.Context(), wpstore.TermQuery{Taxonomy: category, Hierarchical: true, Include: []int64{5}, Limit: 1})
		s.OK(err)
		want := wpstore.Term{ID: 5, TaxonomyID: 1005, Parent: 2, Count: 3, Taxonomy: category, Name: "Jazz &amp; blues", Slug: "jazz"}
		if len(terms) != 1 || terms[0] != want {
			t.Errorf("term: %+v", terms)
		}
	})
}

// TestSharedTerms: lists show a term of several taxonomies in the row of WordPress's own statement
// that the server returns last. Other loaders show it in the taxonomy that they are asked for.
func TestSharedTerms(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		store := newStore(s, nil)
		share := func(row, id int64, taxonomy string, count int64) {
			s.Insert("term_taxonomy", map[string]any{"term_taxonomy_id": row, "term_id": id, "taxonomy": taxonomy, "description": "shared", "parent": 0, "count": count})
		}
		for id := range int64(12) {
			s.Term(id+1, category, fmt.Sprintf("Category %d", id), fmt.Sprintf("c%d", id), 0, 1)
			s.Term(id+21, tag, fmt.Sprintf("Tag %d", id), fmt.Sprintf("t%d", id), 0, 1)
		}
		share(2001, 3, tag, 7)
		share(500, 4, tag, 7)
		share(2002, 5, tag, 0)
		share(2003, 22, category, 7)
		share(2004, 6, "nav_menu", 1)
		last := func(ids []int64) map[int64]string {
			rows, err := s.DB.Query("SELECT t.*, tt.* FROM " + s.Table("terms") + " AS t INNER JOIN " + s.Table("term_taxonomy") +
				" AS tt ON t.term_id = tt.term_id WHERE t.term_id IN (" + strings.Trim(strings.ReplaceAll(fmt.Sprint(ids), " ", ","), "[]") + ")")
			s.OK(err)
			defer rows.Close()
			found := map[int64]string{}
			for rows.Next() {
				var id, group, row, parent, count int64
				var name, slug, taxonomy, description string
				s.OK(rows.Scan(&id, &name, &slug, &group, &row, &id, &taxonomy, &description, &parent, &count))
				found[id] = taxonomy
			}
			return found
		}
		for _, c := range []struct {
			name string
			q    wpstore.TermQuery
			all  []int64 // whose rows WordPress reads
		}{
			{"categories", wpstore.TermQuery{Taxonomy: category, Hierarchical: true, OrderBy: "id", Limit: 50}, []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 22}},
			{"a page of categories", wpstore.TermQuery{Taxonomy: category, Hierarchical: true, OrderBy: "id", Limit: 1, Offset: 2}, []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 22}},
			{"one category", wpstore.TermQuery{Taxonomy: category, Hierarchical: true, Include: []int64{3}, Limit: 50}, []int64{3}},
			{"tags", wpstore.TermQuery{Taxonomy: tag, OrderBy: "id", Limit: 50}, []int64{3, 4, 5, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32}},
			{"a page of tags", wpstore.TermQuery{Taxonomy: tag, OrderBy: "id", Limit: 2}, []int64{3, 4}},
		} {
			terms, total, err := store.TermList(t.Context(), c.q)
			s.OK(err)
			if len(terms) == 0 || total < int64(len(terms)) {
				t.Errorf("%s: %d terms of %d", c.name, len(terms), total)
			}
			want := last(c.all)
			for _, term := range terms {
				if term.Taxonomy != want[term.ID] {
					t.Errorf("%s: %d is shown as one of %s, want %s", c.name, term.ID, term.Taxonomy, want[term.ID])
				}
			}
		}
		// WordPress hides a category by the count that it shows.
		terms, total, err := store.TermList(t.Context(), wpstore.TermQuery{Taxonomy: category, Hierarchical: true, HideEmpty: true, OrderBy: "id", Limit: 50})
		s.OK(err)
		all := []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 22}
		if shown := slices.Contains(termIDs(terms), 5); shown != (last(all)[5] == category) || total != 13 {
			t.Errorf("term 5, used as a category and not as a tag: %v, total %d", shown, total)
		}
		one, err := store.Terms(t.Context(), category, []int64{3})
		s.OK(err)
		if one[3].Taxonomy != category {
			t.Errorf("by id: %v", one)
		}
	})
}
