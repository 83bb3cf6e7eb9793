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
func (e *PostEdit) Trash(ctx context.Context, status string) error {
	e.Meta.Add(trashStatus, e.Status)
	e.Meta.Add("_wp_trash_meta_time", strconv.FormatInt(e.posts.rows.Now.Unix(), 10))
	e.Status, e.trashing = status, true
	if err := e.Save(ctx); err != nil {
		return err
	}
	return e.trashComments(ctx)
}

func (e *PostEdit) comments() sq.Sqlizer {
	return sq.Select("comment_ID", "comment_approved").From(e.posts.rows.Table("comments")).
		Where(sq.Eq{"comment_post_ID": e.ID}).OrderBy("comment_ID")
}

func (e *PostEdit) trashComments(ctx context.Context) error {
	statuses := &php.Array{}
	var id int64
	var status string
	err := e.posts.rows.Query(ctx, "comments.of_post", e.comments(), sqlconn.EachRow(func() { statuses.Set(php.IntKey(id), status) }, &id, &status))
	if err != nil || statuses.Len() == 0 {
		return err
	}
	e.Meta.Add("_wp_trash_meta_comments_status", phpserial.Serialize(statuses))
	return e.posts.rows.Change(ctx, "comments.trash", "comments", sq.Update(e.posts.rows.Table("comments")).
		Set("comment_approved", "post-trashed").Where(sq.Eq{"comment_post_ID": e.ID}))
}
