package sitedb

import (
	"context"

	"calbridge/wpstore/check"
	"calbridge/wpstore/rowedit"
)

// CheckSchema checks whether this database can be served; see [check.Schema].
func (db *DB) CheckSchema(ctx context.Context) (check.Report, error) {
	return check.Schema(ctx, db.checked())
}

// CheckFeed checks whether [DB.Feed] can follow the binary log; see [check.Feed].
func (db *DB) CheckFeed(ctx context.Context) (check.Report, error) {
	return check.Feed(ctx, db.Servers)
}

// CheckReplicas checks each replica; see [check.Replicas].
func (db *DB) CheckReplicas(ctx context.Context) check.Report {
	return check.Replicas(ctx, db.checked())
}

func (db *DB) checked() check.Site {
	site := check.Site{Servers: db.Servers, Tables: db.tables, Network: db.cfg.Tables.BlogID > 1, CalendarTablesOff: db.cfg.CalendarTablesOff, Options: &db.Session(nil).Options}
	for _, t := range rowedit.Tables() {
		site.Written = append(site.Written, t.Name)
	}
	for _, t := range db.plugins.Tables() {
		site.PluginTables = append(site.PluginTables, t.Name)
	}
	return site
}
