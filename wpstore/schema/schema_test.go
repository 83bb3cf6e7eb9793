package schema_test

import (
	"context"
	"strings"
	"testing"

	"calbridge/wpstore/schema"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/wptest"
)

func open(t *testing.T, cfg sitedb.Config) *sitedb.DB {
	t.Helper()
	db, err := sitedb.Open(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func TestCreateSchemaAsRealSite(t *testing.T) {
	site := open(t, sitedb.Config{Config: sqlconn.Config{DSN: wptest.Site(t, "mariadb", "mono").DSN}, Tables: table.Config{Prefix: "wp_"}})
	own := open(t, sitedb.Config{Config: sqlconn.Config{DSN: wptest.MariaDB(t)}, Tables: table.Config{Prefix: "wp_"}})
	if err := own.CreateSchema(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, table := range schema.Tables() {
		want, got := describeTable(t, site, table.Name), describeTable(t, own, table.Name)
		if got != want {
			t.Errorf("%s is\n%s\nwant\n%s", table.Name, got, want)
		}
	}
	if err := own.CreateSchema(context.Background()); err == nil {
		t.Error("tables that exist were made again")
	}
}

func TestCreateLanguageSchemaAsRealSite(t *testing.T) {
	site := open(t, sitedb.Config{Config: sqlconn.Config{DSN: wptest.Site(t, "mariadb", "wpml").DSN}, Tables: table.Config{Prefix: "wp_"}})
	own := open(t, sitedb.Config{Config: sqlconn.Config{DSN: wptest.MariaDB(t)}, Tables: table.Config{Prefix: "wp_"}})
	if err := own.CreateLanguageSchema(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, table := range schema.LanguageTables() {
		want, got := describeTable(t, site, table.Name), describeTable(t, own, table.Name)
		if got != want {
			t.Errorf("%s is\n%s\nwant\n%s", table.Name, got, want)
		}
	}
}

func describeTable(t *testing.T, db *sitedb.DB, table string) string {
	t.Helper()
	var name, text string
	err := db.SQL().QueryRow("SHOW CREATE TABLE "+db.Table(table)).Scan(&name, &text)
	if err != nil {
		t.Fatal(err)
	}
	before, after, _ := strings.Cut(text, " AUTO_INCREMENT=")
	_, after, _ = strings.Cut(after, " ")
	return strings.TrimSpace(before + " " + strings.TrimPrefix(after, " "))
}
