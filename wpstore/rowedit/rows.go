package rowedit

import (
	"context"
	"slices"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
)

// Rows reads and writes the rows of one transaction and notes what changed.
type Rows struct {
	*sqlconn.Runner
	Tables  table.Names
	Changed *ChangeSet
	// Now is the timestamp of all rows of the transaction. Zone is the time zone of
	// WordPress, which may differ from the calendar's.
	Now  time.Time
	Zone *time.Location
	// User is the account that writes, 0 for none.
	User int64
	// locked are the names of options whose rows exist and are locked.
	locked map[string]bool
	// narrow are columns without characters of four bytes, by table; those of tables that
	// were asked for.
	narrow map[string]map[string]bool
}

// Table is the quoted physical name of a WordPress table.
func (r *Rows) Table(name string) string { return r.Tables.Quoted(name) }

// LocalTime is the present as a stored date on WordPress's clock.
func (r *Rows) LocalTime() string { return r.Now.In(r.Zone).Format(time.DateTime) }

// UTCTime is the present as a stored date in UTC.
func (r *Rows) UTCTime() string { return r.Now.UTC().Format(time.DateTime) }

// Column is a column with its value.
type Column struct {
	Name  string
	Value any
}

// Columns are columns of alternating names and values.
func Columns(namesAndValues ...any) []Column {
	columns := make([]Column, 0, len(namesAndValues)/2)
	for pair := range slices.Chunk(namesAndValues, 2) {
		columns = append(columns, Column{pair[0].(string), pair[1]})
	}
	return columns
}

// Add adds a row of named columns and returns its automatic id.
func (r *Rows) Add(ctx context.Context, name, table string, columns []Column) (int64, error) {
	id, err := r.Insert(ctx, name, r.insertion(table, columns))
	if err == nil {
		r.Changed.row(table, id)
	}
	return id, err
}

// Append adds a row that has no id, or one that nobody needs.
func (r *Rows) Append(ctx context.Context, name, table string, columns []Column) error {
	return r.Change(ctx, name, r.insertion(table, columns))
}

func (r *Rows) insertion(table string, columns []Column) sq.InsertBuilder {
	names := make([]string, len(columns))
	values := make([]any, len(columns))
	for i, c := range columns {
		names[i], values[i] = c.Name, c.Value
	}
	return sq.Insert(r.Table(table)).Columns(names...).Values(values...)
}

// Set updates columns of the rows that match.
func (r *Rows) Set(ctx context.Context, name, table string, columns []Column, where sq.Eq) error {
	update := sq.Update(r.Table(table)).Where(where)
	for _, c := range columns {
		update = update.Set(c.Name, c.Value)
	}
	return r.Change(ctx, name, update)
}
