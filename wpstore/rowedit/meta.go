package rowedit

import (
	"context"
	"database/sql"
	"slices"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/sqlconn"
)

// trackedType says whether The Events Calendar records changes of a post type.
func trackedType(postType string) bool {
	return postType == wpstore.EventType || postType == wpstore.VenueType || postType == wpstore.OrganizerType
}

// Metas is the metadata of posts.
type Metas struct{ Rows *Rows }

// lock reads all metadata of posts and locks it.
func (m Metas) lock(ctx context.Context, ids []int64) (map[int64][]editedMeta, error) {
	found := make(map[int64][]editedMeta, len(ids))
	err := sqlconn.EachBlock(ids, func(block []int64) error {
		var post int64
		var row editedMeta
		var key, value sql.NullString
		return m.Rows.Query(ctx, "meta.lock", m.locking(block), sqlconn.EachRow(func() {
			row.key, row.value = key.String, value.String
			found[post] = append(found[post], row)
		}, &row.id, &post, &key, &value))
	})
	return found, err
}

func (m Metas) locking(ids []int64) sq.Sqlizer {
	return sq.Select("meta_id", "post_id", "meta_key", "meta_value").
		From(m.Rows.Table("postmeta")).
		Where(sqlconn.IDList("post_id", ids)).
		OrderBy("meta_id").
		Suffix(m.Rows.Dialect().ForUpdate())
}

// New returns the empty metadata of a new post.
func (m Metas) New(id int64, postType string) *MetaEdit { return m.start(id, postType, nil) }

func (m Metas) start(id int64, postType string, rows []editedMeta) *MetaEdit {
	_, offset := m.Rows.Now.In(m.Rows.Zone).Zone()
	return newMetaEdit(id, rows, m.Rows.Now.Unix()+int64(offset), trackedType(postType))
}

// Write writes what has changed and can be stored: one statement for all deletions, one for
// each changed row, one for all new rows.
func (m Metas) Write(ctx context.Context, edits ...*MetaEdit) error {
	var gone []int64
	insert := sq.Insert(m.Rows.Table("postmeta")).Columns("post_id", "meta_key", "meta_value")
	added := false
	for _, e := range edits {
		gone = append(gone, e.gone...)
		if len(e.gone) > 0 || slices.ContainsFunc(e.rows, func(r editedMeta) bool { return r.changed }) {
			m.Rows.Changed.Posts(e.postID)
		}
		for _, r := range e.rows {
			if !r.changed {
				continue
			}
			// WordPress leaves out what the column can't hold, without an error.
			switch m.Rows.Fit("postmeta", "meta_value", r.value) {
			case sqlconn.Narrow:
				continue
			case sqlconn.Lossy:
				return m.Rows.lossy("postmeta", "meta_value")
			}
			switch {
			case r.id == 0:
				insert = insert.Values(e.postID, r.key, r.value)
				added = true
			default:
				if err := m.Rows.Change(ctx, "meta.update", sq.Update(m.Rows.Table("postmeta")).
					Set("meta_value", r.value).Where(sq.Eq{"meta_id": r.id})); err != nil {
					return err
				}
			}
		}
	}
	if len(gone) > 0 {
		if err := m.Rows.Change(ctx, "meta.delete", sq.Delete(m.Rows.Table("postmeta")).Where(sqlconn.IDList("meta_id", sqlconn.DistinctIDs(gone)))); err != nil {
			return err
		}
	}
	if !added {
		return nil
	}
	return m.Rows.Change(ctx, "meta.insert", insert)
}
