package sitedb

import (
	"context"
	"database/sql"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
)

// addRevision keeps a copy of the texts of a post that was just updated, unless
// its newest revision has the same ones.
func (tx *Tx) addRevision(ctx context.Context, rules *PostRules, p *wpstore.Post) error {
	if rules.Revisions < 0 {
		return nil
	}
	var title, content, excerpt string
	found := false
	err := tx.query(ctx, "posts.newest_revision", sq.Select("post_title", "post_content", "post_excerpt").
		From(tx.table("posts")).
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
	id := formatID(p.ID)
	revision := wpstore.Post{
		Author: rules.UserID, Title: p.Title, Content: p.Content, Excerpt: p.Excerpt,
		Type: "revision", Status: "inherit", Parent: p.ID, Name: id + "-revision-v1",
		Date: p.Modified, DateGMT: p.ModifiedGMT, Modified: p.Modified, ModifiedGMT: p.ModifiedGMT,
		CommentStatus: "closed", PingStatus: "closed",
	}
	number, err := tx.insertRow(ctx, "posts.insert_revision", "posts", postColumns(&revision))
	if err != nil {
		return err
	}
	if err := tx.updatePost(ctx, number, []column{{"guid", rules.Home + "/?p=" + formatID(number)}}); err != nil {
		return err
	}
	return tx.dropRevisions(ctx, p.ID, rules.Revisions)
}

// dropRevisions removes the oldest revisions of a post beyond the number to keep,
// 0 meaning all.
func (tx *Tx) dropRevisions(ctx context.Context, post int64, keep int) error {
	if keep == 0 {
		return nil
	}
	ids, err := tx.ids(ctx, "posts.revisions_by_age", sq.Select("ID").From(tx.table("posts")).
		Where(sq.Eq{"post_parent": post, "post_type": "revision", "post_status": "inherit"}).
		Where(sq.NotLike{"post_name": "%-autosave-%"}).
		OrderBy("post_date", "ID"))
	if err != nil || len(ids) <= keep {
		return err
	}
	old := ids[:len(ids)-keep]
	if err := tx.change(ctx, "meta.delete_of_posts", sq.Delete(tx.table("postmeta")).Where(idList("post_id", old))); err != nil {
		return err
	}
	return tx.change(ctx, "posts.delete", sq.Delete(tx.table("posts")).Where(idList("ID", old)))
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
