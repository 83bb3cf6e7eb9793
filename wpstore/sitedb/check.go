package sitedb

import (
	"context"
	"time"

	"calbridge/wpstore"
	"calbridge/wpstore/check"
	"calbridge/wpstore/rowedit"
)

// CheckSchema checks whether this database can be served; see [check.Schema].
func (db *DB) CheckSchema(ctx context.Context) (check.Report, *wpstore.SiteFacts, error) {
	return check.Schema(ctx, db.checked())
}

// CheckFeed checks whether [DB.Feed] can follow the binary log; see [check.Feed].
func (db *DB) CheckFeed(ctx context.Context) (check.Report, error) {
	return check.Feed(ctx, db.checked())
}

// CheckReplicas checks each replica; see [check.Replicas].
func (db *DB) CheckReplicas(ctx context.Context) check.Report {
	return check.Replicas(ctx, db.checked())
}

// CheckLists times a list of events; see [check.Lists].
func (db *DB) CheckLists(ctx context.Context) (check.Report, error) {
	return check.Lists(ctx, db.checked(), db.upcoming)
}

// upcoming returns the result of [check.Upcoming]: the best of three runs, since the first
// one reads from the disk.
func (db *DB) upcoming(ctx context.Context, utc bool, starts wpstore.StartIndexes) (events int64, took time.Duration, err error) {
	now := db.cfg.Now
	if now == nil {
		now = time.Now
	}
	q := wpstore.EventQuery{
		Statuses: []string{"publish"}, Passwords: []string{}, Occurrences: true, Limit: 10,
		UTC: utc, Order: wpstore.EventOrder{UTC: utc}, Bounds: []wpstore.Bound{{Op: ">=", Value: now().UTC().Format(time.DateOnly) + " 00:00:00"}},
	}
	for i := range 3 {
		session := db.Session(nil)
		session.Events.UseStartIndexes(starts)
		began := time.Now()
		page, err := session.Events.Events(ctx, q, nil)
		if err != nil {
			return 0, 0, err
		}
		if once := time.Since(began); i == 0 || once < took {
			took = once
		}
		events = page.Total
	}
	return events, took, nil
}

func (db *DB) checked() check.Site {
	site := check.Site{Servers: db.Servers, Tables: db.tables, CalendarTablesOff: db.cfg.CalendarTablesOff, Options: &db.Session(nil).Options, Hub: db.cfg.Hub}
	for _, t := range rowedit.Tables() {
		site.Written = append(site.Written, t.Name)
	}
	for _, t := range db.plugins.Tables() {
		site.PluginTables = append(site.PluginTables, t.Name)
	}
	return site
}
