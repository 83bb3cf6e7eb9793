package posts_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/posts"
	"calbridge/wpstore/wptest/rowtest"
)

// metaSite adds metadata of posts 5 and 6, some of it unusual.
func metaSite(s *rowtest.Site) {
	s.Meta(5, "_EventCost", "20")
	s.Meta(6, "_EventURL", "")
	s.Meta(5, "_eventcost", "wrong case")
	s.Meta(5, "_EventCost", "10")
	s.Meta(5, "_VenueCity", nil)
	s.Meta(5, "_tribe_modified_fields", "a:0:{}")
	s.Meta(6, "_elementor_data", "[]")
	s.Meta(7, "_EventCost", "5")
	s.Insert("postmeta", rowtest.Row{"post_id": 6, "meta_key": nil, "meta_value": "no key"})
}

// shown formats the rows of posts.
func shown(of map[int64]wpstore.Meta, ids ...int64) (out string) {
	for _, id := range ids {
		for _, r := range of[id].Rows() {
			value := fmt.Sprintf("%q", r.Value)
			if r.Null {
				value = "NULL"
			}
			out += fmt.Sprintf("%d %s=%s; ", id, r.Key, value)
		}
	}
	return out
}

func TestPostMeta(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		metaSite(s)
		for _, c := range []struct {
			name, statements, want string
			load                   func(context.Context, *posts.Store) (map[int64]wpstore.Meta, error)
			tags                   []int64
		}{
			{"all", "meta.read", `5 _EventCost="20"; 5 _eventcost="wrong case"; 5 _EventCost="10"; 5 _VenueCity=NULL; 6 _EventURL=""; `,
				func(ctx context.Context, s *posts.Store) (map[int64]wpstore.Meta, error) {
					return s.PostMeta(ctx, []int64{6, 5, 404})
				}, []int64{5, 6, 404}},
			{"no posts", "", "", func(ctx context.Context, s *posts.Store) (map[int64]wpstore.Meta, error) { return s.PostMeta(ctx, nil) }, nil},
			// The collation finds a key in another case; package wpstore tells them apart.
			{"keys", "meta.read_keys", `5 _EventCost="20"; 5 _eventcost="wrong case"; 5 _EventCost="10"; 5 _tribe_modified_fields="a:0:{}"; `,
				func(ctx context.Context, s *posts.Store) (map[int64]wpstore.Meta, error) {
					return s.PostMetaKeys(ctx, []int64{5, 6}, []string{"_tribe_modified_fields", "_EventCost"})
				}, []int64{5, 6}},
			{"no keys", "", "", func(ctx context.Context, s *posts.Store) (map[int64]wpstore.Meta, error) {
				return s.PostMetaKeys(ctx, []int64{5}, nil)
			}, nil},
			{"keys of no posts", "", "", func(ctx context.Context, s *posts.Store) (map[int64]wpstore.Meta, error) {
				return s.PostMetaKeys(ctx, nil, []string{"_EventCost"})
			}, nil},
		} {
			t.Run(c.name, func(t *testing.T) {
				request := s.Request()
				store := newStore(request, nil)
				s.Runs(c.statements, func(ctx context.Context) {
					found, err := c.load(ctx, &store)
					s.OK(err)
					if got := shown(found, 5, 6, 7, 404); got != c.want {
						t.Errorf("%s\nwant %s", got, c.want)
					}
					if _, there := found[404]; there || found == nil {
						t.Errorf("posts without rows are not absent: %v", found)
					}
				})
				request.Depended(rowtest.Tags(invalidation.Post, c.tags...)...)
			})
		}
	})
}

// TestCachedKeys checks that what was loaded for some keys is not taken for others.
func TestCachedKeys(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		metaSite(s)
		cache, _ := rowtest.Cache(t)
		store := newStore(s, s.View(cache))
		for range 2 {
			for want, keys := range map[string][]string{`7 _EventCost="5"; `: {"_EventCost"}, "": {"_EventURL"}} {
				found, err := store.PostMetaKeys(t.Context(), []int64{7}, keys)
				if got := shown(found, 7); err != nil || got != want {
					t.Errorf("%s: %q, want %q: %v", keys, got, want, err)
				}
			}
		}
	})
}

// TestMetaGrows checks that metadata which is added to leaves that of other posts of the same
// result alone.
func TestMetaGrows(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		s.Meta(5, "a", "1")
		s.Meta(6, "b", "2")
		store := newStore(s, nil)
		found, err := store.PostMeta(t.Context(), []int64{5, 6})
		s.OK(err)
		rows := append(found[5].Rows(), wpstore.MetaRow{Key: "c", Value: "3"})
		if got := shown(found, 5, 6); got != `5 a="1"; 6 b="2"; ` || len(rows) != 2 {
			t.Errorf("%s after %v", got, rows)
		}
	})
}

// TestShown compares Shown with what PostMeta loads.
func TestShown(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		rows := []wpstore.MetaRow{{Key: "_EventCost", Value: "5"}, {Key: "_tribe_modified_fields", Value: "x"}, {Key: "_Elementor_Data", Value: "y"},
			{Key: "_elementor_css", Value: "z"}, {Key: "_elementor_page_assets", Value: "z"}, {Key: "_elementor_version", Value: "3"}}
		for _, r := range rows {
			s.Meta(5, r.Key, r.Value)
		}
		store := newStore(s, nil)
		loaded, err := store.PostMeta(t.Context(), []int64{5})
		s.OK(err)
		got := posts.Shown(slices.Clone(rows)).Rows()
		if want := loaded[5].Rows(); !slices.Equal(got, want) || len(want) != 2 {
			t.Errorf("%v, but %v are loaded", got, want)
		}
	})
}
