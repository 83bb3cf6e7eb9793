package rowedit

import (
	"context"
	"database/sql"
	"strings"

	sq "github.com/Masterminds/squirrel"
)

// Options are the options of the site.
type Options struct{ Rows *Rows }

// Set stores the text of an option, whose row is made where there is none. It does
// nothing when the text is the same.
func (o Options) Set(ctx context.Context, name, value string) error {
	o.Rows.Changed.Option(name)
	result, err := o.Rows.Exec(ctx, "options.update", sq.Update(o.Rows.Table("options")).
		Set("option_value", value).Where(sq.Eq{"option_name": name}))
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n > 0 {
		return err
	}
	n, err := o.Rows.Number(ctx, "options.exists", sq.Select("COUNT(*)").From(o.Rows.Table("options")).Where(sq.Eq{"option_name": name}))
	if err != nil || n > 0 { // there, with this very text
		return err
	}
	return o.add(ctx, name, value)
}

func (o Options) add(ctx context.Context, name, value string) error {
	_, err := o.Rows.Add(ctx, "options.insert", "options", []Column{
		{"option_name", name}, {"option_value", value}, {"autoload", "auto"},
	})
	return err
}

// Replace removes the row and makes a new one, with a new id: so WordPress rebuilds
// what it derives from a taxonomy.
func (o Options) Replace(ctx context.Context, name, value string) error {
	o.Rows.Changed.Option(name)
	if err := o.Rows.Change(ctx, "options.delete", sq.Delete(o.Rows.Table("options")).Where(sq.Eq{"option_name": name})); err != nil {
		return err
	}
	return o.add(ctx, name, value)
}

// Locked reads an option, "" for none, and keeps its row from changing.
func (o Options) Locked(ctx context.Context, name string) (string, error) {
	var value string
	found := false
	query := sq.Select("option_name", "option_value").
		From(o.Rows.Table("options")).
		Where(sq.Eq{"option_name": name}).
		Suffix(o.Rows.Dialect().ForUpdate())
	err := o.Rows.Query(ctx, "options.lock", query, func(rows *sql.Rows) error {
		var key string
		var stored sql.NullString
		if err := rows.Scan(&key, &stored); err != nil {
			return err
		}
		if !found && strings.EqualFold(key, name) {
			value, found = stored.String, true
		}
		return nil
	})
	return value, err
}
