package wpstore

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/coherence"
)

// Meta is the metadata of one object: its rows in the order of their ids. Keys
// compare with letter case, as in WordPress, though the database's collation
// ignores it. The zero value is an object without metadata.
type Meta struct {
	rows   []MetaRow
	digest Digest
}

// MetaRow is one row of metadata, as stored.
type MetaRow struct{ Key, Value string }

// NewMeta is metadata of some rows, which the caller gives away, and whose digest is
// given.
func NewMeta(rows []MetaRow, digest Digest) Meta { return Meta{rows, digest} }

// Rows returns all rows in the order of their ids. They must not be changed.
func (m Meta) Rows() []MetaRow { return m.rows }

// First returns the value of the first row of key, as stored, and whether there
// is a row.
func (m Meta) First(key string) (string, bool) {
	for i := range m.rows {
		if m.rows[i].Key == key {
			return m.rows[i].Value, true
		}
	}
	return "", false
}

// All returns the values of all rows of key in the order of their ids.
func (m Meta) All(key string) []string {
	return slices.Collect(m.Each(key))
}

// Each goes through the values that All returns.
func (m Meta) Each(key string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range m.rows {
			if m.rows[i].Key == key && !yield(m.rows[i].Value) {
				return
			}
		}
	}
}

// Digest stands for the rows as they were loaded.
func (m Meta) Digest() Digest { return m.digest }

// Has says whether there is a row of key.
func (m Meta) Has(key string) bool {
	_, ok := m.First(key)
	return ok
}

// With returns the metadata with values as the rows of key, behind all others.
func (m Meta) With(key string, values []string) Meta {
	var out Meta
	for _, r := range m.rows {
		if r.Key != key {
			out.rows = append(out.rows, r)
		}
	}
	for _, value := range values {
		out.rows = append(out.rows, MetaRow{key, value})
	}
	return out
}

// bulkyMeta are keys of long values that no representation shows: change
// bookkeeping of The Events Calendar and layouts of a page builder.
var bulkyMeta = []string{"_tribe_modified_fields", "_elementor_data", "_elementor_css", "_elementor_page_assets"}

// shownMeta is the condition on the keys that PostMeta loads.
var shownMeta = sq.NotEq{"meta_key": bulkyMeta}

// PostMeta loads the metadata of posts, except a few bulky keys that nothing
// shows (ask PostMetaKeys for those). Posts without metadata are absent, which
// the zero Meta stands for. One query, none for no ids.
func (db *DB) PostMeta(ctx context.Context, ids []int64) (map[int64]Meta, error) {
	return recall(ctx, db, metaPart(""), ids, func(ids []int64) (map[int64]Meta, error) {
		return db.metaRows(ctx, "meta.read", "", ids, shownMeta)
	})
}

// PostMetaKeys loads the rows of some keys of posts. One query, none for no ids
// or keys.
func (db *DB) PostMetaKeys(ctx context.Context, ids []int64, keys []string) (map[int64]Meta, error) {
	if len(keys) == 0 {
		return map[int64]Meta{}, nil
	}
	return recall(ctx, db, metaPart(strings.Join(keys, ",")), ids, func(ids []int64) (map[int64]Meta, error) {
		return db.metaRows(ctx, "meta.read_keys", strings.Join(keys, ","), ids, sq.Eq{"meta_key": keys})
	})
}

func (db *DB) metaStatement(name, variant string, ids []int64, keys sq.Sqlizer) (statement, error) {
	return db.templates.byIDs(name, variant, "post_id", ids, func(onIDs sq.Sqlizer) sq.Sqlizer {
		return sq.Select("post_id", "meta_key", "meta_value").
			From(db.table("postmeta")).
			Where(onIDs).
			Where(keys).
			OrderBy("post_id", "meta_id")
	})
}

func (db *DB) metaRows(ctx context.Context, name, variant string, ids []int64, keys sq.Sqlizer) (map[int64]Meta, error) {
	coherence.DependOn(ctx, coherence.Post, ids...)
	found := make(map[int64]Meta, len(ids))
	err := eachBlock(ids, func(block []int64) error {
		query, err := db.metaStatement(name, variant, block, keys)
		if err != nil {
			return err
		}
		rows, err := db.rows(ctx, name, query)
		if err != nil {
			return err
		}
		all := make([]MetaRow, rows.len())
		for first := 0; first < len(all); {
			id, err := rows.number(first, 0)
			last := first
			for last < len(all) && err == nil {
				all[last] = MetaRow{rows.at(last, 1), rows.at(last, 2)}
				if last++; last < len(all) {
					var next int64
					if next, err = rows.number(last, 0); next != id {
						break
					}
				}
			}
			if err != nil {
				return fmt.Errorf("query %s: %w", name, err)
			}
			// With is what appends to rows, to a slice of its own.
			found[id] = NewMeta(all[first:last:last], db.digest(rows.raw(first, last)))
			first = last
		}
		return nil
	})
	return found, err
}
