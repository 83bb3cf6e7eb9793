package posts_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/posts"
	"calbridge/wpstore/rowcache"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/terms"
	"calbridge/wpstore/wpml"
	"calbridge/wpstore/wptest/rowtest"
)

// newStore returns the store of a request. Rows come from the view, unless it is nil.
func newStore(s *rowtest.Site, view *rowcache.View) posts.Store {
	plugins := langplugin.Plugins{wpml.New(s.Tables, s.Servers.Dialect())}
	t := terms.New(s.Run, s.Tables, plugins, view)
	return posts.New(s.Run, s.Tables, plugins, view, &t)
}

// ignoreDigests compares loaded rows with expected ones, which have no digests.
func ignoreDigests() cmp.Option { return cmpopts.IgnoreTypes(wpstore.Digest{}) }

// hall inserts post 5, none of whose columns has its default, and returns it.
func hall(s *rowtest.Site) *wpstore.Post {
	s.Post(5, wpstore.VenueType, rowtest.Row{"post_title": "Sál <b>A</b>", "post_content": "obsah", "post_excerpt": "výtah",
		"post_status": "trash", "post_name": "sal__trashed", "post_password": "x", "post_author": 3, "post_parent": 2,
		"post_date": "2026-02-28 23:59:59", "post_date_gmt": "0000-00-00 00:00:00",
		"post_modified": "2026-03-01 00:00:00", "post_modified_gmt": "2026-02-28 23:00:00",
		"menu_order": -1, "guid": "https://example.org/?p=5", "post_mime_type": "image/png",
		"comment_status": "closed", "ping_status": "open"})
	return &wpstore.Post{ID: 5, Author: 3, Parent: 2, MenuOrder: -1,
		PostDates: wpstore.PostDates{
			Date: "2026-02-28 23:59:59", DateGMT: "0000-00-00 00:00:00", Modified: "2026-03-01 00:00:00", ModifiedGMT: "2026-02-28 23:00:00",
		},
		Content: "obsah", Title: "Sál <b>A</b>", Excerpt: "výtah",
		Status: "trash", Name: "sal__trashed", Password: "x",
		Type: wpstore.VenueType, MimeType: "image/png", GUID: "https://example.org/?p=5",
		CommentStatus: "closed", PingStatus: "open"}
}

func TestPosts(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		want := map[int64]*wpstore.Post{5: hall(s)}
		s.Post(6, "post", nil)
		store := newStore(s, nil)
		s.Runs("posts.read", func(ctx context.Context) {
			found, err := store.Posts(ctx, []int64{5, 99, 5, 0, -3})
			s.OK(err)
			if diff := cmp.Diff(want, found, ignoreDigests()); diff != "" {
				t.Error(diff)
			}
		})
		// A row that is missing may appear.
		s.Depended(rowtest.Tags(invalidation.Post, -3, 0, 5, 99)...)
		s.Runs("", func(ctx context.Context) {
			if found, err := store.Posts(ctx, nil); err != nil || found == nil || len(found) != 0 {
				t.Errorf("no ids: %v, %v", found, err)
			}
		})
	})
}

// TestPostHeads compares the heads that are read with those that come from whole posts.
func TestPostHeads(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		hall(s)
		s.Post(6, "post", rowtest.Row{"post_name": "jiny"})
		want := map[int64]wpstore.PostHead{
			5: {ID: 5, Author: 3, Parent: 2, Type: wpstore.VenueType, Status: "trash", Password: "x", Name: "sal__trashed", MimeType: "image/png"},
			6: {ID: 6, Type: "post", Status: "publish", Name: "jiny"},
		}
		eleven := []int64{5, 6, 11, 12, 13, 14, 15, 16, 17, 18, 19}
		cache, _ := rowtest.Cache(t)
		for _, c := range []struct {
			name, statements string
			ids              []int64
			load             func(context.Context, *posts.Store, []int64) (map[int64]wpstore.PostHead, error)
			view             *rowcache.View
		}{
			{"heads", "posts.heads", []int64{5, 6, 7, 5}, func(ctx context.Context, s *posts.Store, ids []int64) (map[int64]wpstore.PostHead, error) {
				return s.PostHeads(ctx, ids)
			}, s.View(cache)},
			{"no cache", "posts.heads", []int64{5, 6}, posts.CachedHeads, nil},
			{"more than ten", "posts.heads", eleven, posts.CachedHeads, s.View(cache)},
			{"ten", "posts.read", eleven[:10], posts.CachedHeads, s.View(cache)},
			{"again", "", append(eleven[:9:9], 5), posts.CachedHeads, s.View(cache)},
		} {
			t.Run(c.name, func(t *testing.T) {
				store := newStore(s, c.view)
				s.Runs(c.statements, func(ctx context.Context) {
					found, err := c.load(ctx, &store, c.ids)
					s.OK(err)
					if diff := cmp.Diff(want, found); diff != "" {
						t.Error(diff)
					}
				})
			})
		}
		request := s.Request()
		store := newStore(request, nil)
		s.Runs("", func(ctx context.Context) {
			if found, err := store.PostHeads(ctx, []int64{0, -1}); err != nil || found == nil || len(found) != 0 {
				t.Errorf("ids that no post has: %v, %v", found, err)
			}
		})
		request.Depended(rowtest.Tags(invalidation.Post, -1, 0)...)
	})
}

// TestManyIDs checks that ids beyond one IN list take more statements, and that none is lost.
func TestManyIDs(t *testing.T) {
	s := rowtest.NewSite(t, "sqlite")
	s.Post(5, "post", nil)
	s.Post(24_000, "post", nil)
	s.Meta(24_000, "k", "v")
	ids := make([]int64, 25_000)
	for i := range ids {
		ids[i] = int64(i)
	}
	cache, _ := rowtest.Cache(t)
	store := newStore(s, s.View(cache))
	blocks := func(name string) string {
		return strings.TrimSpace(strings.Repeat(name+" ", (len(ids)+sqlconn.MaxInList-1)/sqlconn.MaxInList))
	}
	for name, load := range map[string]func(context.Context) (int, error){
		"posts.heads": func(ctx context.Context) (int, error) {
			found, err := store.PostHeads(ctx, ids)
			return len(found), err
		},
		"posts.read": func(ctx context.Context) (int, error) { found, err := store.Posts(ctx, ids); return len(found), err },
		"meta.read": func(ctx context.Context) (int, error) {
			found, err := store.PostMeta(ctx, ids)
			return len(found) + 1, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			for range 2 { // so many are not cached
				s.Runs(blocks(name), func(ctx context.Context) {
					if found, err := load(ctx); found != 2 || err != nil {
						t.Errorf("%d posts of 2, %v", found, err)
					}
				})
			}
		})
	}
}

func TestPostIDsByPath(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		s.Post(9, wpstore.EventType, rowtest.Row{"post_name": "koncert"})
		s.Post(7, wpstore.EventType, rowtest.Row{"post_name": "koncert", "post_status": "draft"})
		s.Post(6, wpstore.VenueType, rowtest.Row{"post_name": "koncert"})
		s.Post(5, wpstore.EventType, rowtest.Row{"post_name": "cast", "post_parent": 7})
		s.Post(4, wpstore.EventType, rowtest.Row{"post_name": "kruh", "post_parent": 4})
		s.Post(3, wpstore.EventType, rowtest.Row{"post_name": "sirotek", "post_parent": 99})
		s.Post(2, wpstore.EventType, rowtest.Row{"post_name": "koncert", "post_parent": 9})
		store := newStore(s, nil)
		const asks, no = "posts.by_path", ""
		for _, c := range []struct{ postType, path, want, statements string }{
			{wpstore.EventType, "cast", "[]", asks}, // a child is found by its whole path only
			{wpstore.EventType, "koncert/cast", "[5]", asks},
			{wpstore.EventType, "jiny/cast", "[]", asks},
			{wpstore.EventType, "koncert", "[7 9]", asks},
			{wpstore.EventType, "koncert/koncert", "[2]", asks},
			{wpstore.EventType, "kruh", "[]", asks},
			{wpstore.EventType, "kruh/kruh", "[]", asks},
			{wpstore.EventType, "sirotek", "[]", asks},
			{wpstore.EventType, "KONCERT", "[]", asks}, // unlike the collation, byte by byte
			{wpstore.VenueType, "koncert", "[6]", asks},
			{wpstore.VenueType, "koncert/cast", "[]", asks},
			{wpstore.EventType, "neni", "[]", asks},
			{wpstore.EventType, "koncert' OR '1'='1", "[]", asks},
			{wpstore.EventType, "koncert\\", "[]", asks},
			{wpstore.EventType, "\xff\xfe", "[]", no},
			{wpstore.EventType, "a\x00b", "[]", no},
			{wpstore.EventType, strings.Repeat("x/", 31) + "x", "[]", asks},
			{wpstore.EventType, strings.Repeat("x/", 32) + "x", "[]", no},
		} {
			t.Run(c.postType+" "+c.path, func(t *testing.T) {
				s.Runs(c.statements, func(ctx context.Context) {
					ids, err := store.PostIDsByPath(ctx, c.postType, strings.Split(c.path, "/"))
					if got := fmt.Sprint(ids); err != nil || got != c.want {
						t.Errorf("%s, want %s: %v", got, c.want, err)
					}
				})
			})
		}
		s.Runs("", func(ctx context.Context) {
			if ids, err := store.PostIDsByPath(ctx, wpstore.EventType, nil); len(ids) > 0 || err != nil {
				t.Errorf("no path: %v, %v", ids, err)
			}
		})
	})
}

// TestPostIDByPrefix: an underscore and a percent sign stand for themselves.
func TestPostIDByPrefix(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		for id, r := range map[int64]rowtest.Row{
			1: {"post_name": "koncert-2"}, 2: {"post_name": "koncert-1"}, 3: {"post_name": "koncert-1"},
			4: {"post_name": "koncert", "post_status": "draft"}, 5: {"post_name": "b_b"}, 6: {"post_name": "b0b"}, 10: {"post_name": "bxb"}, 7: {"post_name": "50%"}, 8: {"post_name": "50"},
		} {
			s.Post(id, wpstore.EventType, r)
		}
		s.Post(9, wpstore.VenueType, rowtest.Row{"post_name": "koncert"})
		for prefix, want := range map[string]int64{"konc": 2, "koncert-2": 1, "koncert-1x": 0, "KONC": 2, "b_": 5, "50%": 7, "neni": 0, "\xff": 0} {
			t.Run(prefix, func(t *testing.T) {
				request := s.Request()
				store := newStore(request, nil)
				if got, err := store.PostIDByPrefix(t.Context(), wpstore.EventType, prefix); got != want || err != nil {
					t.Errorf("%d, want %d: %v", got, want, err)
				}
				request.Depended(invalidation.Tag{Kind: invalidation.Posts})
			})
		}
	})
}

// TestSearches checks the methods that search all posts, which depend on all of them.
func TestSearches(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		const block = "<!-- wp:paragraph --><p>Text</p>"
		s.Post(1, "page", rowtest.Row{"post_content": block + "1"})
		s.Post(2, "page", rowtest.Row{"post_content": block + "2"})
		s.Post(3, "page", rowtest.Row{"post_content": block, "post_status": "draft"})
		s.Post(4, "post", rowtest.Row{"post_content": block + "4"})
		s.Post(5, wpstore.EventType, rowtest.Row{"post_content": block})
		s.Post(6, "page", rowtest.Row{"post_content": "<p>Text</p>"})
		s.Meta(1, "layout", "wide")
		s.Meta(1, "layout", "narrow")
		s.Meta(3, "layout", nil)
		s.Meta(4, "other", "wide")
		for _, c := range []struct {
			name, statements, want string
			ask                    func(context.Context, *posts.Store) (any, error)
		}{
			{"a key", "posts.with_meta", "[1 3]", func(ctx context.Context, s *posts.Store) (any, error) {
				ids, err := s.WithMeta(ctx, "layout")
				slices.Sort(ids)
				return ids, err
			}},
			{"no such key", "posts.with_meta", "[]", func(ctx context.Context, s *posts.Store) (any, error) { return s.WithMeta(ctx, "neni") }},
			{"published", "posts.count", "3", func(ctx context.Context, s *posts.Store) (any, error) { return s.CountPublished(ctx, "page") }},
			{"none published", "posts.count", "0", func(ctx context.Context, s *posts.Store) (any, error) { return s.CountPublished(ctx, "neni") }},
			{"blocks", "posts.block_texts", "[4: " + block + "4 2: " + block + "2]", func(ctx context.Context, s *posts.Store) (any, error) {
				var found []string
				err := s.BlockTexts(ctx, []string{"page", "post"}, 2, func(id int64, content string) { found = append(found, fmt.Sprint(id, ": ", content)) })
				return found, err
			}},
		} {
			t.Run(c.name, func(t *testing.T) {
				request := s.Request()
				store := newStore(request, nil)
				s.Runs(c.statements, func(ctx context.Context) {
					if got, err := c.ask(ctx, &store); err != nil || fmt.Sprint(got) != c.want {
						t.Errorf("%v, want %s: %v", got, c.want, err)
					}
				})
				request.Depended(invalidation.Tag{Kind: invalidation.Posts})
			})
		}
	})
}

// TestOEmbedCache: of several posts of a key, the first one counts. Keys compare byte by byte.
func TestOEmbedCache(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		s.Post(3, "oembed_cache", rowtest.Row{"post_name": "abc", "post_content": "<iframe></iframe>"})
		s.Post(4, "oembed_cache", rowtest.Row{"post_name": "def", "post_content": "x", "post_status": "draft"})
		s.Post(5, "oembed_cache", rowtest.Row{"post_name": "abc", "post_content": "later"})
		s.Post(6, "page", rowtest.Row{"post_name": "ghi", "post_content": "x"})
		s.Post(7, "oembed_cache", rowtest.Row{"post_name": "empty"})
		store := newStore(s, nil)
		s.Runs("posts.oembed_cache", func(ctx context.Context) {
			cached, err := store.OEmbedCache(ctx, []string{"abc", "def", "ghi", "empty", "jkl"})
			if want := map[string]string{"abc": "<iframe></iframe>", "empty": ""}; err != nil || !maps.Equal(cached, want) {
				t.Errorf("%v, want %v: %v", cached, want, err)
			}
		})
		s.Runs("", func(ctx context.Context) {
			if cached, err := store.OEmbedCache(ctx, nil); cached == nil || len(cached) > 0 || err != nil {
				t.Errorf("no keys: %v, %v", cached, err)
			}
		})
	})
}

func TestAttachedImages(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		file := func(id int64, mime string, r rowtest.Row) {
			full := rowtest.Row{"post_status": "inherit", "post_mime_type": mime}
			maps.Copy(full, r)
			s.Post(id, wpstore.AttachmentType, full)
		}
		file(10, "image/jpeg", nil)
		file(11, "image/png", rowtest.Row{"menu_order": -1})
		file(12, "application/pdf", nil)
		file(13, "image/png", rowtest.Row{"post_status": "trash"})
		file(14, "image/png", rowtest.Row{"post_parent": 5})
		file(15, "image/svg+xml", nil)
		s.Post(16, "page", rowtest.Row{"post_status": "inherit", "post_mime_type": "image/png"})
		store := newStore(s, nil)
		for parent, want := range map[int64][]int64{0: {11, 10, 15}, 5: {14}, 6: nil} {
			s.Runs("posts.attached_images", func(ctx context.Context) {
				if got, err := store.AttachedImages(ctx, parent); err != nil || !slices.Equal(got, want) {
					t.Errorf("of %d: %v, want %v: %v", parent, got, want, err)
				}
			})
		}
	})
}

func TestAttachmentByURL(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		const a, b, c = "https://example.org/a.png", "https://example.org/b.png", "https://example.org/c.png"
		s.Post(3, "page", rowtest.Row{"guid": a})
		s.Post(6, wpstore.AttachmentType, rowtest.Row{"guid": a})
		s.Post(5, wpstore.AttachmentType, rowtest.Row{"guid": a, "post_status": "inherit"})
		s.Post(4, wpstore.AttachmentType, nil)
		s.Meta(4, wpstore.OriginalURL, a)
		s.Post(8, wpstore.AttachmentType, nil)
		s.Meta(8, wpstore.OriginalURL, b)
		s.Post(7, wpstore.AttachmentType, nil)
		s.Meta(7, wpstore.OriginalURL, b)
		s.Post(2, "page", nil)
		s.Meta(2, wpstore.OriginalURL, b)
		s.Meta(1, wpstore.OriginalURL, b) // of a post that is gone
		s.Meta(7, "other", c)
		store := newStore(s, nil)
		const both = "attachments.by_guid attachments.by_source"
		for _, c := range []struct {
			name, url  string
			want       int64
			statements string
		}{
			{"by its address", a, 5, "attachments.by_guid"},
			{"by where it came from", b, 7, both},
			{"under another key", c, 0, both},
			{"no text", "\xff", 0, ""},
		} {
			t.Run(c.name, func(t *testing.T) {
				s.Runs(c.statements, func(ctx context.Context) {
					if got, err := store.AttachmentByURL(ctx, c.url); got != c.want || err != nil {
						t.Errorf("%d, want %d: %v", got, c.want, err)
					}
				})
			})
		}
	})
}
