package systemtest

import (
	"database/sql"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// list runs a query of texts.
func (s *snapshot) list(t testing.TB, query string, args ...any) [][]sql.NullString {
	t.Helper()
	rows, err := s.db.Query(query, args...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var out [][]sql.NullString
	for rows.Next() {
		row := make([]sql.NullString, len(columns))
		targets := make([]any, len(columns))
		for i := range row {
			targets[i] = &row[i]
		}
		if err := rows.Scan(targets...); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		out = append(out, row)
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return out
}

func (s *snapshot) tableNames(t testing.TB) []string {
	t.Helper()
	query := "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_name"
	if s.engine == "sqlite" {
		query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ORDER BY name"
	}
	var out []string
	for _, row := range s.list(t, query) {
		out = append(out, row[0].String)
	}
	return out
}

func (s *snapshot) describe(t testing.TB, table *snapTable) {
	t.Helper()
	if s.engine == "sqlite" {
		for i, row := range s.list(t, "SELECT name, pk FROM pragma_table_info(?) ORDER BY cid", table.name) {
			table.columns = append(table.columns, row[0].String)
			if row[1].String != "0" {
				table.key = append(table.key, i)
			}
		}
		return
	}
	for i, row := range s.list(t, "SELECT column_name, column_key FROM information_schema.columns"+
		" WHERE table_schema = DATABASE() AND table_name = ? ORDER BY ordinal_position", table.name) {
		table.columns = append(table.columns, row[0].String)
		if row[1].String == "PRI" {
			table.key = append(table.key, i)
		}
	}
}

func (s *snapshot) read(t testing.TB, table *snapTable) map[string][]sql.NullString {
	t.Helper()
	out := map[string][]sql.NullString{}
	for _, row := range s.list(t, "SELECT * FROM `"+table.name+"`") {
		parts := make([]string, len(table.key))
		for i, at := range table.key {
			parts[i] = row[at].String
		}
		out[strings.Join(parts, "/")] = row
	}
	return out
}

// checksums returns the server's checksums by table. SQLite has none.
func (s *snapshot) checksums(t testing.TB) map[string]string {
	t.Helper()
	out := map[string]string{}
	if s.engine == "sqlite" {
		return out
	}
	names := make([]string, len(s.tables))
	for i, table := range s.tables {
		names[i] = "`" + table.name + "`"
	}
	for _, row := range s.list(t, "CHECKSUM TABLE "+strings.Join(names, ",")) {
		_, name, _ := strings.Cut(row[0].String, ".")
		out[name] = row[1].String
	}
	return out
}

// counters returns the next automatic ids, by table.
func (s *snapshot) counters(t testing.TB) map[string]sql.NullInt64 {
	t.Helper()
	query := "SELECT table_name, auto_increment FROM information_schema.tables WHERE table_schema = DATABASE()"
	if s.engine == "sqlite" {
		query = "SELECT name, seq + 1 FROM sqlite_sequence"
	}
	out := map[string]sql.NullInt64{}
	for _, row := range s.list(t, query) {
		var n sql.NullInt64
		if row[1].Valid {
			if err := n.Scan(row[1].String); err != nil {
				t.Fatal(err)
			}
		}
		out[row[0].String] = n
	}
	return out
}

// Excluded reports whether a changed row is one of those that change all the time:
// an option whose name the pattern matches, or the sessions of a user. Row holds
// the changed columns at least, key those of the primary key.
func (s *snapshot) Excluded(table string, row, key map[string]any, options *regexp.Regexp) bool {
	column := ""
	switch {
	case strings.HasSuffix(table, "_options"):
		column = "option_name"
	case strings.HasSuffix(table, "_usermeta"):
		column, options = "meta_key", regexp.MustCompile(`^session_tokens$`)
	default:
		return false
	}
	name, ok := row[column].(string)
	if !ok {
		name = s.cell(table, key, column)
	}
	return options.MatchString(name)
}

// cell returns a value of a row at the time of the snapshot.
func (s *snapshot) cell(name string, key map[string]any, column string) string {
	for _, table := range s.tables {
		if table.name != name {
			continue
		}
		parts := make([]string, len(table.key))
		for i, at := range table.key {
			parts[i], _ = key[table.columns[at]].(string)
		}
		row := table.rows[strings.Join(parts, "/")]
		if at := slices.Index(table.columns, column); row != nil && at >= 0 {
			return row[at].String
		}
	}
	return ""
}
