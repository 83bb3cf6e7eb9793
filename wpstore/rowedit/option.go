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
type Options struct {
	rows *Rows
	// locked reports of options that were locked whether they have a row.
	locked map[string]bool
}

// Set stores the text of an option, in a new row if it has none.
func (o *Options) Set(ctx context.Context, name, value string) error {
	if err := o.rows.CheckFit("options", Columns("option_value", value)); err != nil {
		return err
	}
	o.rows.Changed.Option(name)
	update, err := o.update(name, value)
	if err != nil {
		return err
	}
	switch exists, locked := o.locked[name]; {
	case exists:
		return o.rows.Change(ctx, "options.update", "options", update)
	case locked: // an UPDATE would wait for another transaction that adds the row, and replace its text
		o.locked[name] = true
		return o.add(ctx, name, value)
	}
	result, err := o.rows.Exec(ctx, "options.update", "options", update)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n > 0 {
		return err
	}
	n, err := o.rows.Number(ctx, "options.exists", sq.Select("COUNT(*)").From(o.rows.Table("options")).Where(sq.Eq{"option_name": name}))
	if err != nil || n > 0 { // the row has this text already
		return err
	}
	return o.add(ctx, name, value)
}

// Update stores the text of an option if it has a row.
func (o *Options) Update(ctx context.Context, name, value string) error {
	o.rows.Changed.Option(name)
	update, err := o.update(name, value)
	if err != nil {
		return err
	}
	return o.rows.Change(ctx, "options.update", "options", update)
}

func (o *Options) update(name, value string) (sq.Sqlizer, error) {
	return o.rows.setText("options.update", "options", "option_value", value, "option_name", name)
}

// Exists reports whether an option that was locked has a row.
func (o *Options) Exists(name string) bool { return o.locked[name] }

func (o *Options) add(ctx context.Context, name, value string) error {
	return o.rows.Append(ctx, "options.insert", "options", Columns("option_name", name, "option_value", value, "autoload", "auto"))
}

// Replace removes the row and adds a new one with a new id, as WordPress does when it
// rebuilds an option that derives from a taxonomy.
func (o *Options) Replace(ctx context.Context, name, value string) error {
	o.rows.Changed.Option(name)
	if err := o.rows.Change(ctx, "options.delete", "options", sq.Delete(o.rows.Table("options")).Where(sq.Eq{"option_name": name})); err != nil {
		return err
	}
	return o.add(ctx, name, value)
}

// QueueLocked queues the statement that reads and locks options. It returns their texts, which are
// there when the batch was sent; an option without a row has none.
func (o *Options) QueueLocked(b *sqlconn.Batch, names ...string) (texts map[string]string, err error) {
	args := make([]any, len(names))
	for i, name := range names {
		args[i] = name
	}
	query, err := o.rows.Templates().Shaped("options.lock", strconv.Itoa(len(names)), args, func() sq.Sqlizer {
		return sq.Select("option_name", "option_value").
			From(o.rows.Table("options")).
			Where(sq.Eq{"option_name": names}).
			Suffix(o.rows.Dialect().ForUpdate())
	})
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if !o.locked[name] {
			o.locked[name] = false // where no row is found
		}
	}
	texts = map[string]string{}
	var key string
	var stored sql.NullString
	b.Query("options.lock", query, sqlconn.EachRow(func() {
		for _, name := range names {
			if !strings.EqualFold(key, name) { // the collation ignores accents too
				continue
			}
			o.locked[name] = true
			if _, found := texts[name]; !found {
				texts[name] = stored.String
			}
		}
	}, &key, &stored))
	return texts, nil
}

// Locked reads and locks an option; "" if there is none.
func (o *Options) Locked(ctx context.Context, name string) (string, error) {
	b := sqlconn.NewBatch(o.rows.Runner)
	texts, err := o.QueueLocked(b, name)
	if err != nil {
		return "", err
	}
	if err := b.Send(ctx); err != nil {
		return "", err
	}
	return texts[name], nil
}
