package rowedit_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/wptest/rowtest"
)

// reader reads the columns that the tests look at.
type reader struct{ rows *rowedit.Rows }

func (r reader) Posts(ctx context.Context, ids []int64) (map[int64]*wpstore.Post, error) {
	b, found := sqlconn.NewBatch(r.rows.Runner), map[int64]*wpstore.Post{}
	if err := r.QueuePosts(b, ids, found); err != nil {
		return nil, err
	}
	return found, b.Send(ctx)
}

func (r reader) QueuePosts(b *sqlconn.Batch, ids []int64, found map[int64]*wpstore.Post) error {
	var p wpstore.Post
	b.Query("test", sq.Select("ID", "post_title", "post_type", "menu_order").From("wp_posts").Where(sq.Eq{"ID": ids}),
		sqlconn.EachRow(func() { found[p.ID] = new(p) }, &p.ID, &p.Title, &p.Type, &p.MenuOrder))
	return nil
}

func TestPosts(t *testing.T) {
	rows := rowtest.Rows(t)
	metas := rowedit.Metas{Rows: rows}
	posts := rowedit.Posts{Rows: rows, Metas: metas, Read: reader{rows}}
	var ids []int64
	for _, p := range []wpstore.Post{{Title: "Jazz night", Type: wpstore.EventType}, {Title: "Old mill", Type: "page"}} {
		id, err := rows.Add(t.Context(), "test", "posts", rowedit.PostColumns(&p))
		if err != nil {
			t.Fatal(err)
		}
		meta, err := metas.New(t.Context(), id, p.Type, true)
		if err != nil {
			t.Fatal(err)
		}
		meta.Add("color", "blue")
		meta.Add("color", "green")
		if err := metas.Write(t.Context(), meta); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	// The Events Calendar records changes of its own posts, in the site's time.
	const record = `_tribe_modified_fields a:1:{s:5:"color";i:1795266000;}`
	stored := func(step, want string) {
		t.Helper()
		if got := rowtest.Texts(t, rows, "SELECT meta_id, post_id, meta_key, meta_value FROM wp_postmeta ORDER BY meta_id"); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", step, got, want)
		}
	}
	stored("new posts", strings.Join([]string{"1 1 color blue", "2 1 " + record, "3 1 color green", "4 2 color blue", "5 2 color green"}, "\n"))

	none, err := posts.Lock(t.Context())
	if err != nil || none != nil {
		t.Errorf("locked %v, %v", none, err)
	}
	locked, err := posts.Lock(t.Context(), 1, 2, 99)
	if err != nil || !slices.Equal(slices.Sorted(maps.Keys(locked)), ids) || locked[1].Title != "Jazz night" {
		t.Fatalf("locked %v, %v", locked, err)
	}
	if got := locked[2].Meta.All("color"); !slices.Equal(got, []string{"blue", "green"}) {
		t.Errorf("colours %q", got)
	}
	locked[1].Meta.TouchTaxonomy("post_tag", 1)
	if !locked[1].Meta.Touched("post_tag") || locked[2].Meta.Touched("color") {
		t.Error("the wrong names were touched")
	}
	locked[2].Meta.DeleteValue("color", "blue")
	locked[2].Meta.Update("color", "red")
	if err := metas.Write(t.Context(), locked[1].Meta, locked[2].Meta); err != nil {
		t.Fatal(err)
	}
	stored("changed", strings.Join([]string{"1 1 color blue", `2 1 _tribe_modified_fields a:2:{s:5:"color";i:1795266000;s:8:"post_tag";i:1;}`, "3 1 color green", "5 2 color red"}, "\n"))

	fresh := *locked[2].Post
	fresh.Title, fresh.MenuOrder = "New mill", 3
	if err := posts.Update(t.Context(), locked[2].Post, &fresh); err != nil {
		t.Fatal(err)
	}
	if err := posts.Update(t.Context(), &fresh, &fresh); err != nil {
		t.Fatal(err)
	}
	if got := rowtest.Texts(t, rows, "SELECT ID, post_title, menu_order, to_ping FROM wp_posts"); got != "1 Jazz night 0 \n2 New mill 3 " {
		t.Errorf("posts:\n%s", got)
	}
	if rows.LocalTime() != "2026-11-21 13:00:00" || rows.UTCTime() != "2026-11-21 12:00:00" {
		t.Errorf("%s and %s", rows.LocalTime(), rows.UTCTime())
	}
}
