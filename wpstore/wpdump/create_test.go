package wpdump

import (
	"strings"
	"testing"

	"calbridge/wpstore/collation"
	"calbridge/wpstore/ddl"

	"github.com/google/go-cmp/cmp"
)

const everything = "CREATE TABLE `a``b` (\n" +
	"  `ID` bigint(20) unsigned NOT NULL AUTO_INCREMENT COMMENT 'it''s, (the) id',\n" +
	"  `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT 'a''b\\\\c',\n" +
	"  `kind` enum('x','y,z') NOT NULL,\n" +
	"  `price` decimal(10,2) DEFAULT -1.50,\n" +
	"  `data` longblob DEFAULT NULL,\n" +
	"  `made` datetime NOT NULL DEFAULT '0000-00-00 00:00:00',\n" +
	"  `day` date NOT NULL,\n" +
	"  `touched` timestamp NULL DEFAULT current_timestamp() ON UPDATE current_timestamp(),\n" +
	"  `doubled` int(11) GENERATED ALWAYS AS (`ID` * 2) STORED,\n" +
	"  `words` mediumtext,\n" +
	"  PRIMARY KEY (`ID`),\n" +
	"  UNIQUE KEY `name` (`name`,`kind`),\n" +
	"  UNIQUE KEY `start` (`words`(10)),\n" +
	"  KEY `made` (`made` DESC,`words`(191)) USING BTREE,\n" +
	"  FULLTEXT KEY `words` (`words`),\n" +
	"  CONSTRAINT `c` FOREIGN KEY (`ID`) REFERENCES `other` (`id`) ON DELETE CASCADE\n" +
	") ENGINE=InnoDB AUTO_INCREMENT=77 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci COMMENT='x'"

func TestParseCreate(t *testing.T) {
	got, err := parseCreate(everything)
	if err != nil {
		t.Fatal(err)
	}
	want := ddl.Table{
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
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestParseCreateRefuses(t *testing.T) {
	for _, statement := range []string{
		"", "SELECT 1", "CREATE VIEW v AS SELECT 1", "CREATE TABLE", "CREATE TABLE t", "CREATE TABLE t (",
		"CREATE TABLE t ()", "CREATE TABLE t (a", "CREATE TABLE t (a)", "CREATE TABLE t (a int", "CREATE TABLE `t (a int)",
		"CREATE TABLE t (a int DEFAULT 'x)", "CREATE TABLE t (KEY (a)", "CREATE TABLE t (a int /* )",
	} {
		if table, err := parseCreate(statement); err == nil {
			t.Errorf("%q was read as %+v", statement, table)
		}
	}
}

func TestReadsWhatIsWritten(t *testing.T) {
	table, err := parseCreate(everything)
	if err != nil {
		t.Fatal(err)
	}
	again, err := parseCreate(table.MySQL("utf8mb4_unicode_520_ci"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range again.Columns {
		again.Columns[i].Default = strings.Replace(again.Columns[i].Default, "CURRENT_TIMESTAMP", "current_timestamp()", 1)
	}
	if diff := cmp.Diff(table, again); diff != "" {
		t.Error(diff)
	}
}

func FuzzParseCreate(f *testing.F) {
	f.Add(everything)
	f.Add("CREATE TABLE t (a int DEFAULT (1+(2)), PRIMARY KEY (a))")
	f.Add("create table t(a set('x') default 'x' on update now(3) unique)")
	f.Fuzz(func(t *testing.T, statement string) {
		table, err := parseCreate(statement)
		if err == nil {
			table.SQLite(collation.Name)
			table.MySQL(collation.Name)
		}
	})
}
