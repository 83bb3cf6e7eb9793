package sitedb_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"calbridge/wpstore"
)

func TestPosts(t *testing.T) {
	eachEngine(t, func(f fixture) {
		f.Post(5, "tribe_venue", row{"post_title": "Sál <b>A</b>", "post_content": "obsah", "post_excerpt": "výtah",
			"post_status": "trash", "post_name": "sal__trashed", "post_password": "x", "post_author": 3, "post_parent": 2,
			"post_date": "2026-02-28 23:59:59", "post_date_gmt": "0000-00-00 00:00:00",
			"post_modified": "2026-03-01 00:00:00", "post_modified_gmt": "2026-02-28 23:00:00",
			"menu_order": -1, "guid": "https://example.org/?p=5", "post_mime_type": "image/png",
			"comment_status": "closed", "ping_status": "closed"})
		f.Post(6, "post", row{"post_name": "jiny"})
		f.queries(1, func(ctx context.Context) {
			posts, err := f.Posts.Posts(ctx, []int64{5, 99, 5, 0, -3})
			f.OK(err)
			want := map[int64]*wpstore.Post{5: {ID: 5, Author: 3, Parent: 2, MenuOrder: -1,
				PostDates: wpstore.PostDates{
					Date: "2026-02-28 23:59:59", DateGMT: "0000-00-00 00:00:00", Modified: "2026-03-01 00:00:00", ModifiedGMT: "2026-02-28 23:00:00",
				},
				Content: "obsah", Title: "Sál <b>A</b>", Excerpt: "výtah",
				Status: "trash", Name: "sal__trashed", Password: "x",
				Type: "tribe_venue", MimeType: "image/png", GUID: "https://example.org/?p=5",
				CommentStatus: "closed", PingStatus: "closed"}}
			if diff := cmp.Diff(want, posts, ignoreDigests()); diff != "" {
				f.t.Error(diff)
			}
		})
		f.queries(1, func(ctx context.Context) {
			heads, err := f.Posts.PostHeads(ctx, []int64{5, 6, 7})
			f.OK(err)
			want := map[int64]wpstore.PostHead{
				5: {ID: 5, Author: 3, Parent: 2, Type: "tribe_venue", Status: "trash", Password: "x", Name: "sal__trashed", MimeType: "image/png"},
				6: {ID: 6, Type: "post", Status: "publish", Name: "jiny"},
			}
			if diff := cmp.Diff(want, heads); diff != "" {
				f.t.Error(diff)
			}
		})
		f.queries(0, func(ctx context.Context) {
			posts, err := f.Posts.Posts(ctx, nil)
			heads, err2 := f.Posts.PostHeads(ctx, []int64{0, -1})
			f.OK(err)
			f.OK(err2)
			if posts == nil || len(posts) != 0 || heads == nil || len(heads) != 0 {
				f.t.Error("no ids should give empty maps")
			}
		})
	})
}

func TestPostIDsByPath(t *testing.T) {
	eachEngine(t, func(f fixture) {
		f.Post(9, "tribe_events", row{"post_name": "koncert"})
		f.Post(7, "tribe_events", row{"post_name": "koncert", "post_status": "draft"})
		f.Post(6, "tribe_venue", row{"post_name": "koncert"})
		f.Post(5, "tribe_events", row{"post_name": "cast", "post_parent": 7})
		for _, c := range []struct {
			postType, path string
			want           string
		}{
			{"tribe_events", "cast", "[]"}, // a child is found by its whole path only
			{"tribe_events", "koncert/cast", "[5]"},
			{"tribe_events", "jiny/cast", "[]"},
			{"tribe_events", "koncert", "[7 9]"},
			{"tribe_events", "KONCERT", "[]"}, // unlike the collation, byte by byte
			{"tribe_venue", "koncert", "[6]"},
			{"tribe_events", "neni", "[]"},
			{"tribe_events", "koncert' OR '1'='1", "[]"},
			{"tribe_events", "koncert\\", "[]"},
			{"tribe_events", "\xff\xfe", "[]"},
			{"tribe_events", "a\x00b", "[]"},
		} {
			ids, err := f.Posts.PostIDsByPath(f.t.Context(), c.postType, strings.Split(c.path, "/"))
			f.OK(err)
			if got := fmt.Sprint(ids); got != c.want {
				f.t.Errorf("%s %q: %s, want %s", c.postType, c.path, got, c.want)
			}
		}
	})
}

func TestOEmbedCacheAndImages(t *testing.T) {
	eachEngine(t, func(f fixture) {
		f.Post(3, "oembed_cache", row{"post_name": "abc", "post_content": "<iframe></iframe>"})
		f.Post(4, "oembed_cache", row{"post_name": "def", "post_content": "x", "post_status": "draft"})
		f.queries(1, func(ctx context.Context) {
			cached, err := f.Posts.OEmbedCache(ctx, []string{"abc", "def", "ghi"})
			f.OK(err)
			if !maps.Equal(cached, map[string]string{"abc": "<iframe></iframe>"}) {
				f.t.Errorf("cached: %v", cached)
			}
		})
		f.queries(0, func(ctx context.Context) {
			_, err := f.Posts.OEmbedCache(ctx, nil)
			f.OK(err)
		})
		image := row{"post_status": "inherit", "post_mime_type": "image/jpeg"}
		f.Post(10, "attachment", image)
		f.Post(11, "attachment", row{"post_status": "inherit", "post_mime_type": "image/png", "menu_order": -1})
		f.Post(12, "attachment", row{"post_status": "inherit", "post_mime_type": "application/pdf"})
		f.Post(13, "attachment", row{"post_status": "trash", "post_mime_type": "image/png"})
		f.Post(14, "attachment", row{"post_status": "inherit", "post_mime_type": "image/png", "post_parent": 5})
		unattached, err := f.Posts.AttachedImages(f.t.Context(), 0)
		f.OK(err)
		attached, err := f.Posts.AttachedImages(f.t.Context(), 5)
		f.OK(err)
		if !slices.Equal(unattached, []int64{11, 10}) || !slices.Equal(attached, []int64{14}) {
			f.t.Errorf("unattached %v, attached %v", unattached, attached)
		}
	})
}

func TestMeta(t *testing.T) {
	eachEngine(t, func(f fixture) {
		f.Meta(5, "_EventCost", "20")
		f.Meta(6, "_EventURL", "")
		f.Meta(5, "_eventcost", "wrong case")
		f.Meta(5, "_EventCost", "10")
		f.Meta(5, "_VenueCity", nil)
		f.Meta(5, "_tribe_modified_fields", "a:0:{}")
		f.queries(1, func(ctx context.Context) {
			metas, err := f.Posts.PostMeta(ctx, []int64{6, 5, 404})
			f.OK(err)
			m := metas[5]
			if first, ok := m.First("_EventCost"); first != "20" || !ok {
				f.t.Errorf("first cost %q %v", first, ok)
			}
			if all := m.All("_EventCost"); !slices.Equal(all, []string{"20", "10"}) {
				f.t.Errorf("costs %q", all)
			}
			if city, ok := m.First("_VenueCity"); city != "" || ok || m.Field(wpstore.MetaVenueCity).Present {
				f.t.Errorf("NULL counts as no row, as for PHP's isset: %q %v", city, ok)
			}
			if url, ok := metas[6].First("_EventURL"); url != "" || !ok || !metas[6].Has("_EventURL") {
				f.t.Errorf("an empty value: %q %v", url, ok)
			}
			if m.Has("_tribe_modified_fields") || metas[404].Has("_EventURL") || metas[404].All("_EventURL") != nil {
				f.t.Error("metadata that should not be there")
			}
		})
		f.queries(1, func(ctx context.Context) {
			metas, err := f.Posts.PostMetaKeys(ctx, []int64{5, 6}, []string{"_tribe_modified_fields"})
			f.OK(err)
			if v, _ := metas[5].First("_tribe_modified_fields"); v != "a:0:{}" || len(metas) != 1 {
				f.t.Errorf("by key: %v", metas)
			}
		})
		f.queries(0, func(ctx context.Context) {
			_, err := f.Posts.PostMetaKeys(ctx, []int64{5}, nil)
			f.OK(err)
			_, err = f.Posts.PostMeta(ctx, nil)
			f.OK(err)
		})
	})
}

// Ids beyond one IN list take more queries, and none is lost.
func TestManyIDs(t *testing.T) {
	f := newSite(t, "sqlite")
	f.Post(5, "post", nil)
	f.Post(24_000, "post", nil)
	ids := make([]int64, 25_000)
	for i := range ids {
		ids[i] = int64(i)
	}
	f.queries(3, func(ctx context.Context) {
		heads, err := f.Posts.PostHeads(ctx, ids)
		f.OK(err)
		if len(heads) != 2 {
			t.Errorf("%d posts of 2", len(heads))
		}
	})
	f.queries(1, func(ctx context.Context) {
		_, total, err := eventIDs(ctx, &f.Events, wpstore.EventQuery{Include: ids, Occurrences: true, Limit: 10})
		f.OK(err)
		if total != 0 {
			t.Errorf("total %d", total)
		}
	})
}

func TestOptions(t *testing.T) {
	eachEngine(t, func(f fixture) {
		f.Insert("options", row{"option_name": "home", "option_value": "https://example.org"})
		f.Insert("options", row{"option_name": "gmt_offset", "option_value": ""})
		f.queries(1, func(ctx context.Context) {
			got, err := f.Options.Options(ctx, []string{"home", "gmt_offset", "blogname", "x' OR 1=1 -- "})
			f.OK(err)
			if !maps.Equal(got, map[string]string{"home": "https://example.org", "gmt_offset": ""}) {
				f.t.Errorf("options: %v", got)
			}
		})
		// As in WordPress, the collation decides which row a name finds.
		got, err := f.Options.Options(f.t.Context(), []string{"HOME"})
		f.OK(err)
		if got["HOME"] != "https://example.org" {
			f.t.Errorf("options: %v", got)
		}
		f.queries(0, func(ctx context.Context) {
			_, err := f.Options.Options(ctx, nil)
			f.OK(err)
		})
	})
}

func TestUsers(t *testing.T) {
	eachEngine(t, func(f fixture) {
		f.Insert("users", row{"ID": 4, "user_login": "Jana", "user_email": "jana@example.org", "user_pass": "$P$hash"})
		f.Insert("users", row{"ID": 3, "user_login": "petr", "user_email": "dva@example.org"})
		f.Insert("users", row{"ID": 2, "user_login": "pavel", "user_email": "dva@example.org"})
		for _, m := range []row{
			{"user_id": 4, "meta_key": "wp_capabilities", "meta_value": "a:1:{s:6:\"editor\";b:1;}"},
			{"user_id": 4, "meta_key": "WP_CAPABILITIES", "meta_value": "wrong case"},
			{"user_id": 4, "meta_key": "wp_capabilities", "meta_value": "second row"},
			{"user_id": 4, "meta_key": "_application_passwords", "meta_value": "A:0:{}"},
			{"user_id": 4, "meta_key": "nickname", "meta_value": "j"},
			{"user_id": 2, "meta_key": "session_tokens", "meta_value": nil},
		} {
			f.Insert("usermeta", m)
		}
		want := &wpstore.User{ID: 4, Login: "Jana", Email: "jana@example.org", Pass: "$P$hash", AppPasswordMetaID: 4,
			Meta: map[string]string{wpstore.MetaCapabilities: "a:1:{s:6:\"editor\";b:1;}", wpstore.MetaAppPasswords: "A:0:{}"}}
		f.queries(2, func(ctx context.Context) {
			for _, find := range []func() (*wpstore.User, error){
				func() (*wpstore.User, error) { return f.Users.UserByLogin(ctx, "jana") },
				func() (*wpstore.User, error) { return f.Users.UserByEmail(ctx, "JANA@example.org") },
			} {
				user, err := find()
				f.OK(err)
				if diff := cmp.Diff(want, user); diff != "" {
					f.t.Error(diff)
				}
			}
		})
		lowest, err := f.Users.UserByEmail(f.t.Context(), "dva@example.org")
		f.OK(err)
		if lowest == nil || lowest.ID != 2 || !maps.Equal(lowest.Meta, map[string]string{wpstore.MetaSessions: ""}) {
			f.t.Errorf("two users of one address: %+v", lowest)
		}
		for _, login := range []string{"nobody", "", "jana' -- ", "\xff"} {
			if user, err := f.Users.UserByLogin(f.t.Context(), login); user != nil || err != nil {
				f.t.Errorf("login %q: %v, %v", login, user, err)
			}
		}
		for id, want := range map[int64]int64{4: 1, 5: 0, 0: 0, -1: 0} {
			if got, err := f.Users.CountUsers(f.t.Context(), []int64{id, id}); got != want || err != nil {
				f.t.Errorf("users of id %d: %v, %v", id, got, err)
			}
		}
		// The row is replaced only if it is byte for byte what was read.
		f.OK(f.Users.RecordApplicationPasswordUse(f.t.Context(), 4, "a:0:{}", "never"))
		f.OK(f.Users.RecordApplicationPasswordUse(f.t.Context(), 4, "A:0:{}", "a:1:{i:0;i:1;}"))
		user, err := f.Users.UserByLogin(f.t.Context(), "jana")
		f.OK(err)
		if user.Meta[wpstore.MetaAppPasswords] != "a:1:{i:0;i:1;}" {
			f.t.Errorf("recorded %q", user.Meta[wpstore.MetaAppPasswords])
		}
	})
}
