package terms_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/rowcache"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/terms"
	"calbridge/wpstore/wpml"
	"calbridge/wpstore/wptest/rowtest"
)

const (
	category = wpstore.CategoryTaxonomy
	tag      = wpstore.TagTaxonomy
)

// newStore returns the store of a request. Rows come from the view, unless it is nil.
func newStore(s *rowtest.Site, view *rowcache.View) terms.Store {
	return terms.New(s.Run, s.Tables, langplugin.Plugins{wpml.New(s.Tables, s.Servers.Dialect())}, view)
}

// smallSite adds two categories, a tag with the name of one of them, and posts 70 and 71 that
// have them. It returns term 2.
func smallSite(s *rowtest.Site) wpstore.Term {
	s.Term(1, category, "Žabky", "zabky", 0, 1)
	s.Insert("terms", rowtest.Row{"term_id": 2, "name": "Aktuality", "slug": "aktuality", "term_group": 6})
	s.Insert("term_taxonomy", rowtest.Row{"term_taxonomy_id": 1002, "term_id": 2, "taxonomy": category, "description": "Novinky", "parent": 1, "count": 4})
	s.Term(3, tag, "aktuality", "aktuality", 0, 0)
	s.Term(4, "category", "Aktuality", "aktuality", 0, 0)
	s.Tag(70, 1)
	s.Tag(70, 2)
	s.Tag(70, 3)
	s.Tag(70, 4)
	s.Tag(71, 3)
	s.Tag(71, 99) // a term that is gone
	return wpstore.Term{ID: 2, TaxonomyID: 1002, Group: 6, Parent: 1, Count: 4, Taxonomy: category, Name: "Aktuality", Slug: "aktuality", Description: "Novinky"}
}

func TestPostTerms(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		aktuality := smallSite(s)
		ids, taxonomies := []int64{70, 71, 72}, []string{category, tag}
		tags := append(rowtest.Tags(invalidation.Post, ids...), rowtest.Tags(invalidation.Term, 1, 2, 3)...)
		cache, _ := rowtest.Cache(t)
		for _, step := range []string{"uncached", "first", "again"} {
			t.Run(step, func(t *testing.T) {
				request, statements := s.Request(), "terms.of_posts"
				view := request.View(cache)
				switch step {
				case "uncached":
					view = nil
				case "again":
					statements = ""
				}
				store := newStore(request, view)
				s.Runs(statements, func(ctx context.Context) {
					byPost, err := store.PostTerms(ctx, ids, taxonomies)
					s.OK(err)
					// Equal names are ordered by id.
					if !slices.Equal(termIDs(byPost[70]), []int64{2, 3, 1}) || !slices.Equal(termIDs(byPost[71]), []int64{3}) || len(byPost) != 2 {
						t.Fatalf("terms: %v", byPost)
					}
					if diff := cmp.Diff(aktuality, byPost[70][0], cmpopts.IgnoreTypes(wpstore.Digest{})); diff != "" {
						t.Error(diff)
					}
				})
				request.Depended(tags...)
				// Another list of taxonomies is cached apart.
				only, err := store.PostTerms(t.Context(), ids, []string{tag})
				if err != nil || !slices.Equal(termIDs(only[70]), []int64{3}) {
					t.Errorf("tags: %v, %v", only, err)
				}
			})
		}
		request := s.Request()
		store := newStore(request, nil)
		for name, load := range map[string]func(context.Context) (map[int64][]wpstore.Term, error){
			"no posts": func(ctx context.Context) (map[int64][]wpstore.Term, error) {
				return store.PostTerms(ctx, nil, taxonomies)
			},
			"no taxonomies": func(ctx context.Context) (map[int64][]wpstore.Term, error) { return store.PostTerms(ctx, ids, nil) },
		} {
			t.Run(name, func(t *testing.T) {
				s.Runs("", func(ctx context.Context) {
					if found, err := load(ctx); err != nil || found == nil || len(found) > 0 {
						t.Errorf("%v, %v", found, err)
					}
				})
				request.Depended()
			})
		}
	})
}

func TestTerms(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		aktuality := smallSite(s)
		for _, c := range []struct {
			name, statements string
			load             func(context.Context, *terms.Store) (any, error)
			want             any
			tags             []int64
		}{
			{"of a taxonomy", "terms.by_id", func(ctx context.Context, s *terms.Store) (any, error) {
				return s.Terms(ctx, category, []int64{2, 3, 4, 99, 2})
			}, map[int64]wpstore.Term{2: aktuality}, []int64{2, 3, 4, 99}},
			{"no ids", "", func(ctx context.Context, s *terms.Store) (any, error) { return s.Terms(ctx, category, nil) }, map[int64]wpstore.Term{}, nil},
			{"of several", "terms.by_id", func(ctx context.Context, s *terms.Store) (any, error) {
				found, err := s.TermsOf(ctx, map[string][]int64{category: {1, 2, 3}, tag: {3, 2, 99}})
				return termIDs(found), err
			}, []int64{2, 3, 1}, []int64{1, 2, 3, 99}},
			{"one of each", "terms.by_id", func(ctx context.Context, s *terms.Store) (any, error) {
				found, err := s.TermsOf(ctx, map[string][]int64{category: {2}, tag: {1}})
				return found, err
			}, []wpstore.Term{aktuality}, []int64{1, 2}},
			{"of no taxonomy", "", func(ctx context.Context, s *terms.Store) (any, error) {
				found, err := s.TermsOf(ctx, map[string][]int64{tag: nil})
				return len(found), err
			}, 0, nil},
			{"tree", "terms.tree", func(ctx context.Context, s *terms.Store) (any, error) {
				tree, err := s.TermTree(ctx, category)
				return []any{len(tree), tree[1].Slug, tree[2]}, err
			}, []any{2, "zabky", aktuality}, nil},
			{"tree of no taxonomy", "terms.tree", func(ctx context.Context, s *terms.Store) (any, error) { return s.TermTree(ctx, "neni") }, map[int64]wpstore.Term{}, nil},
		} {
			t.Run(c.name, func(t *testing.T) {
				request := s.Request()
				store := newStore(request, nil)
				s.Runs(c.statements, func(ctx context.Context) {
					got, err := c.load(ctx, &store)
					s.OK(err)
					if diff := cmp.Diff(c.want, got); diff != "" {
						t.Error(diff)
					}
				})
				request.Depended(rowtest.Tags(invalidation.Term, c.tags...)...)
			})
		}
	})
}

// TestManyTerms checks that ids beyond one IN list take more statements, and that none is lost.
func TestManyTerms(t *testing.T) {
	s := rowtest.NewSite(t, "sqlite")
	s.Term(5, tag, "A", "a", 0, 0)
	s.Term(sqlconn.MaxInList+5, tag, "B", "b", 0, 0)
	store := newStore(s, nil)
	var ids []int64
	for id := int64(1); id <= sqlconn.MaxInList+9; id++ {
		ids = append(ids, id)
	}
	for name, load := range map[string]func(context.Context) (int, error){
		"by id": func(ctx context.Context) (int, error) {
			found, err := store.Terms(ctx, tag, ids)
			return len(found), err
		},
		"of several": func(ctx context.Context) (int, error) {
			found, err := store.TermsOf(ctx, map[string][]int64{tag: ids})
			return len(found), err
		},
	} {
		t.Run(name, func(t *testing.T) {
			s.Runs("terms.by_id terms.by_id", func(ctx context.Context) {
				if found, err := load(ctx); found != 2 || err != nil {
					t.Errorf("%d terms of 2: %v", found, err)
				}
			})
		})
	}
}

func TestTermTranslations(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		smallSite(s)
		for i, r := range []rowtest.Row{
			{"element_type": "tax_" + category, "element_id": 1001, "trid": 1, "language_code": "cs"},
			{"element_type": "tax_" + category, "element_id": 1002, "trid": 1, "language_code": "de"},
			{"element_type": "post_tribe_events", "element_id": 1003, "trid": 1, "language_code": "en"},
		} {
			r["translation_id"] = i + 1
			s.Insert("icl_translations", r)
		}
		both := i18n.Group{"cs": 1, "de": 2}
		store := newStore(s, nil)
		s.Runs("terms.lookup", func(ctx context.Context) {
			got, err := store.TermTranslations(ctx, &i18n.Languages{Plugin: i18n.WPML}, category, []int64{1, 2, 3, 99})
			s.OK(err)
			if diff := cmp.Diff(map[int64]i18n.Group{1: both, 2: both}, got); diff != "" {
				t.Error(diff)
			}
		})
		s.Runs("", func(ctx context.Context) {
			if got, err := store.TermTranslations(ctx, &i18n.Languages{}, category, []int64{1}); len(got) > 0 || err != nil {
				t.Errorf("without a plugin: %v, %v", got, err)
			}
		})
	})
}

func TestLookupTerms(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		s.Term(1, category, "Koncerty", "koncerty", 0, 0)
		s.Term(2, category, "Čaj &amp; káva", "12", 0, 0)
		s.Term(3, category, "koncerty", "koncerty-2", 0, 0)
		s.Term(4, tag, "Koncerty", "koncerty", 0, 0)
		s.Term(5, category, "Jiné", "koncerty", 0, 0)
		store := newStore(s, nil)
		s.Runs("terms.lookup", func(ctx context.Context) {
			found, err := store.LookupTerms(ctx, category, wpstore.TermLookup{
				IDs:   []int64{3, 3, 4, 12},
				Slugs: []string{"KONCERTY", "koncerty", "12", "neni", "\xff"},
				Names: []string{"koncerty", "caj &amp; kava", "x' OR '1'='1"},
			})
			s.OK(err)
			got := map[string]int64{}
			for id, term := range found.ByID {
				if id != term.ID {
					t.Errorf("%d is found as %d", term.ID, id)
				}
				got["id "+term.Slug] = term.ID
			}
			for slug, term := range found.BySlug {
				got["slug "+slug] = term.ID
			}
			for name, term := range found.ByName {
				got["name "+name] = term.ID
			}
			want := map[string]int64{"id koncerty-2": 3, "slug KONCERTY": 1, "slug koncerty": 1, "slug 12": 2, "name koncerty": 1, "name caj &amp; kava": 2}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			if same := termIDs(found.SameSlug["koncerty"]); !slices.Equal(same, []int64{1, 5}) {
				t.Errorf("terms of the same slug: %v", same)
			}
		})
		s.Runs("", func(ctx context.Context) {
			found, err := store.LookupTerms(ctx, category, wpstore.TermLookup{IDs: []int64{0, -1}, Slugs: []string{"\xff"}})
			if err != nil || len(found.ByID)+len(found.BySlug)+len(found.ByName) != 0 {
				t.Errorf("%v, %v", found, err)
			}
		})
		var many []string
		for i := range 450 {
			many = append(many, "neni-"+string(rune('a'+i%26))+string(rune('a'+i/26)))
		}
		s.Runs("terms.lookup terms.lookup terms.lookup", func(ctx context.Context) {
			found, err := store.LookupTerms(ctx, category, wpstore.TermLookup{Slugs: append(many, "zz", "koncerty")})
			if err != nil || len(found.BySlug) != 1 {
				t.Errorf("of many: %v, %v", found.BySlug, err)
			}
		})
	})
}
