package sitedb_test

import (
	"strconv"
	"testing"

	"calbridge/wpstore"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/wptest"
)

// rowsRead counts the rows that the server has read for this session, index
// entries and temporary tables included.
func rowsRead(t *testing.T, db *sitedb.DB) int {
	t.Helper()
	rows, err := db.SQL().QueryContext(t.Context(), "SHOW SESSION STATUS LIKE 'Handler_read%'")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	sum := 0
	for rows.Next() {
		var name, value string
		if err := rows.Scan(&name, &value); err != nil {
			t.Fatal(err)
		}
		n, err := strconv.Atoi(value)
		if err != nil {
			t.Fatal(err)
		}
		sum += n
	}
	return sum
}

// The number of rows that a list of 10,000 events costs. The bounds are the values measured
// on MariaDB 10.11 plus a fifth, so that the test shows the effect of a changed query. A
// list without an index by date reads each occurrence once, and the head of each event
// within its window. These rows, and the sort that determines the total, are most of the
// cost.
func TestEventIDsCost(t *testing.T) {
	db := generated(t, "mariadb", 10_000) // one connection
	if db.Engine() != "mariadb" {
		t.Skipf("the bounds are those of MariaDB, this is %s", db.Engine())
	}
	bounds := map[string]int{
		"upcoming":     60_000,
		"last_page":    66_000,
		"any_status":   60_000,
		"everything":   108_000,
		"beyond_pages": 90_000,
		"month":        16_000,
		"search":       24_000,
		"venue":        12_500,
		"category":     8_000,
		"featured":     1_250,
		"include":      80,
		"no_table":     84_000,
	}
	costs(t, db, wpstore.StartIndexes{}, bounds)
}

// The same where the owner of the site has added an index by start: lists without filters
// are not sorted, and windows are read alone.
func TestWalkedEventIDsCost(t *testing.T) {
	db := generated(t, "mariadb", 10_000)
	if db.Engine() != "mariadb" {
		t.Skipf("the bounds are those of MariaDB, this is %s", db.Engine())
	}
	for _, statement := range []string{"CREATE INDEX starts ON wp_tec_occurrences (start_date, post_id, end_date)", "ANALYZE TABLE wp_tec_occurrences"} {
		if _, err := db.SQL().Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	costs(t, db, wpstore.StartIndexes{Local: "starts"}, map[string]int{
		"upcoming":   16_000,
		"any_status": 16_000,
		"everything": 28_000,
		"month":      10_400,
	})
}

func costs(t *testing.T, db *sitedb.DB, starts wpstore.StartIndexes, bounds map[string]int) {
	t.Helper()
	idle := rowsRead(t, db)
	idle = rowsRead(t, db) - idle
	for name, bound := range bounds {
		q, ok := wptest.TypicalQueries()[name]
		if !ok {
			t.Fatalf("no query %s", name)
		}
		before := rowsRead(t, db)
		session := db.Session(nil)
		session.Events.UseStartIndexes(starts)
		_, total, err := eventIDs(t.Context(), &session.Events, q)
		if err != nil {
			t.Fatal(err)
		}
		read := rowsRead(t, db) - before - idle
		t.Logf("%-12s %6d rows read, %5d events", name, read, total)
		if read > bound {
			t.Errorf("%s: %d rows read, at most %d are expected", name, read, bound)
		}
	}
}
