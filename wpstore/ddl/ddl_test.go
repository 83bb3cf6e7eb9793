package ddl_test

import (
	"database/sql"
	"testing"
	"time"

	"calbridge/wpstore/collation"
	"calbridge/wpstore/ddl"
	"calbridge/wpstore/sqlite"

	"github.com/google/go-cmp/cmp"
)

// everything has a column or key of each kind.
var everything = ddl.Table{
	Name: "a`b",
	Columns: []ddl.Column{
		{Name: "ID", Type: "bigint(20) unsigned", NotNull: true, AutoIncrement: true},
		{Name: "name", Type: "varchar(191)", NotNull: true, Default: `'a''b'`},
		{Name: "kind", Type: "enum('x','y,z')", NotNull: true},
		{Name: "price", Type: "smallint(5)", Default: "-15"},
		{Name: "seats", Type: "int(11)", NotNull: true},
		{Name: "data", Type: "longtext", Default: "NULL"},
		{Name: "made", Type: "datetime", NotNull: true, Default: "'0000-00-00 00:00:00'"},
		{Name: "day", Type: "datetime", NotNull: true},
		{Name: "touched", Type: "timestamp", Default: "current_timestamp()", TouchOnUpdate: true},
		{Name: "words", Type: "mediumtext"},
	},
	Keys: []ddl.Key{
		{Kind: ddl.Primary, Columns: []ddl.KeyColumn{{Name: "ID"}}},
		{Kind: ddl.Unique, Name: "name", Columns: []ddl.KeyColumn{{Name: "name"}, {Name: "kind"}}},
		{Kind: ddl.Index, Name: "made", Columns: []ddl.KeyColumn{{Name: "made"}, {Name: "words", Prefix: 191}}},
	},
}

// pairs has a primary key of two columns.
var pairs = ddl.Table{
	Name:    "pairs",
	Columns: []ddl.Column{{Name: "a", Type: "bigint(20)", NotNull: true}, {Name: "b", Type: "tinyint(4)", NotNull: true, Default: "1"}},
	Keys:    []ddl.Key{{Kind: ddl.Primary, Columns: []ddl.KeyColumn{{Name: "a"}, {Name: "b"}}}},
}

func TestSQLite(t *testing.T) {
	now := "2026-11-21 12:00:00"
	connector, err := sqlite.NewConnector(sqlite.Memory, func() time.Time {
		at, _ := time.Parse(time.DateTime, now)
		return at
	})
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	db.SetMaxOpenConns(1)
	run := func(statement string, args ...any) {
		t.Helper()
		if _, err := db.Exec(statement, args...); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	for _, statement := range append(everything.SQLite(collation.Name), pairs.SQLite(collation.Name)...) {
		run(statement)
	}
	refuse := func(statement string) {
		t.Helper()
		if _, err := db.Exec(statement); err == nil {
			t.Errorf("%s was accepted", statement)
		}
	}
	ask := func(query string) string {
		t.Helper()
		var out string
		if err := db.QueryRow(query).Scan(&out); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		return out
	}
	run("INSERT INTO `a``b` (words) VALUES ('Žluťoučký')")
	if got, want := ask("SELECT ID || '|' || name || '|' || kind || '|' || price || '|' || seats || '|' || made || '|' || day || '|' || touched FROM `a``b`"),
		`1|a'b||-15|0|0000-00-00 00:00:00|0000-00-00 00:00:00|2026-11-21 12:00:00`; got != want {
		t.Errorf("defaults are %s, want %s", got, want)
	}
	if got := ask("SELECT COUNT(*) FROM `a``b` WHERE data IS NULL AND words = 'ZLUTOUCKY '"); got != "1" {
		t.Error("texts do not compare under the collation")
	}
	refuse("INSERT INTO `a``b` (name) VALUES ('A''B')") // unique with kind, under the collation
	refuse("INSERT INTO `a``b` (name, seats) VALUES ('c', NULL)")
	run("DELETE FROM `a``b` WHERE ID = 1")
	run("INSERT INTO `a``b` (words) VALUES ('Žluťoučký')")
	if got := ask("SELECT ID FROM `a``b`"); got != "2" {
		t.Errorf("an automatic id was given twice: %s", got)
	}
	run("INSERT INTO pairs (a) VALUES (1)")
	run("INSERT INTO pairs VALUES (1, 2)")
	refuse("INSERT INTO pairs VALUES (1, 1)")
	if got := ask("SELECT group_concat(name) FROM sqlite_master WHERE type = 'index' AND sql <> ''"); got != "a`b__name,a`b__made" {
		t.Errorf("indexes: %s", got)
	}
	now = "2026-11-22 12:00:00"
	run("UPDATE `a``b` SET words = words")
	if got := ask("SELECT touched FROM `a``b`"); got != "2026-11-21 12:00:00" {
		t.Errorf("an update that changed nothing touched the row: %s", got)
	}
	run("UPDATE `a``b` SET words = upper(words)")
	if got := ask("SELECT touched FROM `a``b`"); got != now {
		t.Errorf("an update did not touch the row: %s", got)
	}
	run("UPDATE `a``b` SET words = '', touched = '2020-01-01 00:00:00'")
	if got := ask("SELECT touched FROM `a``b`"); got != "2020-01-01 00:00:00" {
		t.Errorf("an explicit time was overwritten: %s", got)
	}
}

func TestMySQL(t *testing.T) {
	want := "CREATE TABLE `a``b` (\n" +
		"  `ID` bigint(20) unsigned NOT NULL AUTO_INCREMENT,\n" +
		"  `name` varchar(191) NOT NULL DEFAULT 'a''b',\n" +
		"  `kind` enum('x','y,z') NOT NULL,\n" +
		"  `price` smallint(5) DEFAULT -15,\n" +
		"  `seats` int(11) NOT NULL,\n" +
		"  `data` longtext DEFAULT NULL,\n" +
		"  `made` datetime NOT NULL DEFAULT '0000-00-00 00:00:00',\n" +
		"  `day` datetime NOT NULL,\n" +
		"  `touched` timestamp NULL DEFAULT current_timestamp() ON UPDATE CURRENT_TIMESTAMP,\n" +
		"  `words` mediumtext,\n" +
		"  PRIMARY KEY (`ID`),\n" +
		"  UNIQUE KEY `name` (`name`,`kind`),\n" +
		"  KEY `made` (`made`,`words`(191))\n" +
		") ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci"
	if diff := cmp.Diff(want, everything.MySQL("utf8mb4_unicode_520_ci")); diff != "" {
		t.Error(diff)
	}
}
