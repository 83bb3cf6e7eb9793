package journal

import (
	"context"
	"database/sql"
	"maps"
	"slices"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/invalidation"
)

// Showing is something that an event was shown with, other than what it links to. Event is 0
// where that isn't known: then nobody knows which events show it.
type Showing struct {
	Tag   invalidation.Tag
	Event int64
}

// Show notes what was shown with events to somebody with some rights.
//
// It is on disk when Show returns: a token that is given out afterwards outlives a power
// failure, so what it relies on has to.
func (j *Journal) Show(ctx context.Context, rights string, shown []Showing) error {
	f, done, err := j.use()
	if err != nil {
		return err
	}
	defer done()
	if shown, err = unknown(ctx, f, rights, shown); err != nil || len(shown) == 0 {
		return j.checked(err)
	}
	err = f.durably(ctx, func(tx *sql.Tx) error {
		for some := range slices.Chunk(shown, rowsPerInsert) {
			insert := sq.Replace("shown").Columns("rights", "kind", "id", "event")
			for _, s := range some {
				insert = insert.Values(rights, int64(s.Tag.Kind), s.Tag.ID, s.Event)
			}
			if err := exec(ctx, tx, insert); err != nil {
				return err
			}
		}
		return nil
	})
	return j.checked(err)
}

// Shown returns the events that were shown with any of the tags to somebody with these rights,
// with 0 where that isn't known; no more of them than most and one.
func (j *Journal) Shown(ctx context.Context, rights string, tags []invalidation.Tag, most int) (events map[int64]bool, err error) {
	f, done, err := j.use()
	if err != nil {
		return nil, err
	}
	defer done()
	byKind := map[invalidation.Kind][]int64{}
	for _, tag := range tags {
		byKind[tag.Kind] = append(byKind[tag.Kind], tag.ID)
	}
	events = map[int64]bool{}
	for kind, ids := range byKind {
		for some := range slices.Chunk(ids, rowsPerInsert) {
			query := sq.Select("DISTINCT event").From("shown").Where(sq.Eq{"rights": rights, "kind": int64(kind), "id": some}).Limit(uint64(most) + 1)
			err := each(ctx, f.db, query, func(r *sql.Rows) error {
				var event int64
				err := r.Scan(&event)
				events[event] = true
				return err
			})
			if err != nil || len(events) > most {
				return events, j.checked(err)
			}
		}
	}
	return events, nil
}

// unknown returns those that were not noted.
func unknown(ctx context.Context, f *file, rights string, shown []Showing) ([]Showing, error) {
	left := map[Showing]bool{}
	byEvent := map[int64]map[invalidation.Kind][]int64{}
	for _, s := range shown {
		if left[s] {
			continue
		}
		left[s] = true
		if byEvent[s.Event] == nil {
			byEvent[s.Event] = map[invalidation.Kind][]int64{}
		}
		byEvent[s.Event][s.Tag.Kind] = append(byEvent[s.Event][s.Tag.Kind], s.Tag.ID)
	}
	for event, byKind := range byEvent {
		for kind, ids := range byKind {
			for some := range slices.Chunk(ids, rowsPerInsert) {
				query := sq.Select("id").From("shown").Where(sq.Eq{"rights": rights, "kind": int64(kind), "id": some, "event": event})
				err := each(ctx, f.db, query, func(r *sql.Rows) error {
					var id int64
					err := r.Scan(&id)
					delete(left, Showing{invalidation.Tag{Kind: kind, ID: id}, event})
					return err
				})
				if err != nil {
					return nil, err
				}
			}
		}
	}
	return slices.Collect(maps.Keys(left)), nil
}
