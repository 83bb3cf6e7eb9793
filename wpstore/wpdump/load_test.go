package wpdump_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"calbridge/wpstore/sqlite"
	"calbridge/wpstore/wpdump"
	"calbridge/wpstore/wptest"

	_ "github.com/go-sql-driver/mysql"
)

// openServer and openFile open what wptest made.
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

// read returns the rows of a query as texts, NULL told from "NULL".
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
	for _, site := range []string{"mono", "wpml", "poly"} {
		t.Run(site, func(t *testing.T) {
			server := openServer(t, wptest.Site(t, "mariadb", site).DSN)
			file := openFile(t, wptest.Site(t, "sqlite", site).DSN)
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

// compareNextIDs inserts nothing, but looks at the counters.
func compareNextIDs(t *testing.T, server, file *sql.DB) {
	want := read(t, server, "SELECT table_name, auto_increment - 1 FROM information_schema.tables WHERE table_schema = DATABASE() AND auto_increment > 1")
	got := read(t, file, "SELECT name, seq FROM sqlite_sequence WHERE seq > 0")
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("counters\n%s\n%s", got, want)
	}
}

const small = `-- MariaDB dump
/*!40101 SET NAMES utf8mb4 */;
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
DROP TABLE IF EXISTS ` + "`t`" + `;
CREATE TABLE ` + "`t`" + ` (
  ` + "`id`" + ` int(11) NOT NULL AUTO_INCREMENT,
  ` + "`v`" + ` text DEFAULT NULL,
  ` + "`b`" + ` blob DEFAULT NULL,
  PRIMARY KEY (` + "`id`" + `)
) ENGINE=InnoDB AUTO_INCREMENT=9 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;
LOCK TABLES ` + "`t`" + ` WRITE;
INSERT INTO ` + "`t`" + ` VALUES (0,'žluť\0\n''\\',0xFF00),(3,NULL,'x');
INSERT INTO t (b, id) VALUES (_binary 'é', 4);
UNLOCK TABLES;
`

func TestLoad(t *testing.T) {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write([]byte(small))
	z.Close()
	want := []string{`"0" "žluť\x00\n'\\" "\xff\x00" `, `"3" NULL "x" `, `"4" NULL "é" `}
	for _, engine := range wptest.Engines() {
		for name, dump := range map[string]string{"plain": small, "gzip": zipped.String()} {
			t.Run(engine+"/"+name, func(t *testing.T) {
				var db *sql.DB
				if engine == "sqlite" {
					db = openFile(t, sqlite.Memory)
				} else {
					db = openServer(t, wptest.MariaDB(t))
				}
				for range 2 { // the second replaces the first
					if err := wpdump.Load(context.Background(), db, engine, strings.NewReader(dump)); err != nil {
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
}

func TestLoadErrors(t *testing.T) {
	for _, c := range []struct{ engine, dump, want string }{
		{"oracle", "", "not known"},
		{"sqlite", "INSERT INTO missing VALUES (1);", "dump line 1: missing:"},
		{"sqlite", "\n\nALTER TABLE t ADD x int;", "dump line 3"},
		{"sqlite", "CREATE TABLE t (", "dump line 1"},
		{"sqlite", "CREATE TABLE t (a int); INSERT INTO t VALUES ('x", "is the file complete"},
		{"sqlite", "\x1f\x8bnot gzip", "load dump"},
	} {
		db := openFile(t, sqlite.Memory)
		keep, err := db.Conn(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		err = wpdump.Load(context.Background(), db, c.engine, strings.NewReader(c.dump))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.dump, err, c.want)
		}
		if got := read(t, db, "SELECT name FROM sqlite_master"); len(got) > 0 {
			t.Errorf("%q left %s", c.dump, got)
		}
		keep.Close()
	}
}
