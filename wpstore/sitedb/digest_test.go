package sitedb_test

import (
	"fmt"
	"testing"

	"calbridge/wpstore"
)

// TestDigests changes one stored value at a time: the digests of what it belongs to
// change, those of everything else stay.
func TestDigests(t *testing.T) {
	eachEngine(t, func(f fixture) {
		f.Post(1, wpstore.EventType, row{"post_title": "ab", "post_excerpt": "c"})
		f.Post(2, wpstore.EventType, row{})
		f.Meta(1, "k", "v")
		f.Meta(1, "k2", nil)
		f.Meta(2, "k", "v")
		f.Term(7, wpstore.CategoryTaxonomy, "Jazz", "jazz", 0, 1)
		f.Tag(1, 7)
		load := func() map[string]wpstore.Digest {
			ids := []int64{1, 2}
			posts, err := f.Posts.Posts(t.Context(), ids)
			f.OK(err)
			meta, err := f.Posts.PostMeta(t.Context(), ids)
			f.OK(err)
			terms, err := f.Terms.PostTerms(t.Context(), ids, []string{wpstore.CategoryTaxonomy})
			f.OK(err)
			out := map[string]wpstore.Digest{}
			for _, id := range ids {
				out[fmt.Sprint("post ", id)], out[fmt.Sprint("meta ", id)] = posts[id].Digest, meta[id].Digest()
				for i := range terms[id] {
					out[fmt.Sprint("term ", id)] = terms[id][i].Digest
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
			if _, err := f.db.SQL().Exec(c.statement); err != nil {
				t.Fatal(err)
			}
			after := load()
			for what := range before {
				if changed := before[what] != after[what]; changed != (what == c.changes) {
					t.Errorf("%s: changed %v: %v", c.statement, what, changed)
				}
			}
			before = after
		}
	})
}
