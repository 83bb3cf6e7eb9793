package sitedb

import (
	"context"
	"strconv"
	"strings"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// setOption stores the text of an option, whose row is made where there is none.
// It does nothing when the text is the same.
func (tx *Tx) setOption(ctx context.Context, name, value string) error {
	tx.touched.options[name] = true
	result, err := tx.exec(ctx, "options.update", sq.Update(tx.table("options")).
		Set("option_value", value).Where(sq.Eq{"option_name": name}))
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n > 0 {
		return err
	}
	n, err := tx.number(ctx, "options.exists", sq.Select("COUNT(*)").From(tx.table("options")).Where(sq.Eq{"option_name": name}))
	if err != nil || n > 0 { // there, with this very text
		return err
	}
	return tx.addOption(ctx, name, value)
}

func (tx *Tx) addOption(ctx context.Context, name, value string) error {
	_, err := tx.insertRow(ctx, "options.insert", "options", []column{
		{"option_name", name}, {"option_value", value}, {"autoload", "auto"},
	})
	return err
}

// replaceOption removes the row and makes a new one, with a new id: so WordPress
// rebuilds what it derives from a taxonomy.
func (tx *Tx) replaceOption(ctx context.Context, name, value string) error {
	tx.touched.options[name] = true
	if err := tx.change(ctx, "options.delete", sq.Delete(tx.table("options")).Where(sq.Eq{"option_name": name})); err != nil {
		return err
	}
	return tx.addOption(ctx, name, value)
}

// lockedOption reads an option and keeps its row from changing.
func (tx *Tx) lockedOption(ctx context.Context, name string) (string, error) {
	found, err := tx.optionRows(ctx, "options.lock", sq.
		Select("option_name", "option_value").
		From(tx.table("options")).
		Where(sq.Eq{"option_name": name}).
		Suffix(tx.d.forUpdate()), []string{name})
	return found[name], err
}

// MarkSaved notes that a post of the calendar was saved: The Events Calendar's
// caches hold only until then.
func (tx *Tx) MarkSaved(ctx context.Context) error {
	return tx.setOption(ctx, "tribe_last_save_post", changeTime(tx.now))
}

// changeTime is Unix time with up to four decimals, as PHP writes
// microtime(true) with a precision of 14 digits.
func changeTime(now time.Time) string {
	s := strconv.FormatFloat(float64(now.UnixMicro())/1e6, 'f', 4, 64)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// serialized is an array as WordPress stores it.
func serialized(a *php.Array) string {
	if a == nil {
		a = &php.Array{}
	}
	return phpserial.Serialize(a)
}
