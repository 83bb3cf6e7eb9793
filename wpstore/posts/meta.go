package posts

import (
	"context"
	"fmt"
	"slices"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/rowcache"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/sqlconn/mysqlconn"
)

// longMeta are keys of long values that no response shows: the record of changes of The
// Events Calendar and layouts of a page builder.
var longMeta = []string{"_tribe_modified_fields", "_elementor_data", "_elementor_css", "_elementor_page_assets"}

// shownMeta excludes them.
var shownMeta = sq.NotEq{"meta_key": longMeta}

// Shown returns those of a post's rows that PostMeta loads, without a digest.
func Shown(rows []wpstore.MetaRow) wpstore.Meta {
	rows = slices.DeleteFunc(rows, func(r wpstore.MetaRow) bool {
		return slices.ContainsFunc(longMeta, func(key string) bool { return strings.EqualFold(key, r.Key) })
	})
	return wpstore.NewMeta(slices.Clip(rows), wpstore.Digest{})
}

// PostMeta loads the metadata of posts except some long values that no response shows.
// Posts without metadata are absent: their Meta is the zero value.
func (s *Store) PostMeta(ctx context.Context, ids []int64) (map[int64]wpstore.Meta, error) {
	return rowcache.Load(s.rows, rowcache.Meta(""), ids, func(ids []int64) (map[int64]wpstore.Meta, error) {
		return s.readMeta(ctx, "meta.read", "", ids, shownMeta)
	})
}

// PostMetaKeys loads the rows of some keys of posts.
func (s *Store) PostMetaKeys(ctx context.Context, ids []int64, keys []string) (map[int64]wpstore.Meta, error) {
	if len(keys) == 0 {
		return map[int64]wpstore.Meta{}, nil
	}
	variant := strings.Join(keys, ",")
	return rowcache.Load(s.rows, rowcache.Meta(variant), ids, func(ids []int64) (map[int64]wpstore.Meta, error) {
		return s.readMeta(ctx, "meta.read_keys", variant, ids, sq.Eq{"meta_key": keys})
	})
}

func (s *Store) metaStatement(name, variant string, ids []int64, keys sq.Sqlizer) (sqlconn.Statement, error) {
	return s.run.Templates().ByIDs(name, variant, "post_id", ids, func(onIDs sq.Sqlizer) sq.Sqlizer {
		return sq.Select("post_id", "meta_key", "meta_value").
			From(s.tables.Quoted("postmeta")).
			Where(onIDs).
			Where(keys).
			OrderBy("post_id", "meta_id")
	})
}

func (s *Store) readMeta(ctx context.Context, name, variant string, ids []int64, keys sq.Sqlizer) (map[int64]wpstore.Meta, error) {
	b, found := sqlconn.NewBatch(s.run), make(map[int64]wpstore.Meta, len(ids))
	if err := s.queueMeta(b, name, variant, ids, keys, found); err != nil {
		return nil, err
	}
	return found, b.Send(ctx)
}

func (s *Store) queueMeta(b *sqlconn.Batch, name, variant string, ids []int64, keys sq.Sqlizer, found map[int64]wpstore.Meta) error {
	s.run.Depends().On(invalidation.Post, ids...)
	return sqlconn.EachBlock(ids, func(block []int64) error {
		query, err := s.metaStatement(name, variant, block, keys)
		if err == nil {
			b.Rows(name, query, func(rows *mysqlconn.RowSet) error { return s.addMeta(name, rows, found) })
		}
		return err
	})
}

// addMeta adds the result of a metaStatement to found.
func (s *Store) addMeta(name string, rows *mysqlconn.RowSet, found map[int64]wpstore.Meta) error {
	all := make([]wpstore.MetaRow, rows.Len())
	for first, last := 0, 0; first < len(all); first = last {
		id, err := rows.Number(first, 0)
		if err != nil {
			return fmt.Errorf("query %s: %w", name, err)
		}
		for of := rows.At(first, 0); last < len(all) && rows.At(last, 0) == of; last++ {
			all[last] = wpstore.MetaRow{Key: rows.At(last, 1), Value: rows.At(last, 2), Null: rows.Null(last, 2)}
		}
		// The capacity makes Meta.With copy what it appends to.
		found[id] = wpstore.NewMeta(all[first:last:last], s.run.Digest(rows.Raw(first, last)))
	}
	return nil
}
