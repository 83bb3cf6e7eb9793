package sitedb_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"calbridge/wpstore"
	"calbridge/wpstore/edit"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sitedb"
)

func testWriting() sitedb.Writing {
	return sitedb.Writing{User: 1, Zone: time.FixedZone("", 3600), Posts: edit.Rules{
		Home:       "https://calendar.example",
		MayPublish: func(string) bool { return true },
		Permalink:  func(p *wpstore.Post) string { return "https://calendar.example/event/" + p.Name + "/" },
		Clean:      func(*wpstore.Post) {},
		Slug:       func(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), "-")) },
	}}
}

// write calls Write when only rows are wanted.
func write(ctx context.Context, s *sitedb.Session, do func(*sitedb.Tx) error) error {
	_, err := sitedb.Write(ctx, s, testWriting(), func(tx *sitedb.Tx) (struct{}, error) { return struct{}{}, do(tx) })
	return err
}

// lockRows adds the options whose rows are locked.
func (f fixture) lockRows() {
	for _, name := range rowedit.LockOptions() {
		f.Insert("options", row{"option_name": name, "option_value": "x"})
	}
}

// TestWriteIsAllOrNothing checks that an error, and a panic, take back every row.
func TestWriteIsAllOrNothing(t *testing.T) {
	eachEngine(t, func(f fixture) {
		f.lockRows()
		ctx := context.Background()
		refused := errors.New("refused")
		insert := func(tx *sitedb.Tx) error {
			_, err := tx.TermEditor.Insert(ctx, wpstore.NewTerm{Taxonomy: wpstore.CategoryTaxonomy, Name: "A", Slug: "a", Hierarchical: true})
			return err
		}
		if err := write(ctx, f.db.Session(nil), func(tx *sitedb.Tx) error { return errors.Join(insert(tx), refused) }); !errors.Is(err, refused) {
			t.Errorf("error %v", err)
		}
		func() {
			defer func() { _ = recover() }()
			_ = write(ctx, f.db.Session(nil), func(tx *sitedb.Tx) error {
				if err := insert(tx); err != nil {
					t.Error(err)
				}
				panic("on purpose")
			})
		}()
		if terms, err := f.Terms.TermTree(ctx, wpstore.CategoryTaxonomy); err != nil || len(terms) != 0 {
			t.Errorf("%d terms, %v", len(terms), err)
		}
		if err := write(ctx, f.Session, insert); err != nil {
			t.Fatal(err)
		}
		if terms, err := f.Terms.TermTree(ctx, wpstore.CategoryTaxonomy); err != nil || len(terms) != 1 {
			t.Errorf("%d terms, %v", len(terms), err)
		}
	})
}

// TestTermRules checks duplicates, slugs and what becomes of children.
func TestTermRules(t *testing.T) {
	eachEngine(t, func(f fixture) {
		f.lockRows()
		ctx := context.Background()
		add := func(name, slug string, given bool, parent int64) (made wpstore.Term, err error) {
			err = write(ctx, f.db.Session(nil), func(tx *sitedb.Tx) (err error) {
				made, err = tx.TermEditor.Insert(ctx, wpstore.NewTerm{Taxonomy: wpstore.CategoryTaxonomy, Hierarchical: true, Name: name, Slug: slug, SlugGiven: given, Parent: parent})
				return err
			})
			return made, err
		}
		music, err := add("Music", "music", false, 0)
		if err != nil {
			t.Fatal(err)
		}
		var exists *wpstore.TermExistsError
		if _, err := add("music", "music", false, 0); !errors.As(err, &exists) || exists.ID != music.ID {
			t.Errorf("a duplicate: %v", err)
		}
		if made, err := add("Music", "other", true, 0); err != nil || made.Slug != "other" {
			t.Errorf("a slug of its own: %q, %v", made.Slug, err)
		}
		child, err := add("Music", "music", false, music.ID)
		if err != nil || child.Slug != "music-music" {
			t.Errorf("below another: %q, %v", child.Slug, err)
		}
		if made, err := add("???", "", false, 0); err != nil || made.Slug != fmt.Sprint(made.ID) {
			t.Errorf("no slug at all: %q, %v", made.Slug, err)
		}
		if _, err := add(strings.Repeat("é", 201), "long", false, 0); !errors.Is(err, wpstore.ErrTooLong) {
			t.Errorf("too long: %v", err)
		}
		long, other := strings.Repeat("é", 201), "other"
		for slug, want := range map[*string]error{nil: wpstore.ErrTooLong, &other: &wpstore.SlugTakenError{Slug: other}} { // the slug is looked for first
			err := write(ctx, f.db.Session(nil), func(tx *sitedb.Tx) error {
				_, err := tx.TermEditor.Update(ctx, music, edit.TermChange{Name: &long, Slug: slug, Hierarchical: true})
				return err
			})
			if err == nil || !strings.Contains(err.Error(), want.Error()) {
				t.Errorf("a name that is too long: %v, want %v", err, want)
			}
		}
		options, _ := f.Options.Options(ctx, []string{"tribe_events_cat_children"})
		if want := fmt.Sprintf("a:1:{i:%d;a:1:{i:0;i:%d;}}", music.ID, child.ID); options["tribe_events_cat_children"] != want {
			t.Errorf("children %q, want %q", options["tribe_events_cat_children"], want)
		}
		err = write(ctx, f.db.Session(nil), func(tx *sitedb.Tx) error {
			loop := child.ID
			_, err := tx.TermEditor.Update(ctx, music, edit.TermChange{Parent: &loop, Hierarchical: true})
			return errors.Join(err, tx.TermEditor.Delete(ctx, music, true))
		})
		if err != nil {
			t.Fatal(err)
		}
		tree, _ := f.Terms.TermTree(ctx, wpstore.CategoryTaxonomy)
		if _, there := tree[music.ID]; there || tree[child.ID].Parent != 0 {
			t.Errorf("after deleting: %+v", tree)
		}
	})
}

// TestPostLife follows a post from its first draft into the trash and back.
func TestPostLife(t *testing.T) {
	eachEngine(t, func(f fixture) {
		f.lockRows()
		ctx := context.Background()
		var id int64
		change := func(do func(*edit.PostEdit) error) *wpstore.Post {
			t.Helper()
			err := write(ctx, f.db.Session(nil), func(tx *sitedb.Tx) error {
				e, err := tx.PostEditor.Edit(ctx, id)
				if err != nil {
					return err
				}
				if id == 0 {
					e = tx.PostEditor.New(wpstore.Post{Type: wpstore.VenueType, Title: " Hall ", Status: "draft", Author: 1})
				}
				if err := do(e); err != nil {
					return err
				}
				id = e.ID
				return e.Flush(ctx)
			})
			if err != nil {
				t.Fatal(err)
			}
			posts, _ := f.Posts.Posts(ctx, []int64{id})
			return posts[id]
		}
		check := func(step string, p *wpstore.Post, status, name, gmt string) {
			t.Helper()
			if p.Status != status || p.Name != name || p.DateGMT != gmt {
				t.Errorf("%s: %s %q %s, want %s %q %s", step, p.Status, p.Name, p.DateGMT, status, name, gmt)
			}
		}
		save := func(status string) func(*edit.PostEdit) error {
			return func(e *edit.PostEdit) error { e.Status = status; return e.Save(ctx) }
		}
		const unset, now = "0000-00-00 00:00:00", "2026-11-21 12:00:00"
		check("draft", change(save("draft")), "draft", "", unset)
		p := change(save("publish"))
		check("published", p, "publish", "hall", now)
		if p.Title != "Hall" || !strings.HasSuffix(p.GUID, "?post_type=tribe_venue&#038;p="+fmt.Sprint(id)) {
			t.Errorf("title %q, guid %q", p.Title, p.GUID)
		}
		check("trashed", change(func(e *edit.PostEdit) error { return e.Trash(ctx, "trash") }), "trash", "hall__trashed", now)
		check("back", change(save("publish")), "publish", "hall", now)
		check("scheduled", change(func(e *edit.PostEdit) error {
			e.Date, e.DateGMT = "2027-01-01 10:00:00", ""
			return save("publish")(e)
		}), "future", "hall", "2027-01-01 09:00:00")
		options, _ := f.Options.Options(ctx, []string{"cron"})
		if !strings.Contains(options["cron"], "publish_future_post") {
			t.Errorf("cron %q", options["cron"])
		}
		meta, _ := f.Posts.PostMeta(ctx, []int64{id})
		if old := meta[id].All("_wp_old_slug"); len(old) != 1 || old[0] != "hall__trashed" {
			t.Errorf("old slugs %q", old)
		}
		err := write(ctx, f.db.Session(nil), func(tx *sitedb.Tx) error {
			return tx.PostEditor.New(wpstore.Post{Type: wpstore.VenueType, Title: " ", Status: "publish"}).Save(ctx)
		})
		if !errors.Is(err, wpstore.ErrEmptyContent) {
			t.Errorf("an empty post: %v", err)
		}
	})
}
