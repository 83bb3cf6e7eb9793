package rowedit

import (
	"context"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/sqlconn"
)

// PostColumns returns all columns of a row in the order of the table.
func PostColumns(p *wpstore.Post) []Column {
	return Columns(
		"post_author", p.Author, "post_date", p.Date, "post_date_gmt", p.DateGMT,
		"post_content", p.Content, "post_title", p.Title, "post_excerpt", p.Excerpt,
		"post_status", p.Status, "comment_status", p.CommentStatus, "ping_status", p.PingStatus,
		"post_password", p.Password, "post_name", p.Name, "to_ping", "", "pinged", "",
		"post_modified", p.Modified, "post_modified_gmt", p.ModifiedGMT, "post_content_filtered", "",
		"post_parent", p.Parent, "guid", p.GUID, "menu_order", p.MenuOrder,
		"post_type", p.Type, "post_mime_type", p.MimeType, "comment_count", 0,
	)
}

// changedColumns returns the columns in which two versions of a post differ. Columns that a
// Post has no field for are the same in both.
func changedColumns(old, fresh *wpstore.Post) []Column {
	before := PostColumns(old)
	var out []Column
	for i, c := range PostColumns(fresh) {
		if c.Value != before[i].Value {
			out = append(out, c)
		}
	}
	return out
}

// Posts writes rows of the posts table. Read reads them within the transaction.
type Posts struct {
	Rows  *Rows
	Metas Metas
	Read  PostReader
}

// PostReader loads whole posts; ids without a row are absent.
type PostReader interface {
	// QueuePosts queues the statements that read whole posts, and adds the posts to found.
	QueuePosts(b *sqlconn.Batch, ids []int64, found map[int64]*wpstore.Post) error
}

// LockedPost is a post whose row and metadata are locked until the transaction ends.
type LockedPost struct {
	*wpstore.Post
	Meta *MetaEdit
}

// LockRows reads posts and locks their rows.
func (p Posts) LockRows(ctx context.Context, ids []int64) (map[int64]*wpstore.Post, error) {
	b, found := sqlconn.NewBatch(p.Rows.Runner), make(map[int64]*wpstore.Post, len(ids))
	if err := p.QueueLocked(ctx, b, ids, found); err != nil {
		return nil, err
	}
	return found, b.Send(ctx)
}

// QueueLocked locks the rows of posts, and queues the statements that read them.
func (p Posts) QueueLocked(ctx context.Context, b *sqlconn.Batch, ids []int64, found map[int64]*wpstore.Post) error {
	if err := p.Rows.Locks.posts(ctx, ids); err != nil || len(ids) == 0 {
		return err
	}
	err := sqlconn.Lock(ctx, p.Rows.Runner, "posts.lock", sq.Select("ID").From(p.Rows.Table("posts")).
		Where(sqlconn.IDList("ID", sqlconn.DistinctIDs(ids))).OrderBy("ID").Suffix(p.Rows.Dialect().ForUpdate()))
	if err != nil {
		return err
	}
	return p.Read.QueuePosts(b, ids, found)
}

// Lock reads and locks posts with all their metadata. Ids without a row are absent.
func (p Posts) Lock(ctx context.Context, ids ...int64) (map[int64]LockedPost, error) {
	b := sqlconn.NewBatch(p.Rows.Runner)
	posts, meta := make(map[int64]*wpstore.Post, len(ids)), make(map[int64][]editedMeta, len(ids))
	if err := p.QueueLocked(ctx, b, ids, posts); err != nil {
		return nil, err
	}
	if err := p.Metas.queueLock(b, ids, meta); err != nil {
		return nil, err
	}
	if err := b.Send(ctx); err != nil || len(posts) == 0 {
		return nil, err
	}
	found := make(map[int64]LockedPost, len(posts))
	for id, post := range posts {
		found[id] = LockedPost{post, p.Metas.start(id, post.Type, meta[id])}
	}
	return found, nil
}

// Update writes the columns in which a post differs from what is stored.
func (p Posts) Update(ctx context.Context, stored, fresh *wpstore.Post) error {
	return p.Set(ctx, stored.ID, changedColumns(stored, fresh))
}

// Set writes columns of a post, without a statement if there are none.
func (p Posts) Set(ctx context.Context, id int64, columns []Column) error {
	if len(columns) == 0 {
		return nil
	}
	p.Rows.Changed.Posts(id)
	return p.Rows.Set(ctx, "posts.update", "posts", columns, sq.Eq{"ID": id})
}
