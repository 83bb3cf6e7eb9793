package edit

import (
	"context"
	"strconv"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
	"calbridge/wpstore/sqlconn"
)

// trashStatus is the meta key of the status that a post had before it was trashed.
const trashStatus = "_wp_trash_meta_status"

// Trash moves a post and its comments to the trash, with the metadata that WordPress needs
// to restore them. The status is trash or a plugin's substitute for it.
func (p *Posts) Trash(ctx context.Context, e *PostEdit, status string) error {
	e.Meta.Add(trashStatus, e.Status)
	e.Meta.Add("_wp_trash_meta_time", strconv.FormatInt(p.rows.Now.Unix(), 10))
	e.Status = status
	s := p.newSave(e)
	s.trashing = true
	if err := s.run(ctx); err != nil {
		return err
	}
	return s.trashComments(ctx)
}

// queueComments queues the query of the statuses of the post's comments.
func (s *save) queueComments(b *sqlconn.Batch) {
	var id int64
	var status string
	b.Query("comments.of_post", sq.Select("comment_ID", "comment_approved").From(s.posts.rows.Table("comments")).
		Where(sq.Eq{"comment_post_ID": s.post.ID}).OrderBy("comment_ID"),
		sqlconn.EachRow(func() { s.comments.Set(php.IntKey(id), status) }, &id, &status))
}

// trashComments moves the comments that the save has read.
func (s *save) trashComments(ctx context.Context) error {
	if s.comments.Len() == 0 {
		return nil
	}
	s.post.Meta.Add("_wp_trash_meta_comments_status", phpserial.Serialize(s.comments))
	return s.posts.rows.Change(ctx, "comments.trash", "comments", sq.Update(s.posts.rows.Table("comments")).
		Set("comment_approved", "post-trashed").Where(sq.Eq{"comment_post_ID": s.post.ID}))
}
