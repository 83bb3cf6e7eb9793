// Package users reads the accounts of a site with what authentication needs of them:
// by login, e-mail address or id, in one query each; see [Store].
//
// It imports sqlconn, and no other store.
package users

import (
	"context"
	"database/sql"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
)

// Store reads accounts. It is for one request, or for one transaction.
type Store struct {
	run    *sqlconn.Runner
	tables table.Names
}

// New returns a Store.
func New(run *sqlconn.Runner, tables table.Names) Store { return Store{run, tables} }

// UserByLogin returns the account with this login name, nil when there is none.
// The database's collation decides equality. One query.
func (s *Store) UserByLogin(ctx context.Context, login string) (*wpstore.User, error) {
	if !sqlconn.Searchable(login) {
		return nil, nil
	}
	return s.user(ctx, "users.by_login", sq.Eq{"u.user_login": login})
}

// UserByEmail returns the account with this address, nil when there is none. Of
// several the one with the lowest id. One query.
func (s *Store) UserByEmail(ctx context.Context, email string) (*wpstore.User, error) {
	if !sqlconn.Searchable(email) {
		return nil, nil
	}
	return s.user(ctx, "users.by_email", sq.Eq{"u.user_email": email})
}

func (s *Store) user(ctx context.Context, name string, where sq.Sqlizer) (*wpstore.User, error) {
	capabilities := s.tables.Prefix() + wpstore.MetaCapabilities
	query := sq.Select("u.ID", "u.user_login", "u.user_email", "u.user_pass", "m.umeta_id", "m.meta_key", "m.meta_value").
		From(s.tables.Quoted("users")+" u").
		LeftJoin(s.tables.Quoted("usermeta")+" m ON m.user_id = u.ID AND m.meta_key IN (?,?,?)",
			capabilities, wpstore.MetaAppPasswords, wpstore.MetaSessions).
		Where(where).
		OrderBy("u.ID", "m.umeta_id")
	var found *wpstore.User
	err := s.run.Query(ctx, name, query, func(rows *sql.Rows) error {
		u := wpstore.User{Meta: make(map[string]string, 3)}
		var metaID sql.NullInt64
		var key, value sql.NullString
		if err := rows.Scan(&u.ID, &u.Login, &u.Email, &u.Pass, &metaID, &key, &value); err != nil {
			return err
		}
		if found == nil {
			found = &u
		}
		if u.ID != found.ID || !key.Valid {
			return nil
		}
		name := key.String
		switch name { // with letter case, unlike the collation
		case capabilities:
			name = wpstore.MetaCapabilities
		case wpstore.MetaAppPasswords, wpstore.MetaSessions:
		default:
			return nil
		}
		if _, seen := found.Meta[name]; seen {
			return nil
		}
		found.Meta[name] = value.String
		if name == wpstore.MetaAppPasswords {
			found.AppPasswordMetaID = metaID.Int64
		}
		return nil
	})
	return found, err
}

// UserExists says whether there is an account with this id. One query.
func (s *Store) UserExists(ctx context.Context, id int64) (bool, error) {
	n, err := s.run.Number(ctx, "users.exists", sq.Select("COUNT(*)").From(s.tables.Quoted("users")).Where(sq.Eq{"ID": id}))
	return n > 0, err
}

// RecordApplicationPasswordUse replaces the list of application passwords in one
// metadata row, unless the row has changed since it was read: then nothing is
// written, and that is no error.
func (s *Store) RecordApplicationPasswordUse(ctx context.Context, metaID int64, old, new string) error {
	_, err := s.run.Exec(ctx, "users.app_password_used", sq.
		Update(s.tables.Quoted("usermeta")).
		Set("meta_value", new).
		Where(sq.Eq{"umeta_id": metaID}).
		Where(s.run.Dialect().Binary("meta_value")+" = ?", old))
	return err
}
