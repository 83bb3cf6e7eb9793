package sitedb

import (
	"context"

	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/check"
	"calbridge/wpstore/ddl"
	"calbridge/wpstore/options"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/schema"
	"calbridge/wpstore/sqlconn"
)

// Feed follows what is written to the site, by whomever.
func (db *DB) Feed() *changefeed.Feed { return db.feed }

func (db *DB) newFeed() *changefeed.Feed {
	names, networkNames := options.Read(db.tables.Prefix())
	return changefeed.New(changefeed.Config{
		Servers: db.Servers, Tables: db.tables, Options: names, NetworkOptions: networkNames,
		Plugins: db.plugins.Storage(), Complete: db.withEvents,
	})
}

// CheckSite is the site as package check looks at it.
func (db *DB) CheckSite() check.Site {
	store := options.New(sqlconn.NewRunner(db.Servers, nil), db.tables, db.plugins)
	return check.Site{
		Servers: db.Servers, Tables: db.tables, Network: db.cfg.Tables.BlogID > 1, Options: &store,
		Written: namesOf(rowedit.Tables()), PluginTables: namesOf(db.plugins.Tables()),
	}
}

func namesOf(tables []rowedit.Table) []string {
	names := make([]string, len(tables))
	for i, t := range tables {
		names[i] = t.Name
	}
	return names
}

// CreateSchema makes the tables of WordPress and of The Events Calendar in an empty
// database: for demonstrations and tests. Real sites bring theirs.
func (db *DB) CreateSchema(ctx context.Context) error { return db.create(ctx, schema.Tables()) }

// CreateLanguageSchema makes the tables of WPML that are read or written, beside those
// of CreateSchema: for demonstrations and tests.
func (db *DB) CreateLanguageSchema(ctx context.Context) error {
	return db.create(ctx, schema.LanguageTables())
}

func (db *DB) create(ctx context.Context, tables []ddl.Table) error {
	return schema.Create(ctx, sqlconn.NewRunner(db.Servers, nil), db.Dialect(), db.tables.Plain, tables)
}
