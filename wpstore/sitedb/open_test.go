package sitedb_test

import (
	"path/filepath"
	"testing"

	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

func TestOpenCreatesFileOnDemand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "new & odd?.sqlite")
	open := func(create bool) *sitedb.DB {
		db, err := sitedb.Open(t.Context(), sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, "sqlite:"+file), CreateFile: create}, Tables: table.Config{Prefix: "wp_"}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		return db
	}
	db := open(true)
	if err := db.CreateSchema(t.Context()); err != nil {
		t.Fatal(err)
	}
	db.Close()
	var rows int
	if err := open(false).SQL().QueryRow("SELECT COUNT(*) FROM wp_tec_events").Scan(&rows); err != nil || rows != 0 {
		t.Errorf("%d rows: %v", rows, err)
	}
}
