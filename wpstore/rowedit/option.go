package rowedit

import (
	"context"
	"database/sql"
	"strconv"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/sqlconn"
)

// Options are the options of the site.
type Options struct{ Rows *Rows }

// Set stores the text of an option, in a new row if it has none.
func (o Options) Set(ctx context.Context, name, value string) error {
	if err := o.Rows.CheckFit("options", Columns("option_value", value)); err != nil {
		return err
	}
	o.Rows.Changed.Option(name)
	update, err := o.update(name, value)
	if err != nil {
		return err
	}
	switch exists, locked := o.Rows.locked[name]; {
	case exists:
		return o.Rows.Change(ctx, "options.update", "options", update)
	case locked: // an UPDATE would wait for another transaction that adds the row, and replace its text
		o.Rows.locked[name] = true
		return o.add(ctx, name, value)
	}
	result, err := o.Rows.Exec(ctx, "options.update", "options", update)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n > 0 {
		return err
	}
	n, err := o.Rows.Number(ctx, "options.exists", sq.Select("COUNT(*)").From(o.Rows.Table("options")).Where(sq.Eq{"option_name": name}))
	if err != nil || n > 0 { // the row has this text already
		return err
	}
	return o.add(ctx, name, value)
}

// Update stores the text of an option if it has a row.
func (o Options) Update(ctx context.Context, name, value string) error {
	o.Rows.Changed.Option(name)
	update, err := o.update(name, value)
	if err != nil {
		return err
	}
	return o.Rows.Change(ctx, "options.update", "options", update)
}

func (o Options) update(name, value string) (sq.Sqlizer, error) {
	return o.Rows.setText("options.update", "options", "option_value", value, "option_name", name)
}

// Exists reports whether an option that was locked has a row.
func (o Options) Exists(name string) bool { return o.Rows.locked[name] }

func (o Options) add(ctx context.Context, name, value string) error {
	return o.Rows.Append(ctx, "options.insert", "options", Columns("option_name", name, "option_value", value, "autoload", "auto"))
}

// Replace removes the row and adds a new one with a new id, as WordPress does when it
// rebuilds an option that derives from a taxonomy.
func (o Options) Replace(ctx context.Context, name, value string) error {
	o.Rows.Changed.Option(name)
	if err := o.Rows.Change(ctx, "options.delete", "options", sq.Delete(o.Rows.Table("options")).Where(sq.Eq{"option_name": name})); err != nil {
		return err
	}
	return o.add(ctx, name, value)
}

// Announce announces Locked with the same names, and a query that follows it.
func (o Options) Announce(names []string, name string, query sq.Sqlizer) error {
	return o.Rows.Announce(func() ([]sqlconn.Statement, error) {
		lock, err := o.locking(names)
		if err != nil {
			return nil, err
		}
		next, err := sqlconn.Build(name, query)
		return []sqlconn.Statement{lock, next}, err
	})
}

func (o Options) locking(names []string) (sqlconn.Statement, error) {
	args := make([]any, len(names))
	for i, name := range names {
		args[i] = name
	}
	s, err := o.Rows.Templates().Shaped("options.lock", strconv.Itoa(len(names)), args, func() sq.Sqlizer {
		return sq.Select("option_name", "option_value").
			From(o.Rows.Table("options")).
			Where(sq.Eq{"option_name": names}).
			Suffix(o.Rows.Dialect().ForUpdate())
	})
	return s.Reading("options"), err
}

// Locked reads and locks an option; "" if there is none. With others, which will be set
// too, it locks them all in one statement.
func (o Options) Locked(ctx context.Context, name string, others ...string) (value string, err error) {
	names := append([]string{name}, others...)
	query, err := o.locking(names)
	if err != nil {
		return "", err
	}
	var key string
	var stored sql.NullString
	found := false
	if o.Rows.locked == nil {
		o.Rows.locked = map[string]bool{}
	}
	for _, of := range names {
		if !o.Rows.locked[of] {
			o.Rows.locked[of] = false // where no row is found
		}
	}
	err = o.Rows.Query(ctx, "options.lock", query, sqlconn.EachRow(func() {
		for _, of := range names {
			o.Rows.locked[of] = o.Rows.locked[of] || strings.EqualFold(key, of)
		}
		if !found && strings.EqualFold(key, name) { // the collation ignores accents too
			value, found = stored.String, true
		}
	}, &key, &stored))
	return value, err
}
