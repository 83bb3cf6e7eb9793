package sitedb

import (
	"context"

	"calbridge/wpstore/check"
	"calbridge/wpstore/rowedit"
)

// CheckSchema looks whether this database can be served; see [check.Schema].
func (db *DB) CheckSchema(ctx context.Context) (check.Report, error) {
	return check.Schema(ctx, db.checked())
}

// CheckFeed looks whether [DB.Feed] can follow the binary log; see [check.Feed].
func (db *DB) CheckFeed(ctx context.Context) (check.Report, error) {
	return check.Feed(ctx, db.Servers)
}

// CheckReplicas looks at each replica; see [check.Replicas].
func (db *DB) CheckReplicas(ctx context.Context) check.Report {
	return check.Replicas(ctx, db.checked())
}

func (db *DB) checked() check.Site {
	return check.Site{
		Servers: db.Servers, Tables: db.tables, Network: db.cfg.Tables.BlogID > 1, Options: &db.Session(nil).Options,
		Written: names(rowedit.Tables()), PluginTables: names(db.plugins.Tables()),
	}
}

func names(tables []rowedit.Table) []string {
	out := make([]string, len(tables))
	for i, t := range tables {
		out[i] = t.Name
	}
	return out
}
