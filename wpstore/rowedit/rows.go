package rowedit

import (
	"context"
	"slices"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/verified"
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
	// Charsets are wpstore.SiteFacts.Charsets.
	Charsets map[string]string
	// Verified has counts that need not be counted again, unless Proven is false: the
	// request must see changes that it may not know of. It may be nil.
	Verified *verified.Memory
	Proven   bool
	// left are the counts that the transaction leaves behind, known or counted since epoch.
	left        map[int64]int64
	epoch       uint64
	unaccounted bool
	// locked says of options that were locked whether they have a row.
	locked map[string]bool
	// held are the options whose rows are locked for something else.
	held map[string]bool
	// counts and cron are what Finish writes. related are the term_taxonomy ids that the
	// transaction gives to objects.
	counts  []count
	cron    []func(*php.Array) *php.Array
	related map[int64]bool
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
	insertion, err := r.insertion(table, columns)
	if err != nil {
		return 0, err
	}
	id, err := r.Insert(ctx, name, insertion)
	if err == nil {
		r.Changed.row(table, id)
	}
	return id, err
}

// Append adds a row that has no id, or one that nobody needs.
func (r *Rows) Append(ctx context.Context, name, table string, columns []Column) error {
	insertion, err := r.insertion(table, columns)
	if err != nil {
		return err
	}
	return r.Change(ctx, name, insertion)
}

func (r *Rows) insertion(table string, columns []Column) (sq.InsertBuilder, error) {
	insert := sq.Insert(r.Table(table))
	if err := r.CheckFit(table, columns); err != nil {
		return insert, err
	}
	names := make([]string, len(columns))
	values := make([]any, len(columns))
	for i, c := range columns {
		names[i], values[i] = c.Name, c.Value
	}
	return insert.Columns(names...).Values(values...), nil
}

// Fit says whether a text fits a column.
func (r *Rows) Fit(table, column, text string) sqlconn.Fit {
	return r.Runner.Servers().Fit(r.Charsets[table+"."+column], text)
}

// CheckFit fails if the server would change a text in a column.
func (r *Rows) CheckFit(table string, columns []Column) error {
	for _, c := range columns {
		if text, ok := c.Value.(string); ok && r.Fit(table, c.Name, text) != sqlconn.Fits {
			return r.lossy(table, c.Name)
		}
	}
	return nil
}

// lossy is the error of a text that a column can't hold.
func (r *Rows) lossy(table, column string) error {
	return &wpstore.LossyError{Column: r.Tables.Plain(table) + "." + column, Charset: r.Charsets[table+"."+column], Connection: r.Runner.Servers().Charset()}
}

// Set updates columns of the rows that match.
func (r *Rows) Set(ctx context.Context, name, table string, columns []Column, where sq.Eq) error {
	if err := r.CheckFit(table, columns); err != nil {
		return err
	}
	update := sq.Update(r.Table(table)).Where(where)
	for _, c := range columns {
		update = update.Set(c.Name, c.Value)
	}
	return r.Change(ctx, name, update)
}
