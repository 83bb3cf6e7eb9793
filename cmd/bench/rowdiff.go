package main

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// layout describes what a floor needs to know about a table.
type layout struct {
	name      string
	columns   []string
	integer   map[string]bool
	primary   []string        // columns of the primary key
	unique    map[string]bool // columns of all unique keys
	automatic string          // column, "" for none
}

// place returns the index of a column.
func (l *layout) place(column string) int { return slices.Index(l.columns, column) }

// key returns the primary key of a row.
func (l *layout) key(row []any) string {
	var key strings.Builder
	for _, column := range l.primary {
		fmt.Fprintf(&key, "%v\x00", row[l.place(column)])
	}
	return key.String()
}

// readLayouts returns the layouts of all tables that have a primary key.
func readLayouts(ctx context.Context, db *sql.DB) ([]*layout, error) {
	byName := map[string]*layout{}
	err := eachRow(ctx, db, "SELECT table_name, column_name, data_type, extra FROM information_schema.columns WHERE table_schema = DATABASE() ORDER BY table_name, ordinal_position", func(v []any) {
		name, column := v[0].(string), v[1].(string)
		l := byName[name]
		if l == nil {
			l = &layout{name: name, integer: map[string]bool{}, unique: map[string]bool{}}
			byName[name] = l
		}
		l.columns = append(l.columns, column)
		l.integer[column] = strings.HasSuffix(v[2].(string), "int")
		if strings.Contains(v[3].(string), "auto_increment") {
			l.automatic = column
		}
	})
	if err != nil {
		return nil, err
	}
	err = eachRow(ctx, db, "SELECT table_name, index_name, column_name FROM information_schema.statistics WHERE table_schema = DATABASE() AND non_unique = 0 ORDER BY table_name, index_name, seq_in_index", func(v []any) {
		l, column := byName[v[0].(string)], v[2].(string)
		l.unique[column] = true
		if v[1] == "PRIMARY" {
			l.primary = append(l.primary, column)
		}
	})
	var out []*layout
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		if l := byName[name]; len(l.primary) > 0 {
			out = append(out, l)
		}
	}
	return out, err
}

// eachRow runs a query and calls row with the values of each row: strings, or nil for NULL.
func eachRow(ctx context.Context, db *sql.DB, query string, row func([]any)) error {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	raw, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
	for i := range raw {
		into[i] = &raw[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		values := make([]any, len(raw))
		for i, v := range raw {
			if v.Valid {
				values[i] = v.String
			}
		}
		row(values)
	}
	return rows.Err()
}

// tableRows holds the rows of a table by primary key.
type tableRows map[string][]any

// readTables reads all rows of the given tables, in the same order.
func readTables(ctx context.Context, db *sql.DB, layouts []*layout) ([]tableRows, error) {
	var out []tableRows
	for _, l := range layouts {
		rows := tableRows{}
		if err := eachRow(ctx, db, "SELECT * FROM `"+l.name+"`", func(v []any) { rows[l.key(v)] = v }); err != nil {
			return nil, err
		}
		out = append(out, rows)
	}
	return out, nil
}

// change describes what a write does to the rows of a table.
type change struct {
	*layout
	inserted, deleted [][]any
	updated           [][2][]any // each row before and after
}

// rows returns the number of rows that the write touches.
func (c *change) rows() int { return len(c.inserted) + len(c.deleted) + len(c.updated) }

// changesOf returns the differences between two readings, for the tables that differ.
func changesOf(layouts []*layout, before, after []tableRows) (out []change) {
	for i, l := range layouts {
		c := change{layout: l}
		for _, key := range slices.Sorted(maps.Keys(after[i])) {
			is, was := after[i][key], before[i][key]
			switch {
			case was == nil:
				c.inserted = append(c.inserted, is)
			case !slices.Equal(is, was):
				c.updated = append(c.updated, [2][]any{was, is})
			}
		}
		for _, key := range slices.Sorted(maps.Keys(before[i])) {
			if after[i][key] == nil {
				c.deleted = append(c.deleted, before[i][key])
			}
		}
		if c.rows() > 0 {
			out = append(out, c)
		}
	}
	return out
}
