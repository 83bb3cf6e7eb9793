package rowedit

import (
	"context"
	"slices"
	"strings"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/sqlconn/charset"
	"calbridge/wpstore/table"
)

// Config holds the dependencies of the rows of a transaction.
type Config struct {
	*sqlconn.Runner
	Stamp
	Tables table.Names
	Locks  *Locks
	// Known holds the facts that need not be read again.
	Known *Known
	// Charsets are wpstore.SiteFacts.Charsets.
	Charsets map[string]string
	// Reported reports that the saves of the transaction are reported to somebody, who also needs
	// what only they depend on.
	Reported bool
}

// Stamp is the time and the user of all rows of a transaction.
type Stamp struct {
	Now time.Time
	// Zone is the time zone of WordPress, which may differ from the calendar's.
	Zone *time.Location
	// User is the account that writes, 0 for none.
	User int64
}

// LocalTime returns the present as a stored date on WordPress's clock.
func (s *Stamp) LocalTime() string { return s.Now.In(s.Zone).Format(time.DateTime) }

// UTCTime returns the present as a stored date in UTC.
func (s *Stamp) UTCTime() string { return s.Now.UTC().Format(time.DateTime) }

// Rows reads and writes the rows of one transaction and records what changed.
type Rows struct {
	Config
	Changed *ChangeSet
	Options *Options
	// Counts and Cron collect what Finish writes.
	Counts *Counts
	Cron   *Cron
	// Published reports that the transaction has changed an event that is public before or after.
	Published bool
}

// New returns the rows of a transaction that has begun.
func New(c Config) *Rows {
	r := &Rows{Config: c, Changed: NewChangeSet()}
	r.Options = &Options{rows: r, locked: map[string]bool{}}
	r.Counts = &Counts{rows: r, related: map[int64]bool{}}
	r.Cron = &Cron{options: r.Options}
	return r
}

// Finish writes last what most transactions have in common: counts, then cron.
func (r *Rows) Finish(ctx context.Context) error {
	if err := r.Counts.Write(ctx, nil); err != nil {
		return err
	}
	return r.Cron.Write(ctx)
}

// Table returns the quoted physical name of a WordPress table.
func (r *Rows) Table(name string) string { return r.Tables.Quoted(name) }

// Column is a column with its value.
type Column struct {
	Name  string
	Value any
}

// Columns returns columns of alternating names and values.
func Columns(namesAndValues ...any) []Column {
	columns := make([]Column, 0, len(namesAndValues)/2)
	for pair := range slices.Chunk(namesAndValues, 2) {
		columns = append(columns, Column{pair[0].(string), pair[1]})
	}
	return columns
}

// Add adds a row of named columns and returns its automatic id.
func (r *Rows) Add(ctx context.Context, name, table string, columns []Column) (int64, error) {
	insertion, err := r.insertion(name, table, columns)
	if err != nil {
		return 0, err
	}
	id, err := r.Insert(ctx, name, table, insertion)
	if err == nil {
		r.Changed.row(table, id)
	}
	return id, err
}

// AddTogether returns [Rows.Add], whose statement is the first of a batch that it sends.
func (r *Rows) AddTogether(ctx context.Context, name, table string, columns []Column, others func(*sqlconn.Batch)) (id int64, err error) {
	insertion, err := r.insertion(name, table, columns)
	if err != nil {
		return 0, err
	}
	b := sqlconn.NewBatch(r.Runner)
	b.Insert(name, table, insertion, &id)
	others(b)
	if err = b.Send(ctx); err == nil {
		r.Changed.row(table, id)
	}
	return id, err
}

// Append adds a row that has no id, or one that nobody needs.
func (r *Rows) Append(ctx context.Context, name, table string, columns []Column) error {
	insertion, err := r.insertion(name, table, columns)
	if err != nil {
		return err
	}
	return r.Change(ctx, name, table, insertion)
}

func (r *Rows) insertion(name, table string, columns []Column) (sq.Sqlizer, error) {
	if err := r.CheckFit(table, columns); err != nil {
		return nil, err
	}
	names := make([]string, len(columns))
	values := make([]any, len(columns))
	simple := true
	for i, c := range columns {
		names[i], values[i] = c.Name, c.Value
		_, expression := c.Value.(sq.Sqlizer)
		simple = simple && !expression
	}
	insert := func() sq.Sqlizer { return sq.Insert(r.Table(table)).Columns(names...).Values(values...) }
	if !simple {
		return insert(), nil
	}
	return r.Templates().Shaped(name, table+" "+strings.Join(names, ","), values, insert)
}

// Fit reports whether a text fits a column.
func (r *Rows) Fit(table, column, text string) charset.Fit {
	return r.Runner.Servers().Charset().Fit(r.Charsets[table+"."+column], text)
}

// CheckFit fails if the server would change a text in a column.
func (r *Rows) CheckFit(table string, columns []Column) error {
	for _, c := range columns {
		if text, ok := c.Value.(string); ok && r.Fit(table, c.Name, text) != charset.Fits {
			return lossy(r, table, c.Name)
		}
	}
	return nil
}

// lossy returns the error of a text that a column can't hold.
func lossy(r *Rows, table, column string) error {
	return &wpstore.LossyError{Column: r.Tables.Plain(table) + "." + column, Charset: r.Charsets[table+"."+column], Connection: r.Runner.Servers().Charset().Name}
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
	return r.Change(ctx, name, table, update)
}

// setText sets a text where another column has some value, for updates that nearly every
// write makes.
func (r *Rows) setText(name, table, column, text, key string, is any) (sq.Sqlizer, error) {
	return r.Templates().Shaped(name, column, []any{text, is}, func() sq.Sqlizer {
		return sq.Update(r.Table(table)).Set(column, text).Where(sq.Eq{key: is})
	})
}
