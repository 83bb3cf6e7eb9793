package mirror

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"github.com/Masterminds/squirrel"
)

// maxRows limits the rows of one statement, because SQLite accepts at most 32,766 values.
const maxRows = 500

// apply stores items in their order, and the position after them, in one transaction. While a
// list is being fetched, items go to the table incoming. With the list's last page, incoming
// replaces the copy.
func (s *store) apply(ctx context.Context, items []item, from, to position) error {
	return s.transaction(ctx, func(tx *sql.Tx) error {
		if from != to {
			if err := move(ctx, tx, from, to); err != nil {
				return err
			}
		}
		table := "events"
		if from.listing {
			table = "incoming"
		}
		if err := put(ctx, tx, table, items); err != nil {
			return err
		}
		if from.listing && !to.listing {
			return replace(ctx, tx)
		}
		return nil
	})
}

// begin discards the position, so that the list is fetched again. The copy stays unchanged until
// the new list is complete.
func (s *store) begin(ctx context.Context, from position) (position, error) {
	to := position{listing: true}
	return to, s.transaction(ctx, func(tx *sql.Tx) error {
		if _, err := squirrel.Delete("incoming").RunWith(tx).ExecContext(ctx); err != nil {
			return err
		}
		return move(ctx, tx, from, to)
	})
}

// put stores and removes events. If an event occurs in several items, the last one counts.
func put(ctx context.Context, tx *sql.Tx, table string, items []item) error {
	last := map[int64]int{}
	for i, it := range items {
		last[it.id] = i
	}
	var stored []item
	var removed []int64
	for i, it := range items {
		switch {
		case last[it.id] != i:
		case it.deleted:
			removed = append(removed, it.id)
		default:
			stored = append(stored, it)
		}
	}
	for ids := range slices.Chunk(removed, maxRows) {
		if _, err := squirrel.Delete(table).Where(squirrel.Eq{"id": ids}).RunWith(tx).ExecContext(ctx); err != nil {
			return err
		}
	}
	for rows := range slices.Chunk(stored, maxRows) {
		insert := squirrel.Insert(table).Columns(columns()...)
		for _, it := range rows {
			insert = insert.Values(append([]any{it.id, it.json}, it.fields...)...)
		}
		if _, err := insert.Suffix(onConflict(table)).RunWith(tx).ExecContext(ctx); err != nil {
			return err
		}
	}
	return nil
}

// replace makes incoming the copy. It doesn't touch rows that stay the same, so that the
// user's own triggers run for changes only.
func replace(ctx context.Context, tx *sql.Tx) error {
	if _, err := squirrel.Delete("events").Where("id NOT IN (SELECT id FROM incoming)").RunWith(tx).ExecContext(ctx); err != nil {
		return err
	}
	// Without WHERE, SQLite would read ON as part of a join.
	fetched := squirrel.Select(columns()...).From("incoming").Where("true")
	if _, err := squirrel.Insert("events").Columns(columns()...).Select(fetched).Suffix(onConflict("events")).RunWith(tx).ExecContext(ctx); err != nil {
		return err
	}
	_, err := squirrel.Delete("incoming").RunWith(tx).ExecContext(ctx)
	return err
}

// columns returns the columns of events and incoming.
func columns() []string { return append([]string{"id", "json"}, copiedFields()...) }

// onConflict returns a clause that lets an INSERT replace rows that differ.
func onConflict(table string) string {
	var set []string
	for _, name := range columns()[1:] {
		set = append(set, name+" = excluded."+name)
	}
	return "ON CONFLICT (id) DO UPDATE SET " + strings.Join(set, ", ") + " WHERE " + table + ".json <> excluded.json"
}
