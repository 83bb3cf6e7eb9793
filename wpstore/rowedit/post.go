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
	Posts(ctx context.Context, ids []int64) (map[int64]*wpstore.Post, error)
	// PostsStatement is the statement of Posts.
	PostsStatement(ids []int64) (sqlconn.Statement, error)
}

// LockedPost is a post whose row and metadata are locked until the transaction ends.
type LockedPost struct {
	*wpstore.Post
	Meta *MetaEdit
}

// LockRows reads posts and locks their rows.
func (p Posts) LockRows(ctx context.Context, ids []int64) (map[int64]*wpstore.Post, error) {
	if err := p.Rows.Locks.posts(ctx, ids); err != nil {
		return nil, err
	}
	if len(ids) == 0 {
		return nil, nil
	}
	err := sqlconn.Lock(ctx, p.Rows.Runner, "posts.lock", "posts", sq.Select("ID").From(p.Rows.Table("posts")).
		Where(sqlconn.IDList("ID", sqlconn.DistinctIDs(ids))).OrderBy("ID").Suffix(p.Rows.Dialect().ForUpdate()))
	if err != nil {
		return nil, err
	}
	return p.Read.Posts(ctx, ids)
}

// Lock reads and locks posts with all their metadata. Ids without a row are absent.
func (p Posts) Lock(ctx context.Context, ids ...int64) (map[int64]LockedPost, error) {
	if err := p.announceLock(ids); err != nil {
		return nil, err
	}
	defer sqlconn.AnnounceNothing(p.Rows.Runner)
	posts, err := p.LockRows(ctx, ids)
	if err != nil || len(posts) == 0 {
		return nil, err
	}
	meta, err := p.Metas.lock(ctx, ids)
	if err != nil {
		return nil, err
	}
	found := make(map[int64]LockedPost, len(posts))
	for id, post := range posts {
		found[id] = LockedPost{post, p.Metas.start(id, post.Type, meta[id])}
	}
	return found, nil
}

// announceLock announces the queries of Lock.
func (p Posts) announceLock(ids []int64) error {
	return p.Rows.Announce(func() ([]sqlconn.Statement, error) {
		ids = sqlconn.DistinctIDs(ids)
		if len(ids) == 0 || len(ids) > sqlconn.MaxInList {
			return nil, nil
		}
		posts, err := p.Read.PostsStatement(ids)
		if err != nil {
			return nil, err
		}
		meta, err := sqlconn.Build("meta.lock", p.Metas.locking(ids))
		return []sqlconn.Statement{posts.Reading("posts"), meta.Reading("postmeta")}, err
	})
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
