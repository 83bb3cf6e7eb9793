package sitedb

import (
	"context"
	"database/sql"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
)

// trackedTypes are the post types whose changes The Events Calendar notes.
func trackedType(postType string) bool {
	return postType == wpstore.EventType || postType == wpstore.VenueType || postType == wpstore.OrganizerType
}

// storedMeta is one row with its post.
type storedMeta struct {
	post int64
	row  editedMeta
}

// lockMeta reads all metadata of posts and keeps it from changing.
func (tx *Tx) lockMeta(ctx context.Context, ids []int64) (map[int64][]editedMeta, error) {
	found := make(map[int64][]editedMeta, len(ids))
	err := eachBlock(ids, func(block []int64) error {
		query := sq.Select("meta_id", "post_id", "meta_key", "meta_value").
			From(tx.table("postmeta")).
			Where(idList("post_id", block)).
			OrderBy("meta_id").
			Suffix(tx.d.forUpdate())
		return tx.query(ctx, "meta.lock", query, func(rows *sql.Rows) error {
			var m storedMeta
			var key, value sql.NullString
			if err := rows.Scan(&m.row.id, &m.post, &key, &value); err != nil {
				return err
			}
			m.row.key, m.row.value = key.String, value.String
			found[m.post] = append(found[m.post], m.row)
			return nil
		})
	})
	return found, err
}

// writeMeta writes what has changed: one statement for all deletions, one for
// each changed row, one for all new rows.
func (tx *Tx) writeMeta(ctx context.Context, edits ...*MetaEdit) error {
	var gone []int64
	insert := sq.Insert(tx.table("postmeta")).Columns("post_id", "meta_key", "meta_value")
	added := 0
	for _, m := range edits {
		gone = append(gone, m.gone...)
		if len(m.gone) > 0 {
			tx.touched.posts[m.postID] = true
		}
		for _, r := range m.rows {
			if r.changed {
				tx.touched.posts[m.postID] = true
			}
			switch {
			case !r.changed:
			case r.id == 0:
				insert = insert.Values(m.postID, r.key, r.value)
				added++
			default:
				if err := tx.change(ctx, "meta.update", sq.Update(tx.table("postmeta")).
					Set("meta_value", r.value).Where(sq.Eq{"meta_id": r.id})); err != nil {
					return err
				}
			}
		}
	}
	if len(gone) > 0 {
		if err := tx.change(ctx, "meta.delete", sq.Delete(tx.table("postmeta")).Where(idList("meta_id", distinctIDs(gone)))); err != nil {
			return err
		}
	}
	if added == 0 {
		return nil
	}
	return tx.change(ctx, "meta.insert", insert)
}
