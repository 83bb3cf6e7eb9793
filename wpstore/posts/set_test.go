package posts_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/posts"
	"calbridge/wpstore/wptest/rowtest"
)

// setSite adds posts 5 and 6. Post 5 has metadata and two terms.
func setSite(s *rowtest.Site) {
	s.Post(5, wpstore.EventType, rowtest.Row{"post_title": "Koncert"})
	s.Post(6, wpstore.EventType, nil)
	s.Meta(5, "_EventCost", "5")
	s.Meta(5, "_elementor_data", "[]")
	s.Term(7, wpstore.CategoryTaxonomy, "Jazz", "jazz", 0, 1)
	s.Term(8, wpstore.TagTaxonomy, "Free", "free", 0, 1)
	s.Term(9, "category", "News", "news", 0, 1)
	for _, term := range []int64{7, 8, 9} {
		s.Tag(5, term)
	}
}

// summary formats a set.
func summary(set wpstore.PostSet) (out string) {
	for _, id := range []int64{5, 6, 7} {
		if p := set.Posts[id]; p != nil {
			out += fmt.Sprintf("post %d %s; ", id, p.Title)
		}
		for _, t := range set.Terms[id] {
			out += fmt.Sprintf("term %s; ", t.Slug)
		}
	}
	return out + shown(set.Meta, 5, 6, 7)
}

func TestPostSet(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		setSite(s)
		both := []string{wpstore.CategoryTaxonomy, wpstore.TagTaxonomy}
		ids := []int64{5, 6, 7}
		all := `post 5 Koncert; term free; term jazz; post 6 ; 5 _EventCost="5"; `
		set := func(taxonomies []string) func(context.Context, *posts.Store) (wpstore.PostSet, error) {
			return func(ctx context.Context, s *posts.Store) (wpstore.PostSet, error) {
				return s.PostSet(ctx, &i18n.Languages{}, ids, taxonomies)
			}
		}
		withKeys := func(keys ...string) func(context.Context, *posts.Store) (wpstore.PostSet, error) {
			return func(ctx context.Context, s *posts.Store) (set wpstore.PostSet, err error) {
				set.Posts, set.Meta, err = s.PostsAndMetaKeys(ctx, ids, keys)
				return set, err
			}
		}
		posts567, terms78 := rowtest.Tags(invalidation.Post, 5, 6, 7), rowtest.Tags(invalidation.Term, 7, 8)
		for _, c := range []struct {
			name, statements, want string
			load                   func(context.Context, *posts.Store) (wpstore.PostSet, error)
			tags                   []invalidation.Tag
		}{
			{"set", "posts.read meta.read terms.of_posts", all, set(both), append(terms78, posts567...)},
			{"set without taxonomies", "posts.read meta.read", `post 5 Koncert; post 6 ; 5 _EventCost="5"; `, set(nil), posts567},
			{"keys", "posts.read meta.read_keys", `post 5 Koncert; post 6 ; 5 _elementor_data="[]"; `, withKeys("_elementor_data", "neni"), posts567},
			{"no keys", "posts.read", `post 5 Koncert; post 6 ; `, withKeys(), posts567},
			{"terms", "terms.of_posts", `term free; term jazz; `, func(ctx context.Context, s *posts.Store) (set wpstore.PostSet, err error) {
				set.Terms, err = s.PostTerms(ctx, ids, both)
				return set, err
			}, append(terms78, posts567...)},
		} {
			t.Run(c.name, func(t *testing.T) {
				cache, tracker := rowtest.Cache(t)
				// Without a cache, with an empty one, with a full one, and with one that is suspended.
				for _, step := range []string{"uncached", "first", "again", "suspended"} {
					request, statements := s.Request(), c.statements
					view := request.View(cache)
					switch step {
					case "uncached":
						view = nil
					case "again":
						statements = ""
					case "suspended":
						tracker.Suspend()
					}
					store := newStore(request, view)
					if got := store.Caches(); got != (step == "first" || step == "again") {
						t.Errorf("%s: caches: %v", step, got)
					}
					s.Runs(statements, func(ctx context.Context) {
						found, err := c.load(ctx, &store)
						s.OK(err)
						if got := summary(found); got != c.want {
							t.Errorf("%s: %s\nwant %s", step, got, c.want)
						}
					})
					request.Depended(c.tags...)
				}
			})
		}
	})
}

// TestInvalidated checks that rows come from the cache until a tag of theirs has changed, and that
// ReadSet and queued statements never take them from there.
func TestInvalidated(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		setSite(s)
		ids, taxonomies := []int64{5, 6}, []string{wpstore.CategoryTaxonomy}
		cache, tracker := rowtest.Cache(t)
		store := newStore(s, s.View(cache))
		load := func(statements string) string {
			t.Helper()
			var out string
			s.Runs(statements, func(ctx context.Context) {
				set, err := store.PostSet(ctx, &i18n.Languages{}, ids, taxonomies)
				s.OK(err)
				out = summary(set)
			})
			return out
		}
		const before = `post 5 Koncert; term jazz; post 6 ; 5 _EventCost="5"; `
		const all = "posts.read meta.read terms.of_posts"
		for _, c := range []struct {
			name, change, statements, want string
			tag                            invalidation.Tag
		}{
			{"another post", "UPDATE wp_posts SET post_title = 'x'", "", before, invalidation.Tag{Kind: invalidation.Post, ID: 9}},
			{"the post", "UPDATE wp_posts SET post_title = 'Ples'", all, `post 5 Ples; term jazz; post 6 ; 5 _EventCost="5"; `, invalidation.Tag{Kind: invalidation.Post, ID: 5}},
			{"its term", "UPDATE wp_terms SET slug = 'swing'", "terms.of_posts", `post 5 Koncert; term swing; post 6 ; 5 _EventCost="5"; `, invalidation.Tag{Kind: invalidation.Term, ID: 7}},
			{"another's term", "UPDATE wp_terms SET slug = 'swing'", "", before, invalidation.Tag{Kind: invalidation.Term, ID: 8}},
		} {
			t.Run(c.name, func(t *testing.T) {
				tracker.InvalidateAll()
				s.Exec("UPDATE wp_posts SET post_title = CASE WHEN ID = 5 THEN 'Koncert' ELSE '' END")
				s.Exec("UPDATE wp_terms SET slug = CASE WHEN term_id = 7 THEN 'jazz' ELSE 'other' END")
				if got := load(all); got != before {
					t.Fatalf("before: %s", got)
				}
				s.Exec(c.change + map[bool]string{true: " WHERE ID = 5", false: " WHERE term_id = 7"}[c.tag.Kind == invalidation.Post])
				tracker.Invalidate(c.tag)
				if got := load(c.statements); got != c.want {
					t.Errorf("%s\nwant %s", got, c.want)
				}
			})
		}
		s.Runs(all, func(ctx context.Context) {
			set, err := store.ReadSet(ctx, &i18n.Languages{}, ids, taxonomies)
			s.OK(err)
			if got := summary(set); got != `post 5 Koncert; term swing; post 6 ; 5 _EventCost="5"; ` {
				t.Errorf("past the cache: %s", got)
			}
		})
	})
}

// TestLanguages: a post has a language of its own and translations where a plugin manages them.
func TestLanguages(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		wpml := &i18n.Languages{Plugin: i18n.WPML, All: []i18n.Language{{Code: "cs"}, {Code: "de"}}, Default: "cs"}
		for id := int64(1); id <= 4; id++ {
			s.Post(id, wpstore.EventType, nil)
		}
		for i, r := range []rowtest.Row{
			{"element_type": "post_tribe_events", "element_id": 1, "trid": 1, "language_code": "cs"},
			{"element_type": "post_tribe_events", "element_id": 2, "trid": 1, "language_code": "de"},
			{"element_type": "post_tribe_events", "element_id": 3, "trid": 2, "language_code": "cs"},
			{"element_type": "post_tribe_events", "element_id": nil, "trid": 2, "language_code": "de"}, // planned
			{"element_type": "tax_post_tag", "element_id": 4, "trid": 3, "language_code": "de"},
		} {
			r["translation_id"] = i + 1
			s.Insert("icl_translations", r)
		}
		site := invalidation.Tag{Kind: invalidation.Site}
		translations := invalidation.Tag{Kind: invalidation.Translations}
		ids := []int64{1, 2, 3, 4, 99}
		own := rowtest.Tags(invalidation.Post, ids...)
		cache, _ := rowtest.Cache(t)
		for _, c := range []struct {
			name, statements string
			languages        *i18n.Languages
			want             any
			load             func(context.Context, *posts.Store, *i18n.Languages) (any, error)
			cached           []invalidation.Tag // besides the tags of the posts
		}{
			{"languages", "posts.read", wpml, map[int64]string{1: "cs", 2: "de", 3: "cs", 4: ""}, languagesOf(ids), []invalidation.Tag{site}},
			{"languages without a plugin", "posts.read", &i18n.Languages{}, map[int64]string{1: "", 2: "", 3: "", 4: ""}, languagesOf(ids), nil},
			{"translations", "posts.translations", wpml, map[int64]i18n.Group{1: {"cs": 1, "de": 2}, 2: {"cs": 1, "de": 2}, 3: {"cs": 3}},
				func(ctx context.Context, s *posts.Store, l *i18n.Languages) (any, error) {
					return s.PostTranslations(ctx, l, ids)
				}, []invalidation.Tag{translations}},
		} {
			t.Run(c.name, func(t *testing.T) {
				for _, step := range []string{"uncached", "first", "again"} {
					request, statements := s.Request(), c.statements
					view := request.View(cache)
					if step == "uncached" {
						view = nil
					}
					tags := own
					if step == "again" { // the statements would have added these by their names
						statements, tags = "", append(own[:len(own):len(own)], c.cached...)
					}
					store := newStore(request, view)
					s.Runs(statements, func(ctx context.Context) {
						got, err := c.load(ctx, &store, c.languages)
						s.OK(err)
						if diff := cmp.Diff(c.want, got); diff != "" {
							t.Errorf("%s: %s", step, diff)
						}
					})
					request.Depended(tags...)
				}
			})
		}
		request := s.Request()
		store := newStore(request, nil)
		s.Runs("", func(ctx context.Context) {
			if got, err := store.PostTranslations(ctx, &i18n.Languages{}, ids); err != nil || got == nil || len(got) > 0 {
				t.Errorf("without a plugin: %v, %v", got, err)
			}
		})
		request.Depended()
	})
}

func languagesOf(ids []int64) func(context.Context, *posts.Store, *i18n.Languages) (any, error) {
	return func(ctx context.Context, s *posts.Store, l *i18n.Languages) (any, error) {
		found, err := s.PostsWithLanguage(ctx, l, ids)
		codes := map[int64]string{}
		for id, p := range found {
			codes[id] = p.Language
		}
		return codes, err
	}
}

// TestDigests changes one stored value at a time: the digests of what it belongs to change, those
// of everything else stay.
func TestDigests(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		s.Post(1, wpstore.EventType, rowtest.Row{"post_title": "ab", "post_excerpt": "c"})
		s.Post(2, wpstore.EventType, nil)
		s.Meta(1, "k", "v")
		s.Meta(1, "k2", nil)
		s.Meta(2, "k", "v")
		s.Term(7, wpstore.CategoryTaxonomy, "Jazz", "jazz", 0, 1)
		s.Tag(1, 7)
		store := newStore(s, nil)
		load := func() map[string]wpstore.Digest {
			set, err := store.PostSet(t.Context(), &i18n.Languages{}, []int64{1, 2}, []string{wpstore.CategoryTaxonomy})
			s.OK(err)
			out := map[string]wpstore.Digest{}
			for _, id := range []int64{1, 2} {
				out[fmt.Sprint("post ", id)], out[fmt.Sprint("meta ", id)] = set.Posts[id].Digest, set.Meta[id].Digest()
				for _, term := range set.Terms[id] {
					out[fmt.Sprint("term ", id)] = term.Digest
				}
			}
			return out
		}
		before := load()
		for _, c := range []struct{ statement, changes string }{
			{"UPDATE wp_posts SET ID = ID", ""},
			{"UPDATE wp_posts SET post_title = 'a', post_excerpt = 'bc' WHERE ID = 1", "post 1"},
			{"UPDATE wp_posts SET menu_order = -1 WHERE ID = 2", "post 2"},
			{"UPDATE wp_postmeta SET meta_value = '' WHERE meta_key = 'k2'", "meta 1"},
			{"UPDATE wp_postmeta SET meta_key = 'kv', meta_value = '' WHERE post_id = 2", "meta 2"},
			{"INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (1, 'a', 'b')", "meta 1"},
			{"UPDATE wp_term_taxonomy SET count = 2", "term 1"},
		} {
			t.Run(c.statement, func(t *testing.T) {
				s.Exec(c.statement)
				after := load()
				for what := range before {
					if changed := before[what] != after[what]; changed != (what == c.changes) {
						t.Errorf("%s changed: %v", what, changed)
					}
				}
				before = after
			})
		}
	})
}
