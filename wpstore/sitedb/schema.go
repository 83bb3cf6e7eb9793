package sitedb

import (
	"context"

	"calbridge/wpstore/ddl"
	"calbridge/wpstore/schema"
	"calbridge/wpstore/sqlconn"
)

// CreateSchema creates the tables of WordPress and of The Events Calendar in an empty
// database, for demonstrations and tests. Real sites already have them.
func (db *DB) CreateSchema(ctx context.Context) error { return db.create(ctx, schema.Tables()) }

// CreateLanguageSchema adds the tables of WPML that this program reads or writes.
func (db *DB) CreateLanguageSchema(ctx context.Context) error {
	return db.create(ctx, schema.LanguageTables())
}

func (db *DB) create(ctx context.Context, tables []ddl.Table) error {
	return schema.Create(ctx, sqlconn.NewRunner(db.Servers, nil), db.Dialect(), db.Table, tables)
}
