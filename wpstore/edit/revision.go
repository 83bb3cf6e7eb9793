package edit

import (
	"context"
	"slices"
	"strconv"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/php"
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

// queueNewest queues the query of the texts of the newest revision of a post. newest stays nil if
// there is none.
func (r revisions) queueNewest(b *sqlconn.Batch, post int64, newest **wpstore.Post) {
	if r.keep < 0 {
		return
	}
	var p wpstore.Post
	b.Query("posts.newest_revision", sq.Select("post_title", "post_content", "post_excerpt").
		From(r.rows.Table("posts")).
		Where(sq.Eq{"post_parent": post, "post_type": "revision", "post_status": "inherit"}).
		Where(sq.NotLike{"post_name": "%-autosave-%"}).
		OrderBy("post_date DESC", "ID DESC").Limit(1), sqlconn.EachRow(func() { *newest = &p }, &p.Title, &p.Content, &p.Excerpt))
}

// add copies the texts of a post that was just updated, unless its newest revision has the
// same texts, and returns the new revision's id, 0 without one.
func (r revisions) add(ctx context.Context, p, newest *wpstore.Post) (int64, error) {
	if r.keep < 0 {
		return 0, nil
	}
	if newest != nil && sameText(newest.Title, p.Title) && sameText(newest.Content, p.Content) && sameText(newest.Excerpt, p.Excerpt) {
		return 0, nil
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
		return 0, err
	}
	if err := r.posts.Set(ctx, number, rowedit.Columns("guid", r.home+"/?p="+strconv.FormatInt(number, 10))); err != nil {
		return 0, err
	}
	return number, r.drop(ctx, p.ID)
}

// drop deletes the oldest revisions of a post beyond the number to keep; 0 means
// unlimited.
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
	if err := r.rows.Change(ctx, "meta.delete_of_posts", "postmeta", sq.Delete(r.rows.Table("postmeta")).Where(sqlconn.IDList("post_id", old))); err != nil {
		return err
	}
	return r.rows.Change(ctx, "posts.delete", "posts", sq.Delete(r.rows.Table("posts")).Where(sqlconn.IDList("ID", old)))
}

// sameText compares two texts regardless of white space at the ends and of the length of
// runs of spaces and of line breaks.
func sameText(a, b string) bool { return a == b || plainSpace(a) == plainSpace(b) }

func plainSpace(s string) string {
	b := []byte(strings.NewReplacer("\r", "\n", "\t", " ").Replace(php.Trim(s)))
	return string(slices.CompactFunc(b, func(x, y byte) bool { return x == y && (x == ' ' || x == '\n') }))
}
