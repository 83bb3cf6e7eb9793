package sitedb

import (
	"context"
	"database/sql"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/php"
)

// makeTranslator gives the user WPML's capability to translate, and the pair of
// languages that it has just translated between.
func (w *wpmlWriter) makeTranslator(ctx context.Context, from, to string) error {
	prefix := w.tx.blogPrefix()
	if err := w.editUserMeta(ctx, prefix+"language_pairs", true, func(pairs *php.Array) {
		into, _ := pairs.At(from).(*php.Array)
		if into == nil {
			into = &php.Array{}
			pairs.SetString(from, into)
		}
		into.SetString(to, int64(1))
	}); err != nil {
		return err
	}
	return w.editUserMeta(ctx, prefix+"capabilities", false, func(capabilities *php.Array) { capabilities.SetString("translate", true) })
}

// editUserMeta changes an array in the user's metadata. A missing row is made if
// create is set.
func (w *wpmlWriter) editUserMeta(ctx context.Context, key string, create bool, edit func(*php.Array)) error {
	var id int64
	var stored sql.NullString
	err := w.tx.query(ctx, "wpml.user", sq.Select("umeta_id", "meta_value").From(w.tx.table("usermeta")).
		Where(sq.Eq{"user_id": w.rules.Save.UserID, "meta_key": key}).OrderBy("umeta_id").Limit(1).Suffix(w.tx.d.forUpdate()),
		func(rows *sql.Rows) error { return rows.Scan(&id, &stored) })
	if err != nil || id == 0 && !create {
		return err
	}
	value := storedArray(stored.String)
	if value == nil {
		if stored.String != "" { // nothing to be destroyed
			return nil
		}
		value = &php.Array{}
	}
	edit(value)
	text := serialized(value)
	w.tx.touched.users[w.rules.Save.UserID] = true
	switch {
	case id == 0:
		_, err = w.tx.insertRow(ctx, "wpml.new_user_meta", "usermeta", []column{
			{"user_id", w.rules.Save.UserID}, {"meta_key", key}, {"meta_value", text},
		})
		return err
	case text == stored.String:
		return nil
	}
	return w.tx.change(ctx, "wpml.update_user_meta", sq.Update(w.tx.table("usermeta")).
		Set("meta_value", text).Where(sq.Eq{"umeta_id": id}))
}
