package rowedit

import (
	"context"
	"database/sql"
	"slices"
	"strconv"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/sqlconn/charset"
)

// trackedType reports whether The Events Calendar records changes of a post type.
func trackedType(postType string) bool {
	return postType == wpstore.EventType || postType == wpstore.VenueType || postType == wpstore.OrganizerType
}

// Metas is the metadata of posts.
type Metas struct{ Rows *Rows }

// queueLock queues the statements that read all metadata of posts and lock it.
func (m Metas) queueLock(b *sqlconn.Batch, ids []int64, found map[int64][]editedMeta) error {
	return sqlconn.EachBlock(ids, func(block []int64) error {
		b.Query("meta.lock", m.of(block).Suffix(m.Rows.Dialect().ForUpdate()), addRows(found))
		return nil
	})
}

// addRows returns a scan function that adds rows to those found, by post.
func addRows(found map[int64][]editedMeta) func(*sql.Rows) error {
	var post int64
	var row editedMeta
	var key, value sql.NullString
	return sqlconn.EachRow(func() {
		row.key, row.value, row.null = key.String, value.String, !value.Valid
		found[post] = append(found[post], row)
	}, &row.id, &post, &key, &value)
}

// of selects the metadata of posts.
func (m Metas) of(ids []int64) sq.SelectBuilder {
	return sq.Select("meta_id", "post_id", "meta_key", "meta_value").
		From(m.Rows.Table("postmeta")).
		Where(sqlconn.IDList("post_id", ids)).
		OrderBy("meta_id")
}

// New returns the metadata of a new post. bare: no row had its id before. Otherwise it begins
// with the rows that a post of the same id has left, as WordPress does: it reads what exists
// before it adds or updates.
func (m Metas) New(ctx context.Context, id int64, postType string, bare bool) (*MetaEdit, error) {
	found := map[int64][]editedMeta{}
	if !bare {
		if err := m.Rows.Query(ctx, "meta.left", m.of([]int64{id}), addRows(found)); err != nil {
			return nil, err
		}
	}
	return m.start(id, postType, found[id]), nil
}

func (m Metas) start(id int64, postType string, rows []editedMeta) *MetaEdit {
	_, offset := m.Rows.Now.In(m.Rows.Zone).Zone()
	return newMetaEdit(id, rows, m.Rows.Now.Unix()+int64(offset), trackedType(postType))
}

// Stored returns all rows as Write leaves them; false where a column can't hold one of them.
func (m Metas) Stored(e *MetaEdit) ([]wpstore.MetaRow, bool) {
	rows := make([]wpstore.MetaRow, len(e.rows))
	for i, r := range e.written() {
		if r.changed && m.Rows.Fit("postmeta", "meta_value", r.value) != charset.Fits {
			return nil, false
		}
		rows[i] = wpstore.MetaRow{Key: r.key, Value: r.value, Null: r.null && !r.changed}
	}
	return rows, true
}

// Write writes what has changed and can be stored: one statement for all changed rows, one for
// all deletions, one for all new rows.
func (m Metas) Write(ctx context.Context, edits ...*MetaEdit) error {
	var gone []int64
	var added, changed []any // the values of new rows; ids and values of changed ones
	for _, e := range edits {
		gone = append(gone, e.gone...)
		if len(e.gone) > 0 || slices.ContainsFunc(e.rows, func(r editedMeta) bool { return r.changed }) {
			m.Rows.Changed.Posts(e.postID)
		}
		for _, r := range e.written() {
			if !r.changed {
				continue
			}
			// WordPress leaves out what the column can't hold, without an error.
			switch m.Rows.Fit("postmeta", "meta_value", r.value) {
			case charset.Narrow:
				continue
			case charset.Lossy:
				return lossy(m.Rows, "postmeta", "meta_value")
			}
			if r.id == 0 {
				added = append(added, e.postID, r.key, r.value)
			} else {
				changed = append(changed, r.id, r.value)
			}
		}
	}
	if err := m.update(ctx, changed); err != nil {
		return err
	}
	if len(gone) > 0 {
		if err := m.Rows.Change(ctx, "meta.delete", "postmeta", sq.Delete(m.Rows.Table("postmeta")).Where(sqlconn.IDList("meta_id", sqlconn.DistinctIDs(gone)))); err != nil {
			return err
		}
	}
	if len(added) == 0 {
		return nil
	}
	insert, err := m.Rows.Templates().Shaped("meta.insert", strconv.Itoa(len(added)), added, func() sq.Sqlizer {
		b := sq.Insert(m.Rows.Table("postmeta")).Columns("post_id", "meta_key", "meta_value")
		for row := range slices.Chunk(added, 3) {
			b = b.Values(row...)
		}
		return b
	})
	if err != nil {
		return err
	}
	return m.Rows.Change(ctx, "meta.insert", "postmeta", insert)
}

// update gives rows other values. idsAndValues are of alternating ids and values.
func (m Metas) update(ctx context.Context, idsAndValues []any) error {
	const most = 100 // rows of a statement
	for some := range slices.Chunk(idsAndValues, 2*most) {
		rows := len(some) / 2
		args := slices.Clone(some)
		for i := range rows {
			args = append(args, some[2*i])
		}
		update, err := m.Rows.Templates().Shaped("meta.update", strconv.Itoa(rows), args, func() sq.Sqlizer {
			return sq.Update(m.Rows.Table("postmeta")).
				Set("meta_value", sq.Expr("CASE meta_id"+strings.Repeat(" WHEN ? THEN ?", rows)+" ELSE meta_value END", some...)).
				Where("meta_id IN (?"+strings.Repeat(",?", rows-1)+")", args[2*rows:]...)
		})
		if err != nil {
			return err
		}
		if err := m.Rows.Change(ctx, "meta.update", "postmeta", update); err != nil {
			return err
		}
	}
	return nil
}
