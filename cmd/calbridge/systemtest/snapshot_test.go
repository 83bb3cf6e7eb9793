package systemtest

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"calbridge/wpstore/sqlite"
	"calbridge/wpstore/wptest"

	"github.com/go-sql-driver/mysql"
)

// snapshot holds every row of a database at one time, so that a test can find out what has
// changed since, and undo it.
type snapshot struct {
	db     *sql.DB
	engine string
	tables []*snapTable
}

type snapTable struct {
	name     string
	columns  []string
	key      []int // positions of the primary key's columns
	rows     map[string][]sql.NullString
	checksum string
	next     sql.NullInt64 // AUTO_INCREMENT
}

// tableChanges is the difference in one table: whole rows by column, and of
// updated rows the key and the columns that changed.
type tableChanges struct {
	Inserted, Deleted []map[string]any
	Updated           []rowChange
}

// rowChange is an updated row.
type rowChange struct{ Key, Before, After map[string]any }

// takeSnapshot reads the whole database, except for tables whose names contain one of the
// given texts.
func takeSnapshot(t testing.TB, d wptest.Database, without ...string) *snapshot {
	t.Helper()
	s := &snapshot{engine: d.Engine, db: rawConnection(t, d)}
	for _, name := range s.tableNames(t) {
		if slices.ContainsFunc(without, func(part string) bool { return strings.Contains(name, part) }) {
			continue
		}
		table := &snapTable{name: name}
		s.describe(t, table)
		table.rows = s.read(t, table)
		s.tables = append(s.tables, table)
	}
	sums, next := s.checksums(t), s.counters(t)
	for _, table := range s.tables {
		table.checksum, table.next = sums[table.name], next[table.name]
	}
	return s
}

// Cluster reports whether the server is a node of a Galera cluster.
func (s *snapshot) Cluster(t testing.TB) bool {
	t.Helper()
	if s.engine != "mariadb" {
		return false
	}
	var name, value string
	err := s.db.QueryRowContext(t.Context(), "SHOW GLOBAL VARIABLES LIKE 'wsrep_on'").Scan(&name, &value)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		t.Fatal(err)
	}
	return value == "ON"
}

func rawConnection(t testing.TB, d wptest.Database) *sql.DB {
	t.Helper()
	var db *sql.DB
	if file, ok := strings.CutPrefix(d.DSN, "sqlite:"); ok {
		connector, err := sqlite.NewConnector(file, d.Now)
		if err != nil {
			t.Fatal(err)
		}
		db = sql.OpenDB(connector)
	} else {
		cfg, err := mysql.ParseDSN(d.DSN)
		if err != nil {
			t.Fatal(err)
		}
		cfg.InterpolateParams = true
		cfg.Params = map[string]string{"sql_mode": "''", "time_zone": "'+00:00'"}
		if isMySQL, version := wptest.ServerKind(t); isMySQL && !strings.HasPrefix(version, "5.") {
			cfg.Params["information_schema_stats_expiry"] = "0" // the current counters, not cached ones
		}
		if err := cfg.Apply(mysql.Charset("utf8mb4", "utf8mb4_unicode_520_ci")); err != nil {
			t.Fatal(err)
		}
		if db, err = sql.Open("mysql", cfg.FormatDSN()); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// Keys returns the columns of each table's primary key.
func (s *snapshot) Keys() map[string][]string {
	out := map[string][]string{}
	for _, table := range s.tables {
		for _, i := range table.key {
			out[table.name] = append(out[table.name], table.columns[i])
		}
	}
	return out
}

// Changes returns what has changed since the snapshot, by table. Unchanged tables are absent.
func (s *snapshot) Changes(t testing.TB) map[string]tableChanges {
	t.Helper()
	sums := s.checksums(t)
	out := map[string]tableChanges{}
	for _, table := range s.tables {
		if table.checksum != "" && sums[table.name] == table.checksum {
			continue
		}
		if c := table.changes(s.read(t, table)); len(c.Inserted)+len(c.Updated)+len(c.Deleted) > 0 {
			out[table.name] = c
		}
	}
	return out
}

func (table *snapTable) changes(now map[string][]sql.NullString) tableChanges {
	var c tableChanges
	for key, row := range now {
		before, ok := table.rows[key]
		if !ok {
			c.Inserted = append(c.Inserted, table.record(row, nil))
			continue
		}
		differs := func(i int) bool { return row[i] != before[i] }
		if !slices.Equal(row, before) {
			c.Updated = append(c.Updated, rowChange{
				Key:    table.record(row, func(i int) bool { return slices.Contains(table.key, i) }),
				Before: table.record(before, differs), After: table.record(row, differs),
			})
		}
	}
	for key, row := range table.rows {
		if _, ok := now[key]; !ok {
			c.Deleted = append(c.Deleted, table.record(row, nil))
		}
	}
	return c
}

func (table *snapTable) record(row []sql.NullString, choose func(int) bool) map[string]any {
	out := map[string]any{}
	for i, name := range table.columns {
		switch {
		case choose != nil && !choose(i):
		case row[i].Valid:
			out[name] = row[i].String
		default:
			out[name] = nil
		}
	}
	return out
}

// Restore undoes every change and resets the counters.
func (s *snapshot) Restore(t testing.TB) {
	t.Helper()
	sums := s.checksums(t)
	for _, table := range s.tables {
		if table.checksum == "" || sums[table.name] != table.checksum {
			s.restoreRows(t, table)
		}
	}
	next := s.counters(t)
	for _, table := range s.tables {
		if now := next[table.name]; now != table.next && (table.next.Valid || s.engine == "sqlite") {
			s.setCounter(t, table)
		}
	}
}

func (s *snapshot) restoreRows(t testing.TB, table *snapTable) {
	t.Helper()
	now := s.read(t, table)
	where := make([]string, len(table.key))
	for i, at := range table.key {
		where[i] = "`" + table.columns[at] + "` = ?"
	}
	remove := "DELETE FROM `" + table.name + "` WHERE " + strings.Join(where, " AND ")
	insert := "INSERT INTO `" + table.name + "` (`" + strings.Join(table.columns, "`,`") + "`) VALUES (" +
		strings.TrimSuffix(strings.Repeat("?,", len(table.columns)), ",") + ")"
	for key, row := range now {
		if before, ok := table.rows[key]; ok && slices.Equal(row, before) {
			continue
		}
		args := make([]any, len(table.key))
		for i, at := range table.key {
			args[i] = row[at].String
		}
		s.exec(t, remove, args...)
	}
	for key, row := range table.rows {
		if after, ok := now[key]; ok && slices.Equal(row, after) {
			continue
		}
		args := make([]any, len(row))
		for i, v := range row {
			if v.Valid {
				args[i] = v.String
			}
		}
		s.exec(t, insert, args...)
	}
}

func (s *snapshot) exec(t testing.TB, statement string, args ...any) {
	t.Helper()
	if _, err := s.db.Exec(statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func (s *snapshot) setCounter(t testing.TB, table *snapTable) {
	t.Helper()
	if s.engine == "sqlite" && !table.next.Valid { // the table has always been empty
		s.exec(t, "DELETE FROM sqlite_sequence WHERE name = ?", table.name)
		return
	}
	if s.engine == "sqlite" {
		s.exec(t, "UPDATE sqlite_sequence SET seq = ? WHERE name = ?", table.next.Int64-1, table.name)
		return
	}
	s.exec(t, fmt.Sprintf("ALTER TABLE `%s` AUTO_INCREMENT = %d", table.name, table.next.Int64))
}
