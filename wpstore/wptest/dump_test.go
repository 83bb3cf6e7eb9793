package wptest

import (
	"bytes"
	"compress/gzip"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"calbridge/wpstore/sqlite"

	_ "github.com/go-sql-driver/mysql"
)

// openServer and openFile open databases that wptest created.
func openServer(t testing.TB, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open("mysql", dsn+"?charset=utf8mb4&interpolateParams=true")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func openFile(t testing.TB, file string) *sql.DB {
	t.Helper()
	connector, err := sqlite.NewConnector(strings.TrimPrefix(file, "sqlite:"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	t.Cleanup(func() { db.Close() })
	return db
}

// read returns the rows of a query as texts, with NULL unquoted.
func read(t testing.TB, db *sql.DB, query string) []string {
	t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	values := make([]sql.NullString, len(columns))
	into := make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	var out []string
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		line := ""
		for _, v := range values {
			if v.Valid {
				line += fmt.Sprintf("%q ", v.String)
			} else {
				line += "NULL "
			}
		}
		out = append(out, line)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestEnginesHoldTheSame loads the dumps into both engines and compares every
// value of every row of every table.
func TestEnginesHoldTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: the race detector finds nothing in a single goroutine")
	}
	for _, site := range []string{"mono", "wpml", "poly"} {
		t.Run(site, func(t *testing.T) {
			server := openServer(t, Site(t, "mariadb", site).DSN)
			file := openFile(t, Site(t, "sqlite", site).DSN)
			tables := read(t, server, "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()")
			slices.Sort(tables)
			here := read(t, file, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
			slices.Sort(here)
			if !slices.Equal(tables, here) {
				t.Fatalf("tables\n%s\n%s", tables, here)
			}
			rows := 0
			for _, table := range tables {
				table = strings.Trim(table, `" `)
				want := read(t, server, "SELECT * FROM `"+table+"`")
				got := read(t, file, "SELECT * FROM `"+table+"`")
				slices.Sort(want)
				slices.Sort(got)
				if !slices.Equal(got, want) {
					t.Errorf("%s differs: %d and %d rows", table, len(got), len(want))
				}
				rows += len(want)
			}
			t.Logf("%d rows of %d tables compared", rows, len(tables))
			compareNextIDs(t, server, file)
		})
	}
}

// compareNextIDs compares the counters without inserting anything.
func compareNextIDs(t *testing.T, server, file *sql.DB) {
	want := read(t, server, "SELECT table_name, auto_increment - 1 FROM information_schema.tables WHERE table_schema = DATABASE() AND auto_increment > 1")
	got := read(t, file, "SELECT name, seq FROM sqlite_sequence WHERE seq > 0")
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("counters\n%s\n%s", got, want)
	}
}

// small has a text of every kind of escape, and an id that is 0.
const small = `/*M!999999\- enable the sandbox mode */ 
-- MariaDB dump
--
/*!40101 SET NAMES utf8mb4 */;
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;

--
-- Table structure
--

DROP TABLE IF EXISTS ~t~;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE ~t~ (
  ~id~ int(11) NOT NULL AUTO_INCREMENT,
  ~v~ text DEFAULT NULL,
  ~made~ datetime NOT NULL DEFAULT '0000-00-00 00:00:00',
  ~touched~ timestamp NULL DEFAULT current_timestamp() ON UPDATE current_timestamp(),
  PRIMARY KEY (~id~),
  KEY ~made~ (~made~,~v~(10))
) ENGINE=InnoDB AUTO_INCREMENT=9 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;
LOCK TABLES ~t~ WRITE;
/*!40000 ALTER TABLE ~t~ DISABLE KEYS */;
INSERT INTO ~t~ VALUES
(0,'žluť\0\n\'\\','2026-11-21 12:00:00',NULL),
(3,NULL,'0000-00-00 00:00:00',NULL);
INSERT INTO ~t~ VALUES (4,'a;b\"\r\t\Z\\n','0000-00-00 00:00:00',NULL);
UNLOCK TABLES;
`

func TestLoad(t *testing.T) {
	dump := strings.ReplaceAll(small, "~", "`")
	path := filepath.Join(t.TempDir(), "small.sql.gz")
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write([]byte(dump))
	z.Close()
	if err := os.WriteFile(path, zipped.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`"0" "žluť\x00\n'\\" "2026-11-21 12:00:00" NULL `, `"3" NULL "0000-00-00 00:00:00" NULL `,
		`"4" "a;b\"\r\t\x1a\\n" "0000-00-00 00:00:00" NULL `,
	}
	for _, engine := range Engines() {
		t.Run(engine, func(t *testing.T) {
			var db *sql.DB
			load := func() error { return loadSQLite(t.Context(), db, dump) }
			if engine == "sqlite" {
				db = openFile(t, sqlite.Memory)
			} else {
				dsn := MariaDB(t)
				db = openServer(t, dsn)
				load = func() error { return loadServer(dsn, path) }
			}
			for range 2 { // the second replaces the first
				if err := load(); err != nil {
					t.Fatal(err)
				}
			}
			if got := read(t, db, "SELECT * FROM t ORDER BY id"); !slices.Equal(got, want) {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			result, err := db.Exec("INSERT INTO t (v) VALUES ('next')")
			if err != nil {
				t.Fatal(err)
			}
			if id, _ := result.LastInsertId(); id != 9 {
				t.Errorf("the next id is %d, want 9", id)
			}
		})
	}
}

func TestLoadErrors(t *testing.T) {
	for _, c := range []struct{ dump, want string }{
		{"INSERT INTO missing VALUES (1);\n", "no such table"},
		{"\n\nALTER TABLE t ADD x int;\n", "ALTER TABLE t"},
		{"CREATE TABLE `t` (\n  `a` point,\n  FULLTEXT KEY `a` (`a`)\n) ENGINE=InnoDB;\n", "FULLTEXT"},
		{"CREATE TABLE `t` (\n  `a` int(11)\n) ENGINE=InnoDB;\nINSERT INTO `t` VALUES ('x", "INSERT"},
	} {
		db := openFile(t, sqlite.Memory)
		keep, err := db.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := loadSQLite(t.Context(), db, c.dump); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.dump, err, c.want)
		}
		if got := read(t, db, "SELECT name FROM sqlite_master"); len(got) > 0 {
			t.Errorf("%q left %s", c.dump, got)
		}
		keep.Close()
	}
	if _, err := readDump(filepath.Join(t.TempDir(), "missing.sql.gz")); err == nil {
		t.Error("a missing file was read")
	}
}
