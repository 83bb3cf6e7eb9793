package wpml

import (
	"context"
	"database/sql"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
)

// translators adds users to those who may translate in WPML.
type translators struct{ rows *rowedit.Rows }

// add gives the user WPML's capability to translate and the pair of languages of the
// translation.
func (t translators) add(ctx context.Context, from, to string) error {
	// The account: a row that is missing can't be locked.
	if err := sqlconn.Lock(ctx, t.rows.Runner, "wpml.lock_user", sq.Select("ID").From(t.rows.Table("users")).
		Where(sq.Eq{"ID": t.rows.User}).Suffix(t.rows.Dialect().ForUpdate())); err != nil {
		return err
	}
	prefix := t.rows.Tables.Prefix()
	if err := t.editUserMeta(ctx, prefix+"language_pairs", true, func(pairs *php.Array) { pairs.Sub(from).SetString(to, int64(1)) }); err != nil {
		return err
	}
	return t.editUserMeta(ctx, prefix+"capabilities", false, func(capabilities *php.Array) { capabilities.SetString("translate", true) })
}

// editUserMeta changes an array in the user's metadata. If create is set, a missing row is
// added.
func (t translators) editUserMeta(ctx context.Context, key string, create bool, edit func(*php.Array)) error {
	var id int64
	var stored sql.NullString
	err := t.rows.Query(ctx, "wpml.user", sq.Select("umeta_id", "meta_value").From(t.rows.Table("usermeta")).
		Where(sq.Eq{"user_id": t.rows.User, "meta_key": key}).OrderBy("umeta_id").Limit(1).Suffix(t.rows.Dialect().ForUpdate()),
		sqlconn.EachRow(func() {}, &id, &stored))
	if err != nil || id == 0 && !create {
		return err
	}
	value := phpserial.Array(stored.String)
	if value == nil {
		if stored.String != "" { // unreadable: leave it alone
			return nil
		}
		value = &php.Array{}
	}
	edit(value)
	text := phpserial.Serialize(value)
	t.rows.Changed.User(t.rows.User)
	switch {
	case id == 0:
		_, err = t.rows.Add(ctx, "wpml.new_user_meta", "usermeta", rowedit.Columns(
			"user_id", t.rows.User, "meta_key", key, "meta_value", text,
		))
		return err
	case text == stored.String:
		return nil
	}
	return t.rows.Change(ctx, "wpml.update_user_meta", "usermeta", sq.Update(t.rows.Table("usermeta")).
		Set("meta_value", text).Where(sq.Eq{"umeta_id": id}))
}
