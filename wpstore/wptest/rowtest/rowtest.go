// Package rowtest gives tests of the stores the empty tables of WordPress, The Events Calendar
// and WPML, and fills them.
//
//	site.go     a database on each engine, and a request that reads it
//	filler.go   single posts, terms, events and tickets
//	rowtest.go  rows for packages that write them
//
// Only tests import it.
package rowtest

import (
	"database/sql"
	"strings"
	"testing"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
)

// Noon is the timestamp of the rows.
var Noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// Rows returns rows of a new embedded database with the prefix wp_. User 7 writes them at Noon, in
// a zone an hour ahead of UTC.
func Rows(t testing.TB) *rowedit.Rows {
	t.Helper()
	return NewSite(t, "sqlite").Rows()
}

// Rows returns the rows of the site as Rows does. They are written without a transaction.
func (s *Site) Rows() *rowedit.Rows {
	run := sqlconn.NewRunner(s.Servers, nil)
	return rowedit.New(rowedit.Config{
		Runner: run, Stamp: rowedit.Stamp{Now: Noon, Zone: time.FixedZone("CET", 3600), User: 7}, Tables: s.Tables,
		Locks: rowedit.NewLocks(run, s.Tables, false), Known: rowedit.NewKnown(nil, false, false),
	})
}

// Exec runs a statement.
func Exec(t testing.TB, rows *rowedit.Rows, statement string, args ...any) {
	t.Helper()
	if err := rows.Change(t.Context(), "test", "", sq.Expr(statement, args...)); err != nil {
		t.Fatal(err)
	}
}

// Texts returns the rows of a query, with their columns joined by blanks.
func Texts(t testing.TB, rows *rowedit.Rows, query string) string {
	t.Helper()
	var lines []string
	err := rows.Query(t.Context(), "test", sq.Expr(query), func(r *sql.Rows) error {
		columns, err := r.Columns()
		if err != nil {
			return err
		}
		values, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := r.Scan(into...); err != nil {
			return err
		}
		fields := make([]string, len(values))
		for i, v := range values {
			fields[i] = v.String
		}
		lines = append(lines, strings.Join(fields, " "))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}
