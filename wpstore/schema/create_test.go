package schema_test

import (
	"strings"
	"testing"

	"calbridge/wpstore/ddl"
	"calbridge/wpstore/schema"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/wptest"
)

func open(t *testing.T, dsn string) *sqlconn.Servers {
	t.Helper()
	servers, err := sqlconn.Open(t.Context(), sqlconn.Config{Database: wptest.Address(t, dsn)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { servers.Close() })
	return servers
}

func create(t *testing.T, in *sqlconn.Servers, tables []ddl.Table) error {
	prefixed := func(name string) string { return "wp_" + name }
	return schema.Create(t.Context(), sqlconn.NewRunner(in, nil), in.Dialect(), prefixed, tables)
}

func TestCreateSchemaAsRealSite(t *testing.T) {
	site := open(t, wptest.Site(t, "mariadb", "mono").DSN)
	own := open(t, wptest.MariaDB(t))
	if err := create(t, own, schema.Tables()); err != nil {
		t.Fatal(err)
	}
	for _, table := range schema.Tables() {
		want, got := describeTable(t, site, table.Name), describeTable(t, own, table.Name)
		if got != want {
			t.Errorf("%s is\n%s\nwant\n%s", table.Name, got, want)
		}
	}
	if err := create(t, own, schema.Tables()); err == nil {
		t.Error("tables that exist were made again")
	}
}

func TestCreateLanguageSchemaAsRealSite(t *testing.T) {
	site := open(t, wptest.Site(t, "mariadb", "wpml").DSN)
	own := open(t, wptest.MariaDB(t))
	if err := create(t, own, schema.LanguageTables()); err != nil {
		t.Fatal(err)
	}
	for _, table := range schema.LanguageTables() {
		want, got := describeTable(t, site, table.Name), describeTable(t, own, table.Name)
		if got != want {
			t.Errorf("%s is\n%s\nwant\n%s", table.Name, got, want)
		}
	}
}

func describeTable(t *testing.T, db *sqlconn.Servers, table string) string {
	t.Helper()
	var name, text string
	err := db.SQL().QueryRow("SHOW CREATE TABLE wp_"+table).Scan(&name, &text)
	if err != nil {
		t.Fatal(err)
	}
	before, after, _ := strings.Cut(text, " AUTO_INCREMENT=")
	_, after, _ = strings.Cut(after, " ")
	return strings.TrimSpace(before + " " + strings.TrimPrefix(after, " "))
}
