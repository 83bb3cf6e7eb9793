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

// UserByLogin returns the account with this login name, nil if there is none. The
// database's collation decides equality.
func (s *Store) UserByLogin(ctx context.Context, login string) (*wpstore.User, error) {
	if !sqlconn.Searchable(login) {
		return nil, nil
	}
	return s.user(ctx, "users.by_login", sq.Eq{"u.user_login": login})
}

// UserByEmail returns the account with this address, nil if there is none and the one
// with the lowest id if there are several.
func (s *Store) UserByEmail(ctx context.Context, email string) (*wpstore.User, error) {
	if !sqlconn.Searchable(email) {
		return nil, nil
	}
	return s.user(ctx, "users.by_email", sq.Eq{"u.user_email": email})
}

func (s *Store) user(ctx context.Context, name string, where sq.Sqlizer) (*wpstore.User, error) {
	query := sq.Select("u.ID", "u.user_login", "u.user_email", "u.user_pass", "m.umeta_id", "m.meta_key", "m.meta_value").
		From(s.tables.Quoted("users")+" u").
		LeftJoin(s.tables.Quoted("usermeta")+" m ON m.user_id = u.ID AND m.meta_key IN (?,?,?)",
			s.tables.Prefix()+wpstore.MetaCapabilities, wpstore.MetaAppPasswords, wpstore.MetaSessions).
		Where(where).
		OrderBy("u.ID", "m.umeta_id")
	names := map[string]string{ // by the stored key, compared with letter case
		s.tables.Prefix() + wpstore.MetaCapabilities: wpstore.MetaCapabilities,
		wpstore.MetaAppPasswords:                     wpstore.MetaAppPasswords, wpstore.MetaSessions: wpstore.MetaSessions,
	}
	var found *wpstore.User
	var u wpstore.User
	var metaID sql.NullInt64
	var key, value sql.NullString
	err := s.run.Query(ctx, name, query, sqlconn.EachRow(func() {
		if found == nil {
			found = &wpstore.User{ID: u.ID, Login: u.Login, Email: u.Email, Pass: u.Pass, Meta: make(map[string]string, len(names))}
		}
		name, wanted := names[key.String]
		if _, seen := found.Meta[name]; seen || !wanted || u.ID != found.ID {
			return
		}
		found.Meta[name] = value.String
		if name == wpstore.MetaAppPasswords {
			found.AppPasswordMetaID = metaID.Int64
		}
	}, &u.ID, &u.Login, &u.Email, &u.Pass, &metaID, &key, &value))
	return found, err
}

// CountUsers counts the accounts with one of these ids. One query.
func (s *Store) CountUsers(ctx context.Context, ids []int64) (int64, error) {
	if ids = sqlconn.DistinctIDs(ids); len(ids) == 0 {
		return 0, nil
	}
	return s.run.Number(ctx, "users.count", sq.Select("COUNT(*)").From(s.tables.Quoted("users")).Where(sqlconn.IDList("ID", ids)))
}

// RecordApplicationPasswordUse replaces the list of application passwords in a metadata
// row. If the row has changed since it was read, nothing is written and no error is
// returned.
func (s *Store) RecordApplicationPasswordUse(ctx context.Context, metaID int64, old, new string) error {
	_, err := s.run.Exec(ctx, "users.app_password_used", "usermeta", sq.
		Update(s.tables.Quoted("usermeta")).
		Set("meta_value", new).
		Where(sq.Eq{"umeta_id": metaID}).
		Where(s.run.Dialect().Binary("meta_value")+" = ?", old))
	return err
}
