package sqlite_test

import (
	"context"
	"database/sql"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"calbridge/wpstore/sqlite"
	"calbridge/wpstore/wptest"

	_ "github.com/go-sql-driver/mysql"
)

func noon() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }

func open(t testing.TB, file string) *sql.DB {
	t.Helper()
	connector, err := sqlite.NewConnector(file, noon)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	t.Cleanup(func() { db.Close() })
	if err := db.Ping(); err != nil {
		t.Fatal(err)
	}
	return db
}

func ask(t testing.TB, db *sql.DB, query string, args ...any) string {
	t.Helper()
	var answer sql.NullString
	if err := db.QueryRow(query, args...).Scan(&answer); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	if !answer.Valid {
		return "NULL"
	}
	return answer.String
}

func TestFunctions(t *testing.T) {
	db := open(t, sqlite.Memory)
	for _, c := range []struct{ expr, want string }{
		{"'Žižkov' LIKE '%ZIZ%'", "1"},
		{"'Žižkov' NOT LIKE '%ZIZ%'", "0"},
		{`'50 %' LIKE '50 \%'`, "1"},
		{`'500' LIKE '50\%'`, "0"},
		{"NULL LIKE 'a'", "NULL"},
		{"'a' LIKE NULL", "NULL"},
		{"123 LIKE '12_'", "1"},
		{"x'c5bd' LIKE 'z'", "1"},
		{"'Žižkov' = 'zizkov'", "0"},
		{"'Žižkov' = 'zizkov' COLLATE utf8mb4_unicode_520_ci", "1"},
		{"now()", "2026-11-21 12:00:00"},
		{"CURRENT_TIMESTAMP", "2026-11-21 12:00:00"},
		{"cast_datetime(NULL)", "NULL"},
		{"cast_datetime('2026-11-21')", "2026-11-21 00:00:00"},
	} {
		if got := ask(t, db, "SELECT "+c.expr); got != c.want {
			t.Errorf("%s is %s, want %s", c.expr, got, c.want)
		}
	}
}

// dateTexts are what post meta may hold where a date should be.
var dateTexts = []string{
	"2026-11-21 12:30:45", "2026-11-21 12:30", "2026-11-21 12", "2026-11-21", "2026-11", "2026",
	"2026-1-2 3:4:5", "26-1-2", "69-12-31", "70-1-1", "2026-02-29", "2028-02-29", "2026-13-01", "2026-00-10",
	"2026-10-00", "0000-00-00 00:00:00", "0000-00-00", "20261121", "20261121123045", "261121", "261121123045",
	"2026-11-21T12:30:45", "2026/11/21", "2026.11.21 12.30.45", "2026-11-21 24:00:00", "2026-11-21 12:60:00",
	"2026-11-21 12:30:60", "", " ", "x", "2026-11-21x", "2026-11-21 x", " 2026-11-21 10:00:00", "2026-11-21  10:00:00",
	"2026-11-21 10:00:00 ", "2026-11-21 10:00:00.75", "12:30", "1-2-3", "0-0-0", "00-0-0", "00-1-1", "-2026-11-21", "2026-11-21 12:30:45+02:00", "2026-11-21T12:30:45Z",
	"99999-01-01", "2026-11-211",
}

func TestCastDatetimeAsServer(t *testing.T) {
	db := open(t, sqlite.Memory)
	server, err := sql.Open("mysql", wptest.MariaDB(t)+"?interpolateParams=true&charset=utf8mb4&sql_mode=''")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	texts := dateTexts
	random := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		text := []byte("2026-11-21 12:30:45")
		at := random.IntN(len(text))
		insert := []byte{"0159-: T/x."[random.IntN(11)]}
		texts = append(texts, string(slices.Replace(text, at, at+random.IntN(2), insert[:random.IntN(2)]...)))
	}
	slices.Sort(texts)
	texts = slices.Compact(texts)
	for _, text := range texts {
		want := ask(t, server, "SELECT CAST(? AS DATETIME)", text)
		if got := ask(t, db, "SELECT cast_datetime(?)", text); got != want {
			t.Errorf("%q as a date: the server says %s, we say %s", text, want, got)
		}
	}
}

// TestMemoryIsShared writes and reads from many connections at once.
func TestMemoryIsShared(t *testing.T) {
	db := open(t, sqlite.Memory)
	db.SetMaxOpenConns(8)
	if _, err := db.Exec("CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, n INTEGER); INSERT INTO t (n) VALUES (0)"); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	const workers, each = 6, 20
	for range workers {
		wg.Go(func() {
			for range each {
				if err := increment(db); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	if got := ask(t, db, "SELECT n FROM t"); got != "120" {
		t.Errorf("%d increments made %s", workers*each, got)
	}
	if other := open(t, sqlite.Memory); ask(t, other, "SELECT COUNT(*) FROM sqlite_master") != "0" {
		t.Error("another database in memory has our table")
	}
}

// increment reads and writes in one transaction, which only works when the
// transaction locks from its start.
func increment(db *sql.DB) error {
	tx, err := db.BeginTx(context.Background(), nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var n int
	if err := tx.QueryRow("SELECT n FROM t").Scan(&n); err != nil {
		return err
	}
	if _, err := tx.Exec("UPDATE t SET n = ?", n+1); err != nil {
		return err
	}
	return tx.Commit()
}

func TestFileNames(t *testing.T) {
	for _, name := range []string{"plain.sqlite", "with space & ?#%.sqlite", "žluťoučký.sqlite"} {
		path := filepath.Join(t.TempDir(), name)
		db := open(t, path)
		if _, err := db.Exec("CREATE TABLE t (a TEXT)"); err != nil {
			t.Fatal(err)
		}
		db.Close()
		if got := ask(t, open(t, path), "SELECT name FROM sqlite_master"); got != "t" {
			t.Errorf("%s: %s", path, got)
		}
	}
	if _, err := sqlite.NewConnector("", noon); err == nil {
		t.Error("a file without a name was opened")
	}
}

// TestNewFileOpenedAtOnce: connections that make the same file wait for each other.
func TestNewFileOpenedAtOnce(t *testing.T) {
	for range 50 {
		file := filepath.Join(t.TempDir(), "new.sqlite")
		var using sync.WaitGroup
		for i := range 4 {
			using.Go(func() {
				connector, err := sqlite.NewConnector(file, noon)
				if err != nil {
					t.Error(err)
					return
				}
				db := sql.OpenDB(connector)
				defer db.Close()
				statement := "SELECT COUNT(*) FROM sqlite_master"
				if i%2 == 0 {
					statement = "CREATE TABLE IF NOT EXISTS t (a)"
				}
				if _, err := db.ExecContext(t.Context(), statement); err != nil {
					t.Error(err)
				}
			})
		}
		using.Wait()
	}
}
