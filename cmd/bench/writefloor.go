package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
)

// writeFloor commits the same number of rows as a recorded write: in the same tables,
// inserted, updated and deleted in one transaction, by one prepared statement for each table
// and kind of change. No two clients touch the same row, so clients wait only for the disk.
type writeFloor struct {
	db      *sql.DB
	changes []change
	subject string // id of the post that the recorded write wrote
	fresh   *atomic.Int64
}

// rows returns the number of rows that one operation touches.
func (f *writeFloor) rows() (n int) {
	for i := range f.changes {
		n += f.changes[i].rows()
	}
	return n
}

// firstFreshID is greater than all ids of generated calendars.
const firstFreshID = 2_000_000_000

// copyOf returns a copy of a row with new keys. Values equal to the id of the post are
// replaced by id.
func (f *writeFloor) copyOf(l *layout, row []any, id int64) []any {
	out := slices.Clone(row)
	for i, column := range l.columns {
		switch {
		case l.integer[column] && row[i] == f.subject:
			out[i] = id
		case column == l.automatic || l.unique[column] && l.integer[column]:
			out[i] = f.fresh.Add(1)
		case l.unique[column]:
			out[i] = "floor-" + strconv.FormatInt(f.fresh.Add(1), 10)
		}
	}
	return out
}

// floorActor is a client of a floor with its own connection.
type floorActor struct {
	*writeFloor
	conn  *sql.Conn
	steps []floorStep
	turn  int
}

// floorStep is one statement of the transaction. args returns its arguments for the n-th
// operation of a client.
type floorStep struct {
	statement *sql.Stmt
	args      func(turn int, id int64) []any
}

// actor connects a client for up to n operations.
func (f *writeFloor) actor(ctx context.Context, n int) (_ *floorActor, err error) {
	conn, err := f.db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	a := &floorActor{writeFloor: f, conn: conn}
	defer func() {
		if err != nil {
			err = errors.Join(err, a.close())
		}
	}()
	if _, err := conn.ExecContext(ctx, "SET sql_mode = ''"); err != nil {
		return nil, err
	}
	for i := range f.changes {
		c := &f.changes[i]
		for _, add := range []func(context.Context, *change, int) error{a.addInserts, a.addUpdates, a.addDeletes} {
			if err := add(ctx, c, n); err != nil {
				return nil, fmt.Errorf("floor: %s: %w", c.name, err)
			}
		}
	}
	return a, nil
}

func (a *floorActor) prepare(ctx context.Context, text string, args func(turn int, id int64) []any) error {
	statement, err := a.conn.PrepareContext(ctx, text)
	if err == nil {
		a.steps = append(a.steps, floorStep{statement, args})
	}
	return err
}

// insertText returns an INSERT statement for the given number of rows.
func insertText(l *layout, rows int) string {
	row := "(" + strings.Repeat("?,", len(l.columns)-1) + "?)"
	return "INSERT INTO `" + l.name + "` (`" + strings.Join(l.columns, "`,`") + "`) VALUES " + strings.Repeat(row+",", rows-1) + row
}

func (a *floorActor) addInserts(ctx context.Context, c *change, _ int) error {
	if len(c.inserted) == 0 {
		return nil
	}
	return a.prepare(ctx, insertText(c.layout, len(c.inserted)), func(_ int, id int64) (args []any) {
		for _, row := range c.inserted {
			args = append(args, a.copyOf(c.layout, row, id)...)
		}
		return args
	})
}

// own inserts copies of rows for this client before it is measured. It returns the condition
// that selects them, with its arguments.
func (a *floorActor) own(ctx context.Context, l *layout, rows [][]any) (where string, keys []any, err error) {
	var args []any
	for _, row := range rows {
		row = a.copyOf(l, row, a.fresh.Add(1))
		args = append(args, row...)
		for _, column := range l.primary {
			keys = append(keys, row[l.place(column)])
		}
	}
	_, err = a.conn.ExecContext(ctx, insertText(l, len(rows)), args...)
	key := "(" + strings.Repeat("?,", len(l.primary)-1) + "?)"
	return "(`" + strings.Join(l.primary, "`,`") + "`) IN (" + strings.Repeat(key+",", len(rows)-1) + key + ")", keys, err
}

// addUpdates adds a step that changes rows of this client back and forth.
func (a *floorActor) addUpdates(ctx context.Context, c *change, _ int) error {
	if len(c.updated) == 0 {
		return nil
	}
	var rows [][]any
	for _, u := range c.updated {
		rows = append(rows, u[0])
	}
	where, keys, err := a.own(ctx, c.layout, rows)
	if err != nil {
		return err
	}
	var sets []string
	var values [2][]any // the values before and after
	for i, column := range c.columns {
		if was, is := c.updated[0][0][i], c.updated[0][1][i]; was != is && !c.unique[column] {
			sets = append(sets, "`"+column+"` = ?")
			values[0], values[1] = append(values[0], was), append(values[1], is)
		}
	}
	if len(sets) == 0 {
		return errors.New("a row whose keys alone differ")
	}
	return a.prepare(ctx, "UPDATE `"+c.name+"` SET "+strings.Join(sets, ", ")+" WHERE "+where, func(turn int, _ int64) []any {
		return slices.Concat(values[(turn+1)%2], keys)
	})
}

// addDeletes adds a step that deletes other rows of this client in each operation.
func (a *floorActor) addDeletes(ctx context.Context, c *change, n int) error {
	if len(c.deleted) == 0 {
		return nil
	}
	where, keys := "", make([][]any, n)
	for i := range keys {
		var err error
		if where, keys[i], err = a.own(ctx, c.layout, c.deleted); err != nil {
			return err
		}
	}
	return a.prepare(ctx, "DELETE FROM `"+c.name+"` WHERE "+where, func(turn int, _ int64) []any { return keys[turn%n] })
}

func (a *floorActor) do(ctx context.Context, _ int) error {
	turn, id := a.turn, a.fresh.Add(1)
	a.turn++
	if _, err := a.conn.ExecContext(ctx, "START TRANSACTION"); err != nil {
		return err
	}
	for _, step := range a.steps {
		if _, err := step.statement.ExecContext(ctx, step.args(turn, id)...); err != nil {
			return err
		}
	}
	_, err := a.conn.ExecContext(ctx, "COMMIT")
	return err
}

func (a *floorActor) close() error {
	var errs []error
	for _, step := range a.steps {
		errs = append(errs, step.statement.Close())
	}
	return errors.Join(append(errs, a.conn.Close())...)
}
