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
	Name:   "a`b",
	NextID: 77,
	Columns: []ddl.Column{
		{Name: "ID", Type: "bigint(20) unsigned", NotNull: true, AutoIncrement: true},
		{Name: "name", Type: "varchar(191)", NotNull: true, Default: `'a''b\\c'`, Binary: true},
		{Name: "kind", Type: "enum('x','y,z')", NotNull: true},
		{Name: "price", Type: "decimal(10,2)", Default: "-1.50"},
		{Name: "data", Type: "longblob", Default: "NULL"},
		{Name: "made", Type: "datetime", NotNull: true, Default: "'0000-00-00 00:00:00'"},
		{Name: "day", Type: "date", NotNull: true},
		{Name: "touched", Type: "timestamp", Default: "current_timestamp()", TouchOnUpdate: true},
		{Name: "doubled", Type: "int(11)"},
		{Name: "words", Type: "mediumtext"},
	},
	Keys: []ddl.Key{
		{Kind: ddl.Primary, Columns: []ddl.KeyColumn{{Name: "ID"}}},
		{Kind: ddl.Unique, Name: "name", Columns: []ddl.KeyColumn{{Name: "name"}, {Name: "kind"}}},
		{Kind: ddl.Unique, Name: "start", Columns: []ddl.KeyColumn{{Name: "words", Prefix: 10}}},
		{Kind: ddl.Index, Name: "made", Columns: []ddl.KeyColumn{{Name: "made"}, {Name: "words", Prefix: 191}}},
	},
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
	made := everything.SQLite(collation.Name)
	run(made.Create)
	for _, statement := range append(made.Indexes, made.After...) {
		run(statement)
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
	if got, want := ask("SELECT ID || '|' || name || '|' || kind || '|' || price || '|' || made || '|' || day || '|' || touched FROM `a``b`"),
		`77|a'b\c|x|-1.5|0000-00-00 00:00:00|0000-00-00|2026-11-21 12:00:00`; got != want {
		t.Errorf("defaults are %s, want %s", got, want)
	}
	if got := ask("SELECT COUNT(*) FROM `a``b` WHERE words = 'ZLUTOUCKY '"); got != "1" {
		t.Error("texts do not compare under the collation")
	}
	if got := ask("SELECT COUNT(*) FROM `a``b` WHERE name = 'A''B\\C'"); got != "0" {
		t.Error("texts of a binary column do not compare by bytes")
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
		"  `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT 'a''b\\\\c',\n" +
		"  `kind` enum('x','y,z') NOT NULL,\n" +
		"  `price` decimal(10,2) DEFAULT -1.50,\n" +
		"  `data` longblob DEFAULT NULL,\n" +
		"  `made` datetime NOT NULL DEFAULT '0000-00-00 00:00:00',\n" +
		"  `day` date NOT NULL,\n" +
		"  `touched` timestamp NULL DEFAULT current_timestamp() ON UPDATE CURRENT_TIMESTAMP,\n" +
		"  `doubled` int(11),\n" +
		"  `words` mediumtext,\n" +
		"  PRIMARY KEY (`ID`),\n" +
		"  UNIQUE KEY `name` (`name`,`kind`),\n" +
		"  UNIQUE KEY `start` (`words`(10)),\n" +
		"  KEY `made` (`made`,`words`(191))\n" +
		") ENGINE=InnoDB AUTO_INCREMENT=77 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci"
	if diff := cmp.Diff(want, everything.MySQL("utf8mb4_unicode_520_ci")); diff != "" {
		t.Error(diff)
	}
}
