package sitedb_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"calbridge/wpstore"
)

const (
	category = wpstore.CategoryTaxonomy
	tag      = wpstore.TagTaxonomy
)

func termIDs(terms []wpstore.Term) []int64 {
	var ids []int64
	for _, t := range terms {
		ids = append(ids, t.ID)
	}
	return ids
}

func TestTermLoaders(t *testing.T) {
	eachEngine(t, func(f fixture) {
		f.Term(1, category, "Žabky", "zabky", 0, 1)
		f.Term(2, category, "Aktuality", "aktuality", 1, 4)
		f.Term(3, tag, "aktuality", "aktuality", 0, 0)
		f.Tag(70, 1)
		f.Tag(70, 2)
		f.Tag(70, 3)
		f.Tag(71, 3)
		aktuality := wpstore.Term{ID: 2, TaxonomyID: 1002, Parent: 1, Count: 4, Taxonomy: category, Name: "Aktuality", Slug: "aktuality"}
		f.queries(1, func(ctx context.Context) {
			byPost, err := f.Terms.PostTerms(ctx, []int64{70, 71, 72}, []string{category, tag})
			f.OK(err)
			// Equal names go by id.
			if ids := termIDs(byPost[70]); !slices.Equal(ids, []int64{2, 3, 1}) || len(byPost) != 2 {
				f.t.Errorf("terms: %v", byPost)
			}
			if diff := cmp.Diff(aktuality, byPost[70][0], ignoreDigests()); diff != "" {
				f.t.Error(diff)
			}
		})
		f.queries(1, func(ctx context.Context) {
			terms, err := f.Terms.Terms(ctx, category, []int64{2, 3, 4})
			f.OK(err)
			if diff := cmp.Diff(map[int64]wpstore.Term{2: aktuality}, terms, ignoreDigests()); diff != "" {
				f.t.Error(diff)
			}
		})
		f.queries(1, func(ctx context.Context) {
			tree, err := f.Terms.TermTree(ctx, category)
			f.OK(err)
			if len(tree) != 2 || tree[2].Parent != 1 {
				f.t.Errorf("tree: %v", tree)
			}
		})
		f.queries(0, func(ctx context.Context) {
			_, err := f.Terms.PostTerms(ctx, nil, []string{tag})
			f.OK(err)
			_, err = f.Terms.PostTerms(ctx, []int64{70}, nil)
			f.OK(err)
			_, err = f.Terms.Terms(ctx, tag, nil)
			f.OK(err)
		})
	})
}

func TestLookupTerms(t *testing.T) {
	eachEngine(t, func(f fixture) {
		f.Term(1, category, "Koncerty", "koncerty", 0, 0)
		f.Term(2, category, "Čaj &amp; káva", "12", 0, 0)
		f.Term(3, category, "koncerty", "koncerty-2", 0, 0)
		f.Term(4, tag, "Koncerty", "koncerty", 0, 0)
		f.queries(1, func(ctx context.Context) {
			found, err := f.Terms.LookupTerms(ctx, category, wpstore.TermLookup{
				IDs:   []int64{3, 3, 4, 12},
				Slugs: []string{"KONCERTY", "koncerty", "12", "neni", "\xff"},
				Names: []string{"koncerty", "caj &amp; kava", "x' OR '1'='1"},
			})
			f.OK(err)
			if len(found.ByID) != 1 || found.ByID[3].Slug != "koncerty-2" {
				f.t.Errorf("by id: %v", found.ByID)
			}
			if len(found.BySlug) != 3 || found.BySlug["KONCERTY"].ID != 1 || found.BySlug["koncerty"].ID != 1 || found.BySlug["12"].ID != 2 {
				f.t.Errorf("by slug: %v", found.BySlug)
			}
			if len(found.ByName) != 2 || found.ByName["koncerty"].ID != 1 || found.ByName["caj &amp; kava"].ID != 2 {
				f.t.Errorf("by name: %v", found.ByName)
			}
		})
		f.queries(0, func(ctx context.Context) {
			found, err := f.Terms.LookupTerms(ctx, category, wpstore.TermLookup{IDs: []int64{0, -1}, Slugs: []string{"\xff"}})
			f.OK(err)
			if len(found.ByID)+len(found.BySlug)+len(found.ByName) != 0 {
				f.t.Errorf("found: %v", found)
			}
		})
		var many []string
		for i := range 450 {
			many = append(many, fmt.Sprintf("neni-%d", i))
		}
		f.queries(3, func(ctx context.Context) {
			found, err := f.Terms.LookupTerms(ctx, category, wpstore.TermLookup{Slugs: append(many, "zz", "koncerty")})
			f.OK(err)
			if len(found.BySlug) != 1 {
				f.t.Errorf("of many: %v", found.BySlug)
			}
		})
	})
}

// termSite adds three levels of categories, of which only 5 is used, one empty branch, a
// loop, and tags.
func termSite(f fixture) {
	f.Term(1, category, "Kultura", "kultura", 0, 0)
	f.Term(2, category, "Hudba", "hudba", 1, 0)
	f.Term(5, category, "Jazz &amp; blues", "jazz", 2, 3)
	f.Term(6, category, "Sport", "sport", 0, 0)
	f.Term(7, category, "Běh 50%", "beh", 6, 0)
	f.Term(8, category, "Kruh A", "kruh-a", 9, 0)
	f.Term(9, category, "Kruh B", "kruh-b", 8, 0)
	f.Term(11, tag, "zdarma", "zdarma", 0, 2)
	f.Term(12, tag, "Venku", "venku", 0, 5)
	f.Term(13, tag, "prázdný_štítek", "prazdny", 0, 0)
}

func TestTermList(t *testing.T) {
	number := func(n int64) *int64 { return &n }
	eachEngine(t, func(f fixture) {
		termSite(f)
		f.Tag(70, 13)
		f.Tag(70, 11)
		for _, c := range []struct {
			name    string
			q       wpstore.TermQuery
			ids     []int64
			total   int64
			queries int
		}{
			{"tags", wpstore.TermQuery{Taxonomy: tag, HideEmpty: true, Limit: 10}, []int64{12, 11}, 2, 2},
			{"all tags", wpstore.TermQuery{Taxonomy: tag, Limit: 10}, []int64{13, 12, 11}, 3, 2},
			{"first page", wpstore.TermQuery{Taxonomy: tag, Limit: 2}, []int64{13, 12}, 3, 2},
			{"last page", wpstore.TermQuery{Taxonomy: tag, Limit: 2, Offset: 2}, []int64{11}, 3, 2},
			{"beyond", wpstore.TermQuery{Taxonomy: tag, Limit: 2, Offset: 4}, nil, 3, 2},
			{"only the total", wpstore.TermQuery{Taxonomy: tag}, nil, 3, 1},
			{"nothing", wpstore.TermQuery{Taxonomy: "neni", Limit: 2}, nil, 0, 1},
			{"descending", wpstore.TermQuery{Taxonomy: tag, Descending: true, Limit: 10}, []int64{11, 12, 13}, 3, 2},
			{"by count", wpstore.TermQuery{Taxonomy: tag, OrderBy: "COUNT", Descending: true, Limit: 10}, []int64{12, 11, 13}, 3, 2},
			{"by nonsense", wpstore.TermQuery{Taxonomy: tag, OrderBy: "x; DROP TABLE", Limit: 10}, []int64{13, 12, 11}, 3, 2},
			{"include in order", wpstore.TermQuery{Taxonomy: tag, Include: []int64{12, 99, 13, 12}, OrderBy: "include", Limit: 10}, []int64{12, 13}, 2, 2},
			{"include nothing", wpstore.TermQuery{Taxonomy: tag, Include: []int64{}, Limit: 10}, nil, 0, 1},
			{"include beats exclude", wpstore.TermQuery{Taxonomy: tag, Include: []int64{12}, Exclude: []int64{12}, Limit: 10}, []int64{12}, 1, 2},
			{"exclude", wpstore.TermQuery{Taxonomy: tag, Exclude: []int64{12, 0}, Limit: 10}, []int64{13, 11}, 2, 2},
			{"exclude nothing", wpstore.TermQuery{Taxonomy: tag, Exclude: []int64{}, Limit: 10}, []int64{13, 12, 11}, 3, 2},
			{"search", wpstore.TermQuery{Taxonomy: tag, HasSearch: true, Search: "STITEK", Limit: 10}, []int64{13}, 1, 2},
			{"search wildcard", wpstore.TermQuery{Taxonomy: tag, HasSearch: true, Search: "_", Limit: 10}, []int64{13}, 1, 2},
			{"search slug", wpstore.TermQuery{Taxonomy: tag, HasSearch: true, Search: "zdar", Limit: 10}, []int64{11}, 1, 2},
			{"search bytes", wpstore.TermQuery{Taxonomy: tag, HasSearch: true, Search: "\xc3", Limit: 10}, nil, 0, 1},
			{"slug", wpstore.TermQuery{Taxonomy: tag, HasSlug: true, Slug: "venku", Limit: 10}, []int64{12}, 1, 2},
			{"no slug", wpstore.TermQuery{Taxonomy: tag, HasSlug: true, Limit: 10}, nil, 0, 1},
			{"of a post", wpstore.TermQuery{Taxonomy: tag, PostID: number(70), HideEmpty: true, Limit: 10}, []int64{13, 11}, 2, 2},
			{"of a post, by term_order", wpstore.TermQuery{Taxonomy: tag, PostID: number(70), OrderBy: "term_order", Limit: 10}, []int64{11, 13}, 2, 2},

			{"used categories", wpstore.TermQuery{Taxonomy: category, Hierarchical: true, HideEmpty: true, Limit: 10}, []int64{2, 5, 1}, 1, 2},
			{"used categories, page", wpstore.TermQuery{Taxonomy: category, Hierarchical: true, HideEmpty: true, Limit: 2, Offset: 2}, []int64{1}, 1, 2},
			{"used categories, beyond", wpstore.TermQuery{Taxonomy: category, Hierarchical: true, HideEmpty: true, Limit: 2, Offset: 8}, nil, 1, 2},
			{"all categories", wpstore.TermQuery{Taxonomy: category, Hierarchical: true, OrderBy: "id", Limit: 50}, []int64{1, 2, 5, 6, 7, 8, 9}, 7, 2},
			{"children", wpstore.TermQuery{Taxonomy: category, Hierarchical: true, HideEmpty: true, Parent: number(1), Limit: 50}, []int64{2}, 0, 2},
			{"no such category", wpstore.TermQuery{Taxonomy: category, Hierarchical: true, HasSearch: true, Search: "neni", Limit: 50}, nil, 0, 1},
			{"search percent", wpstore.TermQuery{Taxonomy: category, Hierarchical: true, HasSearch: true, Search: "%", Limit: 50}, []int64{7}, 1, 2},
		} {
			f.queries(c.queries, func(ctx context.Context) {
				terms, total, err := f.Terms.TermList(ctx, c.q)
				f.OK(err)
				ids := termIDs(terms)
				if c.q.OrderBy == "term_order" { // equal here, so the server's order
					slices.Sort(ids)
				}
				if !slices.Equal(ids, c.ids) || total != c.total {
					f.t.Errorf("%s: %v of %d, want %v of %d", c.name, ids, total, c.ids, c.total)
				}
			})
			if f.t.Failed() {
				f.t.Fatalf("at %q", c.name)
			}
		}
		terms, _, err := f.Terms.TermList(f.t.Context(), wpstore.TermQuery{Taxonomy: category, Hierarchical: true, Include: []int64{5}, Limit: 1})
		f.OK(err)
		want := wpstore.Term{ID: 5, TaxonomyID: 1005, Parent: 2, Count: 3, Taxonomy: category, Name: "Jazz &amp; blues", Slug: "jazz"}
		if len(terms) != 1 || terms[0] != want {
			f.t.Errorf("term: %+v", terms)
		}
	})
}

// TestSharedTerms: lists show a term of several taxonomies in the row of WordPress's own statement
// that the server returns last. Other loaders show it in the taxonomy that they are asked for.
func TestSharedTerms(t *testing.T) {
	eachEngine(t, func(f fixture) {
		share := func(row, id int64, taxonomy string, count int64) {
			f.Insert("term_taxonomy", map[string]any{"term_taxonomy_id": row, "term_id": id, "taxonomy": taxonomy, "description": "shared", "parent": 0, "count": count})
		}
		for id := range int64(12) {
			f.Term(id+1, category, fmt.Sprintf("Category %d", id), fmt.Sprintf("c%d", id), 0, 1)
			f.Term(id+21, tag, fmt.Sprintf("Tag %d", id), fmt.Sprintf("t%d", id), 0, 1)
		}
		share(2001, 3, tag, 7)
		share(500, 4, tag, 7)
		share(2002, 5, tag, 0)
		share(2003, 22, category, 7)
		share(2004, 6, "nav_menu", 1)
		last := func(ids []int64) map[int64]string {
			rows, err := f.db.SQL().Query("SELECT t.*, tt.* FROM " + f.db.Table("terms") + " AS t INNER JOIN " + f.db.Table("term_taxonomy") +
				" AS tt ON t.term_id = tt.term_id WHERE t.term_id IN (" + strings.Trim(strings.ReplaceAll(fmt.Sprint(ids), " ", ","), "[]") + ")")
			f.OK(err)
			defer rows.Close()
			found := map[int64]string{}
			for rows.Next() {
				var id, group, row, parent, count int64
				var name, slug, taxonomy, description string
				f.OK(rows.Scan(&id, &name, &slug, &group, &row, &id, &taxonomy, &description, &parent, &count))
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
			terms, total, err := f.Terms.TermList(f.t.Context(), c.q)
			f.OK(err)
			if len(terms) == 0 || total < int64(len(terms)) {
				f.t.Errorf("%s: %d terms of %d", c.name, len(terms), total)
			}
			want := last(c.all)
			for _, term := range terms {
				if term.Taxonomy != want[term.ID] {
					f.t.Errorf("%s: %d is shown as one of %s, want %s", c.name, term.ID, term.Taxonomy, want[term.ID])
				}
			}
		}
		// WordPress hides a category by the count that it shows.
		terms, total, err := f.Terms.TermList(f.t.Context(), wpstore.TermQuery{Taxonomy: category, Hierarchical: true, HideEmpty: true, OrderBy: "id", Limit: 50})
		f.OK(err)
		all := []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 22}
		if shown := slices.Contains(termIDs(terms), 5); shown != (last(all)[5] == category) || total != 13 {
			f.t.Errorf("term 5, used as a category and not as a tag: %v, total %d", shown, total)
		}
		one, err := f.Terms.Terms(f.t.Context(), category, []int64{3})
		f.OK(err)
		if one[3].Taxonomy != category {
			f.t.Errorf("by id: %v", one)
		}
	})
}
