package edit_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"calbridge/wpstore"
	"calbridge/wpstore/edit"
	"calbridge/wpstore/wptest/rowtest"
)

// TestSlugs: a slug is unique among the posts of its type, in whatever status.
func TestSlugs(t *testing.T) {
	long := strings.Repeat("x", 200)
	for _, c := range []struct {
		name  string
		other string // comma-separated slugs of other events
		post  wpstore.Post
		want  string
	}{
		{"from the title", "", wpstore.Post{Title: "Jazz Night"}, "jazz-night"},
		{"given", "", wpstore.Post{Title: "Jazz Night", Name: "swing"}, "swing"},
		{"taken", "jazz", wpstore.Post{Title: "Jazz"}, "jazz-2"},
		{"taken twice", "jazz,jazz-2", wpstore.Post{Title: "Jazz"}, "jazz-3"},
		{"a gap", "jazz,jazz-3", wpstore.Post{Title: "Jazz"}, "jazz-2"},
		{"equal under the collation", "café", wpstore.Post{Title: "Cafe"}, "cafe-2"},
		{"a number equal under the collation", "cafe,café-2", wpstore.Post{Title: "Cafe"}, "cafe-3"},
		{"reserved", "", wpstore.Post{Title: "Feed"}, "feed-2"},
		{"reserved and taken", "feed-2", wpstore.Post{Title: "Feed"}, "feed-3"},
		{"an underscore is not a wildcard", "a_b,axb-2", wpstore.Post{Title: "a_b"}, "a_b-2"},
		{"the longest", long, wpstore.Post{Title: long}, long[:198] + "-2"},
		{"another type", "hall", wpstore.Post{Title: "Hall", Type: wpstore.VenueType}, "hall"},
		{"a draft", "jazz", wpstore.Post{Title: "Jazz", Status: "draft"}, ""},
		{"a draft's own", "jazz", wpstore.Post{Title: "Jazz", Name: "jazz", Status: "draft"}, "jazz"},
		{"a private post", "jazz", wpstore.Post{Title: "Jazz", Status: "private"}, "jazz-2"},
		{"no letters", "", wpstore.Post{Content: "x"}, "60"},
		{"an id that is taken", "60", wpstore.Post{Content: "x"}, "60-2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := newEditor(t, nil)
			e.exec("INSERT INTO wp_posts (ID, post_type, post_status) VALUES (59, 'page', 'publish')")
			for i, slug := range strings.Split(c.other, ",") {
				if slug != "" {
					e.exec("INSERT INTO wp_posts (ID, post_type, post_status, post_name) VALUES (?, ?, ?, ?)", i+1, wpstore.EventType, []string{"trash", "draft", "publish"}[i], slug)
				}
			}
			p := c.post
			if p.Type == "" {
				p.Type = wpstore.EventType
			}
			if p.Status == "" {
				p.Status = "publish"
			}
			made := e.save(p)
			e.holds("slug", fmt.Sprint("SELECT post_name FROM wp_posts WHERE ID = ", made.ID), c.want)
			if made.ID != 60 {
				t.Errorf("post %d", made.ID)
			}
			// The slug stays when the post is saved again.
			e.change(made.ID, func(ctx context.Context, p *edit.PostEdit) error {
				p.Content = "changed"
				return e.posts.Save(ctx, p)
			})
			e.holds("again", fmt.Sprint("SELECT post_name FROM wp_posts WHERE ID = ", made.ID), c.want)
		})
	}
}

// TestPostLife follows a post from its first draft into the trash and back.
func TestPostLife(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *editor) {
		const unset, now = "0000-00-00 00:00:00", "2026-11-21 12:00:00"
		made := e.save(wpstore.Post{Type: wpstore.VenueType, Title: " Hall ", Status: "draft", Author: 1})
		row := fmt.Sprint("SELECT post_title, post_status, post_name, post_date_gmt FROM wp_posts WHERE ID = ", made.ID)
		save := func(status string) func(context.Context, *edit.PostEdit) error {
			return func(ctx context.Context, p *edit.PostEdit) error {
				p.Status = status
				if err := e.posts.Save(ctx, p); err != nil {
					return err
				}
				return e.posts.Flush(ctx, p)
			}
		}
		e.holds("draft", row, "Hall draft  "+unset)
		e.change(made.ID, save("publish"))
		e.holds("published", row, "Hall publish hall "+now)
		e.holds("guid", fmt.Sprint("SELECT guid FROM wp_posts WHERE ID = ", made.ID), fmt.Sprint("https://lipa.example/?post_type=tribe_venue&#038;p=", made.ID))
		e.change(made.ID, func(ctx context.Context, p *edit.PostEdit) error {
			if err := e.posts.Trash(ctx, p, "trash"); err != nil {
				return err
			}
			return e.posts.Flush(ctx, p)
		})
		e.holds("trashed", row, "Hall trash hall__trashed "+now)
		e.change(made.ID, save("publish"))
		e.holds("back", row, "Hall publish hall "+now)
		e.change(made.ID, func(ctx context.Context, p *edit.PostEdit) error {
			p.Date, p.DateGMT = "2027-01-01 10:00:00", ""
			return save("publish")(ctx, p)
		})
		e.holds("scheduled", row, "Hall future hall 2027-01-01 09:00:00")
		e.holds("cron", "SELECT COUNT(*) FROM wp_options WHERE option_name = 'cron' AND option_value LIKE '%publish_future_post%'", "1")
		e.holds("old slugs", fmt.Sprint("SELECT meta_value FROM wp_postmeta WHERE meta_key = '_wp_old_slug' AND post_id = ", made.ID), "hall__trashed")
		e.change(made.ID, save("draft"))
		e.holds("cron of a draft", "SELECT COUNT(*) FROM wp_options WHERE option_name = 'cron' AND option_value LIKE '%publish_future_post%'", "0")
	})
}

// TestRefused: nothing is written of a post that can't be saved.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name string
		post wpstore.Post
		want error
	}{
		{"empty", wpstore.Post{Title: " \n"}, wpstore.ErrEmptyContent},
		{"a title that is too long", wpstore.Post{Title: strings.Repeat("ž", 1<<15)}, wpstore.ErrTooLong},
		{"an excerpt that is too long", wpstore.Post{Excerpt: strings.Repeat("x", 1<<16)}, wpstore.ErrTooLong},
		{"a long content", wpstore.Post{Content: strings.Repeat("x", 1<<16)}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := newEditor(t, nil)
			c.post.Type, c.post.Status = wpstore.VenueType, "publish"
			if err := e.posts.Check(c.post); !errors.Is(err, c.want) {
				t.Errorf("Check: %v", err)
			}
			if err := e.posts.Save(t.Context(), e.posts.New(c.post)); !errors.Is(err, c.want) {
				t.Errorf("Save: %v", err)
			}
			e.holds("rows", "SELECT COUNT(*) FROM wp_posts", map[bool]string{true: "1", false: "0"}[c.want == nil])
		})
	}
}

// TestMissing: there is nothing to edit where there is no post.
func TestMissing(t *testing.T) {
	e := newEditor(t, nil)
	if p, err := e.posts.Edit(t.Context(), 99); p != nil || err != nil {
		t.Errorf("%+v, %v", p, err)
	}
}

// TestRevisions: an update copies the texts, unless the newest copy has them already. Only the
// newest copies are kept.
func TestRevisions(t *testing.T) {
	const stored = "SELECT post_title, post_status, post_name, post_author, guid FROM wp_posts WHERE post_type = 'revision' AND post_name NOT LIKE '%autosave%' ORDER BY ID"
	of := func(title string, id int) string {
		return fmt.Sprintf("%s inherit 60-revision-v1 7 https://lipa.example/?p=%d", title, id)
	}
	for _, c := range []struct {
		name   string
		keep   int
		titles string // of the saves
		want   []string
	}{
		{"none", -1, "a b", nil},
		{"all", 0, "a b c", []string{of("a", 62), of("b", 63), of("c", 64)}},
		{"two", 2, "a b c", []string{of("b", 63), of("c", 64)}},
		{"no more than there are", 3, "a b c", []string{of("a", 62), of("b", 63), of("c", 64)}},
		{"the same texts", 0, "a a b b a", []string{of("a", 62), of("b", 63), of("a", 64)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := newEditor(t, func(r *edit.Rules) { r.Revisions = c.keep })
			e.exec("INSERT INTO wp_posts (ID, post_type, post_status, post_title, post_name) VALUES (60, 'tribe_venue', 'publish', 'Hall', 'hall')")
			// An autosave is not a revision, though it is as new.
			e.exec("INSERT INTO wp_posts (ID, post_type, post_status, post_title, post_name, post_parent, post_date) VALUES (61, 'revision', 'inherit', 'a', '60-autosave-v1', 60, '2027-01-01 00:00:00')")
			for title := range strings.FieldsSeq(c.titles) {
				e.change(60, func(ctx context.Context, p *edit.PostEdit) error {
					p.Title = title
					return e.posts.Save(ctx, p)
				})
			}
			e.holds("revisions", stored, strings.Join(c.want, "\n"))
			e.holds("autosaves", "SELECT COUNT(*) FROM wp_posts WHERE post_name LIKE '%autosave%'", "1")
		})
	}
}

// TestTrash: the metadata has what WordPress needs to restore a post with its comments.
func TestTrash(t *testing.T) {
	for _, c := range []struct {
		name, status string
		comments     bool
		meta         string
	}{
		{"without comments", "trash", false, "_wp_trash_meta_status private\n_wp_trash_meta_time 1795262400\n_wp_desired_post_slug hall"},
		{"with comments", "trash", true, "_wp_trash_meta_status private\n_wp_trash_meta_time 1795262400\n_wp_desired_post_slug hall\n" +
			`_wp_trash_meta_comments_status a:2:{i:3;s:1:"1";i:4;s:4:"spam";}`},
		{"a plugin's status", "tribe-ignored", false, "_wp_trash_meta_status private\n_wp_trash_meta_time 1795262400"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := newEditor(t, func(r *edit.Rules) { r.Revisions = -1 })
			e.exec("INSERT INTO wp_posts (ID, post_type, post_status, post_title, post_name, post_date, post_date_gmt) VALUES (60, 'tribe_venue', 'private', 'Hall', 'hall', '2026-01-01 00:00:00', '2026-01-01 00:00:00')")
			if c.comments {
				e.exec("INSERT INTO wp_comments (comment_ID, comment_post_ID, comment_author, comment_content, comment_approved) VALUES (3, 60, '', '', '1'), (4, 60, '', '', 'spam'), (5, 61, '', '', '1')")
			}
			e.change(60, func(ctx context.Context, p *edit.PostEdit) error {
				if err := e.posts.Trash(ctx, p, c.status); err != nil {
					return err
				}
				return e.posts.Flush(ctx, p)
			})
			e.holds("status", "SELECT post_status FROM wp_posts", c.status)
			e.holds("metadata", "SELECT meta_key, meta_value FROM wp_postmeta WHERE meta_key LIKE '%_wp_%' ORDER BY meta_id", c.meta)
			if c.comments {
				e.holds("comments", "SELECT comment_ID, comment_approved FROM wp_comments ORDER BY 1", "3 post-trashed\n4 post-trashed\n5 1")
			}
		})
	}
}

// TestDelete: everything of a post goes, and nothing of another.
func TestDelete(t *testing.T) {
	for _, occurrences := range []bool{true, false} {
		t.Run(fmt.Sprint("occurrences ", occurrences), func(t *testing.T) {
			e := newEditor(t, nil)
			for id := 60; id <= 61; id++ {
				e.exec("INSERT INTO wp_posts (ID, post_type, post_status, post_title) VALUES (?, 'tribe_events', 'publish', 'Jazz')", id)
				e.exec("INSERT INTO wp_posts (ID, post_type, post_status, post_parent) VALUES (?, 'revision', 'inherit', ?), (?, 'attachment', 'inherit', ?)", id+10, id, id+20, id)
				e.exec("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (?, 'k', 'v'), (?, 'k', 'v')", id, id+10)
				e.exec("INSERT INTO wp_comments (comment_ID, comment_post_ID, comment_author, comment_content) VALUES (?, ?, '', '')", id, id)
				e.exec("INSERT INTO wp_commentmeta (comment_id, meta_key, meta_value) VALUES (?, 'k', 'v')", id)
				e.exec("INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (?, 1007)", id)
				e.exec("INSERT INTO wp_tec_occurrences (event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, hash) VALUES (?, ?, '2027-01-01', '2027-01-01', '2027-01-01', '2027-01-01', ?)", id, id, id)
			}
			e.exec("INSERT INTO wp_terms (term_id, name, slug) VALUES (7, 'Jazz', 'jazz')")
			e.exec("INSERT INTO wp_term_taxonomy (term_taxonomy_id, term_id, taxonomy, description, count) VALUES (1007, 7, 'post_tag', '', 2)")
			e.change(60, func(ctx context.Context, p *edit.PostEdit) error { return e.posts.Delete(ctx, p, occurrences) })
			left := "61"
			if !occurrences {
				left = "60\n61"
			}
			for query, want := range map[string]string{
				"SELECT ID FROM wp_posts ORDER BY ID":               "61\n71\n80\n81", // attachments stay
				"SELECT post_id FROM wp_postmeta ORDER BY 1":        "61\n71",
				"SELECT comment_ID FROM wp_comments":                "61",
				"SELECT comment_id FROM wp_commentmeta":             "61",
				"SELECT object_id FROM wp_term_relationships":       "61",
				"SELECT count FROM wp_term_taxonomy":                "1",
				"SELECT post_id FROM wp_tec_occurrences ORDER BY 1": left,
			} {
				e.holds(query, query, want)
			}
		})
	}
}

func TestAddAttachment(t *testing.T) {
	e := newEditor(t, nil)
	id, err := e.posts.AddAttachment(t.Context(), wpstore.Attachment{
		Title: "Plakát", MimeType: "image/png", URL: "https://lipa.example/a.png", CommentStatus: "open", File: "2026/11/a.png", Metadata: "a:0:{}", Source: "https://else.example/b.png",
	})
	e.ok(err)
	e.holds("row", fmt.Sprint("SELECT post_type, post_status, post_author, post_title, post_name, post_mime_type, guid, comment_status, post_date_gmt FROM wp_posts WHERE ID = ", id),
		"attachment inherit 7 Plakát plakát image/png https://lipa.example/a.png open "+rowtest.Noon.Format("2006-01-02 15:04:05"))
	e.holds("metadata", fmt.Sprint("SELECT meta_key, meta_value FROM wp_postmeta WHERE post_id = ", id, " ORDER BY meta_id"),
		"_wp_attached_file 2026/11/a.png\n_wp_attachment_metadata a:0:{}\n"+wpstore.OriginalURL+" https://else.example/b.png")
}
