package sitedb_test

import (
	"context"
	"fmt"
	"maps"
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
)

// ignoreDigests compares loaded rows with expected ones, which have no digests.
func ignoreDigests() cmp.Option { return cmpopts.IgnoreTypes(wpstore.Digest{}) }

// row is a row of a table by column.
type row map[string]any

// fixture is a small site that a test fills row by row, with a session that reads it.
type fixture struct {
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
	return fixture{db.Session(nil), db, t}
}

// eachEngine runs a test on an empty site in each engine.
func eachEngine(t *testing.T, test func(fixture)) {
	for _, engine := range wptest.Engines() {
		t.Run(engine, func(t *testing.T) { test(newSite(t, engine)) })
	}
}

// insert adds a row; columns that no default covers are filled.
func (f fixture) insert(table string, r row) {
	f.t.Helper()
	wptest.Insert(f.t, f.db.SQL(), f.db.Table(table), r)
}

func (f fixture) meta(post int64, key string, value any) {
	f.t.Helper()
	f.insert("postmeta", row{"post_id": post, "meta_key": key, "meta_value": value})
}

// post adds a published post.
func (f fixture) post(id int64, postType string, r row) {
	f.t.Helper()
	full := row{"ID": id, "post_type": postType, "post_status": "publish", "post_date": "2026-01-01 00:00:00"}
	maps.Copy(full, r)
	f.insert("posts", full)
}

// event adds a published event with an occurrence of two hours, and the same
// dates in its metadata. UTC is an hour behind.
func (f fixture) event(id int64, start string, r row) {
	f.t.Helper()
	f.post(id, wpstore.EventType, r)
	f.occurrence(id, start)
	end, startUTC, endUTC := shift(f.t, start, 2), shift(f.t, start, -1), shift(f.t, start, 1)
	f.meta(id, "_EventStartDate", start)
	f.meta(id, "_EventEndDate", end)
	f.meta(id, "_EventStartDateUTC", startUTC)
	f.meta(id, "_EventEndDateUTC", endUTC)
}

func (f fixture) occurrence(post int64, start string) {
	f.t.Helper()
	f.insert("tec_occurrences", row{"event_id": post, "post_id": post, "hash": fmt.Sprintf("%d %s", post, start),
		"start_date": start, "end_date": shift(f.t, start, 2),
		"start_date_utc": shift(f.t, start, -1), "end_date_utc": shift(f.t, start, 1)})
}

func shift(t testing.TB, date string, hours int) string {
	t.Helper()
	parsed, err := time.Parse(time.DateTime, date)
	if err != nil {
		t.Fatal(err)
	}
	return parsed.Add(time.Duration(hours) * time.Hour).Format(time.DateTime)
}

// term adds a term; its taxonomy id is its id and 1000 more.
func (f fixture) term(id int64, taxonomy, name, slug string, parent, count int64) {
	f.t.Helper()
	f.insert("terms", row{"term_id": id, "name": name, "slug": slug})
	f.insert("term_taxonomy", row{"term_taxonomy_id": 1000 + id, "term_id": id, "taxonomy": taxonomy,
		"description": "", "parent": parent, "count": count})
}

// tag gives a post a term.
func (f fixture) tag(post, term int64) {
	f.t.Helper()
	f.insert("term_relationships", row{"object_id": post, "term_taxonomy_id": 1000 + term})
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

func (f fixture) ok(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

// eventIDs returns a page of events and how many there are in all.
func eventIDs(ctx context.Context, s *events.Store, q wpstore.EventQuery) (ids []int64, total int64, err error) {
	page, err := s.Events(ctx, q, nil)
	return page.IDs, page.Total, err
}
