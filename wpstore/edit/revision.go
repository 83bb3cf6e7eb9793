package edit

import (
	"context"
	"database/sql"
	"strconv"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
)

// revisions are copies of the texts of posts.
type revisions struct {
	rows  *rowedit.Rows
	posts rowedit.Posts
	home  string // as in Rules
	keep  int    // Rules.Revisions
}

// add keeps a copy of the texts of a post that was just updated, unless
// its newest revision has the same ones.
func (r revisions) add(ctx context.Context, p *wpstore.Post) error {
	if r.keep < 0 {
		return nil
	}
	var title, content, excerpt string
	found := false
	err := r.rows.Query(ctx, "posts.newest_revision", sq.Select("post_title", "post_content", "post_excerpt").
		From(r.rows.Table("posts")).
		Where(sq.Eq{"post_parent": p.ID, "post_type": "revision", "post_status": "inherit"}).
		Where(sq.NotLike{"post_name": "%-autosave-%"}).
		OrderBy("post_date DESC", "ID DESC").Limit(1), func(rows *sql.Rows) error {
		found = true
		return rows.Scan(&title, &content, &excerpt)
	})
	if err != nil {
		return err
	}
	if found && sameText(title, p.Title) && sameText(content, p.Content) && sameText(excerpt, p.Excerpt) {
		return nil
	}
	id := strconv.FormatInt(p.ID, 10)
	revision := wpstore.Post{
		Author: r.rows.User, Title: p.Title, Content: p.Content, Excerpt: p.Excerpt,
		Type: "revision", Status: "inherit", Parent: p.ID, Name: id + "-revision-v1",
		PostDates:     wpstore.PostDates{Date: p.Modified, DateGMT: p.ModifiedGMT, Modified: p.Modified, ModifiedGMT: p.ModifiedGMT},
		CommentStatus: "closed", PingStatus: "closed",
	}
	number, err := r.rows.Add(ctx, "posts.insert_revision", "posts", rowedit.PostColumns(&revision))
	if err != nil {
		return err
	}
	if err := r.posts.Set(ctx, number, rowedit.Columns("guid", r.home+"/?p="+strconv.FormatInt(number, 10))); err != nil {
		return err
	}
	return r.drop(ctx, p.ID)
}

// drop removes the oldest revisions of a post beyond the number to keep,
// 0 meaning all.
func (r revisions) drop(ctx context.Context, post int64) error {
	if r.keep == 0 {
		return nil
	}
	ids, err := r.rows.IDs(ctx, "posts.revisions_by_age", sq.Select("ID").From(r.rows.Table("posts")).
		Where(sq.Eq{"post_parent": post, "post_type": "revision", "post_status": "inherit"}).
		Where(sq.NotLike{"post_name": "%-autosave-%"}).
		OrderBy("post_date", "ID"))
	if err != nil || len(ids) <= r.keep {
		return err
	}
	old := ids[:len(ids)-r.keep]
	if err := r.rows.Change(ctx, "meta.delete_of_posts", sq.Delete(r.rows.Table("postmeta")).Where(sqlconn.IDList("post_id", old))); err != nil {
		return err
	}
	return r.rows.Change(ctx, "posts.delete", sq.Delete(r.rows.Table("posts")).Where(sqlconn.IDList("ID", old)))
}

// sameText compares two texts but for white space: runs of spaces, and of line
// ends, count as one, those at the ends as none.
func sameText(a, b string) bool { return a == b || plainSpace(a) == plainSpace(b) }

func plainSpace(s string) string {
	s = strings.ReplaceAll(strings.Trim(s, " \t\n\r\x00\x0b"), "\r", "\n")
	var b strings.Builder
	b.Grow(len(s))
	var last byte
	for i := range len(s) {
		c := s[i]
		if c == '\t' {
			c = ' '
		}
		if (c == ' ' || c == '\n') && c == last {
			continue
		}
		last = c
		b.WriteByte(c)
	}
	return b.String()
}
