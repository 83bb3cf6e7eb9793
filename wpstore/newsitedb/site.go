package sitedb

import (
	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/check"
	"calbridge/wpstore/options"
	"calbridge/wpstore/rowedit"
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
