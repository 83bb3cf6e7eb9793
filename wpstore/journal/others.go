package journal

import (
	"context"
	"database/sql"
	"encoding/json"
	"maps"
	"slices"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/eventindex"
	"calbridge/wpstore/invalidation"
)

// exposureOf reads an exposure as the file has it; nil for none.
func exposureOf(text []byte) (*wpstore.Exposure, error) {
	if text == nil {
		return nil, nil
	}
	e := &wpstore.Exposure{}
	if json.Unmarshal(text, e) != nil {
		return nil, eventindex.ErrState
	}
	return e, nil
}

// exposuresIn returns the last known exposures of posts.
func exposuresIn(ctx context.Context, db sq.BaseRunner, ids []int64) (map[int64]*wpstore.Exposure, error) {
	out := map[int64]*wpstore.Exposure{}
	for some := range slices.Chunk(ids, rowsPerInsert) {
		err := each(ctx, db, sq.Select("id", "exposure").From("posts").Where(sq.Eq{"id": some}), func(rows *sql.Rows) error {
			var id int64
			var text []byte
			if err := rows.Scan(&id, &text); err != nil {
				return err
			}
			e, err := exposureOf(text)
			out[id] = e
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// putExposures replaces the exposures of posts.
func putExposures(ctx context.Context, tx *sql.Tx, exposures map[int64]wpstore.Exposure) error {
	for some := range slices.Chunk(slices.Sorted(maps.Keys(exposures)), rowsPerInsert) {
		insert := sq.Replace("posts").Columns("id", "exposure")
		for _, id := range some {
			text, err := json.Marshal(exposures[id])
			if err != nil {
				return err
			}
			insert = insert.Values(id, string(text))
		}
		if err := exec(ctx, tx, insert); err != nil {
			return err
		}
	}
	return nil
}

// loadPosts records the exposures of all posts of a site.
func loadPosts(ctx context.Context, tx *sql.Tx, site Site) error {
	some := map[int64]wpstore.Exposure{}
	err := site.Exposures(ctx, nil, func(id int64, e wpstore.Exposure) error {
		if some[id] = e; len(some) < rowsPerInsert {
			return nil
		}
		defer clear(some)
		return putExposures(ctx, tx, some)
	})
	if err != nil {
		return err
	}
	return putExposures(ctx, tx, some)
}

// others replaces the exposures of those of the posts that aren't events, and adds what they were
// before. A post that becomes an event, or was one, is gone or new as another post.
func (w *writer) others(ctx context.Context, ids []int64, events []eventindex.State, exposures map[int64]wpstore.Exposure) error {
	before, err := exposuresIn(ctx, w.tx, ids)
	if err != nil {
		return err
	}
	for i := range events {
		delete(exposures, events[i].EventID())
	}
	isEvent := map[int64]bool{}
	for i := range events {
		isEvent[events[i].EventID()] = true
	}
	var gone []int64
	for _, id := range ids {
		was := before[id]
		if isEvent[id] && was == nil {
			continue
		}
		if _, is := exposures[id]; !is && was != nil {
			gone = append(gone, id)
		}
		var text []byte
		if was != nil {
			if text, err = json.Marshal(was); err != nil {
				return err
			}
		}
		w.add(int64(invalidation.Post), id, text)
	}
	for some := range slices.Chunk(gone, rowsPerInsert) {
		if err := exec(ctx, w.tx, sq.Delete("posts").Where(sq.Eq{"id": some})); err != nil {
			return err
		}
	}
	return putExposures(ctx, w.tx, exposures)
}
