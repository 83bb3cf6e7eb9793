package sitedb_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"calbridge/wpstore"
	"calbridge/wpstore/events"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
	"calbridge/wpstore/wptest/rowtest"
)

// ignoreDigests compares loaded rows with expected ones, which have no digests.
func ignoreDigests() cmp.Option { return cmpopts.IgnoreTypes(wpstore.Digest{}) }

const (
	category = wpstore.CategoryTaxonomy
	tag      = wpstore.TagTaxonomy
)

// row is a row of a table by column.
type row = rowtest.Row

// fixture is a small site that a test fills row by row, with a session that reads it.
type fixture struct {
	rowtest.Filler
	*sitedb.Session
	db *sitedb.DB
	t  testing.TB
}

// newSite opens an empty site: in memory, or on a database of its own.
func newSite(t testing.TB, engine string, change ...func(*sitedb.Config)) fixture {
	t.Helper()
	cfg := sitedb.Config{
		Config: sqlconn.Config{Database: wptest.Address(t, "sqlite::memory:"), Now: func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }},
		Tables: table.Config{Prefix: "wp_"},
	}
	if engine == "mariadb" {
		cfg.Database = wptest.Address(t, wptest.MariaDB(t))
	}
	for _, f := range change {
		f(&cfg)
	}
	db, err := sitedb.Open(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if err := db.CreateSchema(context.Background()); err != nil {
		t.Fatal(err)
	}
	return fixture{rowtest.Filler{T: t, DB: db.SQL(), Table: db.Table}, db.Session(nil), db, t}
}

// eachEngine runs a test on an empty site in each engine.
func eachEngine(t *testing.T, test func(fixture)) {
	for _, engine := range wptest.Engines() {
		t.Run(engine, func(t *testing.T) { test(newSite(t, engine)) })
	}
}

// queries runs do and checks how many statements it took.
func (f fixture) queries(want int, do func(context.Context)) {
	f.t.Helper()
	before := f.Session.Queries()
	do(f.t.Context())
	n := f.Session.Queries() - before
	if n == want+1 && !f.db.Dialect().Windows() {
		return // the total of a list is a statement of its own
	}
	if n != want {
		f.t.Errorf("%d queries, want %d", n, want)
	}
}

// eventIDs returns a page of events and how many there are in all.
func eventIDs(ctx context.Context, s *events.Store, q wpstore.EventQuery) (ids []int64, total int64, err error) {
	page, err := s.Events(ctx, q, nil)
	return page.IDs, page.Total, err
}
