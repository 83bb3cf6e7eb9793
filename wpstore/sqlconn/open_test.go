package sqlconn

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	sq "github.com/Masterminds/squirrel"
	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore"
	"calbridge/wpstore/wptest"
)

func TestOpenErrors(t *testing.T) {
	notSQLite := filepath.Join(t.TempDir(), "text.txt")
	if err := os.WriteFile(notSQLite, []byte(strings.Repeat("this is no database\n", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, dsn, want string
		unavailable     bool
	}{
		{"no database", "u:p@tcp(127.0.0.1:1)/", "name of the database is missing", false},
		{"nothing listens", "u:secret@tcp(127.0.0.1:1)/wp", "cannot connect to 127.0.0.1:1: connection refused: check", true},
		{"no socket", "u:secret@unix(/nonexistent/mysqld.sock)/wp", "this socket does not exist", true},
		{"no host", "u:secret@tcp(host.invalid:3306)/wp", `the host name "host.invalid" has no address: check the host`, true},
		{"no file", "sqlite:/nonexistent/x.sqlite", "the file /nonexistent/x.sqlite does not exist", false},
		{"not SQLite", "sqlite:" + notSQLite, "check that it is a SQLite file", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Open(context.Background(), Config{Database: wptest.Address(t, c.dsn)}, independent)
			if err == nil {
				t.Fatal("opened")
			}
			if !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%v; want %q", err, c.want)
			}
			if errors.Is(err, wpstore.ErrUnavailable) != c.unavailable {
				t.Errorf("unavailable is %v: %v", !c.unavailable, err)
			}
		})
	}
}

func TestWrongPasswordAndDatabase(t *testing.T) {
	cfg, err := mysql.ParseDSN(wptest.MariaDBWithUsers(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		change func(*mysql.Config)
		want   string
	}{
		{func(c *mysql.Config) { c.User, c.Passwd = "nobody", "secret" }, `access denied for user "nobody"`},
		{func(c *mysql.Config) { c.DBName = "elsewhere" }, `no database "elsewhere"`},
	} {
		wrong := cfg.Clone()
		c.change(wrong)
		_, err := Open(context.Background(), Config{Database: wptest.Address(t, wrong.FormatDSN())}, independent)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%v; want %q", err, c.want)
		}
	}
}

func TestSession(t *testing.T) {
	fixed := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	testEngines(t, func(c *Config) { c.Now, c.FixedClock = func() time.Time { return fixed }, true }, func(t *testing.T, db *Servers) {
		if !db.Now().Equal(fixed) {
			t.Error("the clock is not the passed one")
		}
		if got := askText(t, db, sq.Select("NOW()")); got != "2026-11-21 12:00:00" {
			t.Errorf("NOW() is %s", got)
		}
		if db.dialect.Engine() == "sqlite" {
			return
		}
		variables := map[string]string{
			"@@sql_mode":              "NO_ENGINE_SUBSTITUTION",
			"@@time_zone":             "+00:00",
			"@@collation_connection":  "utf8mb4_unicode_520_ci",
			"@@character_set_results": "utf8mb4",
		}
		switch isMySQL, version := wptest.ServerKind(t); {
		case !isMySQL:
			variables["@@max_statement_time"] = "11"
		case !strings.HasPrefix(version, "5.6."): // which has no limit
			variables["@@max_execution_time"] = "11000"
		}
		for variable, want := range variables {
			if got := askText(t, db, sq.Select(variable)); got != want {
				t.Errorf("%s is %q, want %q", variable, got, want)
			}
		}
	})
}

func TestDeadlines(t *testing.T) {
	endless := sq.Expr("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000000000) SELECT MAX(i) FROM n")
	testEngines(t, nil, func(t *testing.T, db *Servers) {
		if db.dialect.Engine() == "mariadb" {
			endless = sq.Expr("SELECT SLEEP(600)")
		}
		db.cfg.QueryTimeout = 50 * time.Millisecond
		if err := NewRunner(db, nil).Query(context.Background(), "test", endless, func(*sql.Rows) error { return nil }); !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, wpstore.ErrUnavailable) {
			t.Error(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		err := NewRunner(db, nil).Query(ctx, "test", sq.Select("1"), func(*sql.Rows) error { return nil })
		if !errors.Is(err, context.Canceled) || errors.Is(err, wpstore.ErrUnavailable) {
			t.Errorf("a caller that left: %v", err)
		}
		db.cfg.QueryTimeout = time.Minute
		if err := db.Ping(context.Background()); err != nil {
			t.Errorf("the pool did not recover: %v", err)
		}
	})
}

func TestCountObserveAndComment(t *testing.T) {
	var mu sync.Mutex
	seen := map[string]int{}
	testEngines(t, func(c *Config) {
		c.Observe = func(name string, took time.Duration, err error) {
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				name += " failed"
			}
			seen[name]++
		}
	}, func(t *testing.T, db *Servers) {
		clear(seen)
		ctx, run := context.Background(), NewRunner(db, nil)
		for range 3 {
			if err := run.Query(ctx, "test.one", sq.Select("1"), func(*sql.Rows) error { return nil }); err != nil {
				t.Fatal(err)
			}
		}
		err := run.Query(ctx, "test.missing", sq.Select("*").From("wp_posts"), nil)
		if !errors.Is(err, wpstore.ErrSchema) || errors.Is(err, wpstore.ErrUnavailable) || !strings.Contains(err.Error(), "test.missing") {
			t.Errorf("a missing table: %v", err)
		}
		if run.Queries() != 4 || seen["test.one"] != 3 || seen["test.missing failed"] != 1 {
			t.Errorf("counted %d, seen %v", run.Queries(), seen)
		}
		if db.dialect.Engine() == "mariadb" {
			if got := askText(t, db, sq.Select("info").From("information_schema.processlist").Where("id = CONNECTION_ID()")); !strings.HasPrefix(got, "/* calbridge:test */ SELECT") {
				t.Errorf("the statement is %q", got)
			}
		}
	})
}
