package edit

import (
	"context"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/php"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
)

// Delete deletes a post with its metadata, revisions, comments, terms and cron event and,
// if occurrences is set, its rows in the calendar's own tables. Pending changes of its
// metadata are dropped.
func (p *Posts) Delete(ctx context.Context, e *PostEdit, occurrences bool) error {
	rows := p.rows
	p.published(e.stored.Type, e.stored.Status)
	posts, err := rows.IDs(ctx, "posts.revisions", sq.Select("ID").From(rows.Table("posts")).
		Where(sq.Eq{"post_parent": e.ID, "post_type": "revision"}).OrderBy("ID"))
	if err != nil {
		return err
	}
	posts = append(posts, e.ID)
	rows.Changed.Posts(posts...)
	rows.Changed.Save(rowedit.Save{Function: rowedit.DeletePost, ID: e.ID, Before: rowedit.PostFields(e.stored)})
	comments, err := rows.IDs(ctx, "comments.ids_of_post", sq.Select("comment_ID").From(rows.Table("comments")).
		Where(sq.Eq{"comment_post_ID": e.ID}))
	if err != nil {
		return err
	}
	if err := p.languages.PostDeleting(ctx, &e.Post); err != nil {
		return err
	}
	if err := p.terms.removeAll(ctx, e.ID, p.newSave(e).counted); err != nil {
		return err
	}
	if e.Status == "future" {
		p.cron.Unschedule(rowedit.PublishHook, php.List(e.ID))
	}
	type gone struct {
		table, column string
		ids           []int64
	}
	all := []gone{
		{"commentmeta", "comment_id", comments}, {"comments", "comment_ID", comments},
		{"postmeta", "post_id", posts}, {"posts", "ID", posts},
	}
	if occurrences {
		all = append(all, gone{"tec_occurrences", "post_id", posts}, gone{"tec_events", "post_id", posts})
	}
	for _, g := range all {
		if len(g.ids) == 0 {
			continue
		}
		if err := rows.Change(ctx, "posts.delete_"+g.table, g.table, sq.Delete(rows.Table(g.table)).Where(sqlconn.IDList(g.column, sqlconn.DistinctIDs(g.ids)))); err != nil {
			return err
		}
	}
	return nil
}
