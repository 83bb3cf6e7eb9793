package edit

import (
	"context"
	"database/sql"
	"strconv"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// Trash moves a post to the trash, with the metadata from which WordPress can
// take it out again. Its comments go along. The status is trash, or another one by
// which a plugin stands in for it.
func (e *PostEdit) Trash(ctx context.Context, status string) error {
	e.Meta.Add("_wp_trash_meta_status", e.Status)
	e.Meta.Add("_wp_trash_meta_time", strconv.FormatInt(e.posts.rows.Now.Unix(), 10))
	e.Status, e.trashing = status, true
	if err := e.Save(ctx); err != nil {
		return err
	}
	return e.trashComments(ctx)
}

func (e *PostEdit) trashComments(ctx context.Context) error {
	statuses := &php.Array{}
	err := e.posts.rows.Query(ctx, "comments.of_post", sq.Select("comment_ID", "comment_approved").From(e.posts.rows.Table("comments")).
		Where(sq.Eq{"comment_post_ID": e.ID}).OrderBy("comment_ID"), func(rows *sql.Rows) error {
		var id int64
		var status string
		if err := rows.Scan(&id, &status); err != nil {
			return err
		}
		statuses.Set(php.IntKey(id), status)
		return nil
	})
	if err != nil || statuses.Len() == 0 {
		return err
	}
	e.Meta.Add("_wp_trash_meta_comments_status", phpserial.Serialize(statuses))
	return e.posts.rows.Change(ctx, "comments.trash", sq.Update(e.posts.rows.Table("comments")).
		Set("comment_approved", "post-trashed").Where(sq.Eq{"comment_post_ID": e.ID}))
}
