package options

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/sqlconn/charset"
)

// engines returns which of some WordPress tables exist, with the storage engine of each.
// Some servers lower-case table names. One query.
func (s *Store) engines(ctx context.Context, tables []string) (map[string]string, error) {
	names := make(map[string]string, len(tables))
	physical := make([]string, 0, len(tables))
	for _, table := range tables {
		name := s.tables.Plain(table)
		names[strings.ToLower(name)] = table
		physical = append(physical, name)
	}
	found := make(map[string]string, len(tables))
	err := s.run.Query(ctx, "site.tables", s.run.Dialect().TablesNamed(physical), func(rows *sql.Rows) error {
		var name, engine string
		err := rows.Scan(&name, &engine)
		if table, ok := names[strings.ToLower(name)]; ok {
			found[table] = engine
		}
		return err
	})
	return found, err
}

// Charsets returns the character sets of the columns that writes change, by "table.column",
// without those in utf8mb4. One query, or none for the embedded engine.
func (s *Store) Charsets(ctx context.Context) (map[string]string, error) {
	if s.run.Dialect().Embedded() {
		return nil, nil
	}
	names := map[string]string{}
	var physical []string
	for _, table := range append(s.written(), "usermeta") {
		name := s.tables.Plain(table)
		names[strings.ToLower(name)] = table
		physical = append(physical, name)
	}
	found := map[string]string{}
	err := s.run.Query(ctx, "site.charsets", charset.Foreign(physical), func(rows *sql.Rows) error {
		var table, column, charset string
		err := rows.Scan(&table, &column, &charset)
		found[names[strings.ToLower(table)]+"."+strings.ToLower(column)] = charset
		return err
	})
	return found, err
}

// Existing returns which of some WordPress tables exist. One query.
func (s *Store) Existing(ctx context.Context, tables ...string) (map[string]bool, error) {
	engines, err := s.engines(ctx, tables)
	return existing(engines), err
}

func existing(engines map[string]string) map[string]bool {
	found := make(map[string]bool, len(engines))
	for table := range engines {
		found[table] = true
	}
	return found
}

// written returns the tables that writes change, on any site.
func (s *Store) written() []string {
	var names []string
	for _, t := range append(rowedit.Tables(), s.plugins.Tables()...) {
		names = append(names, t.Name)
	}
	return names
}

// withoutTransactions are storage engines, in lower case, that keep the rows of a failed
// transaction and ignore row locks.
var withoutTransactions = []string{"myisam", "aria", "mrg_myisam", "memory", "csv", "archive", "blackhole"}

// noTransactions returns the physical names of the written tables whose storage engine has
// no transactions.
func (s *Store) noTransactions(engines map[string]string, written []string) []string {
	var found []string
	for _, table := range written {
		if slices.Contains(withoutTransactions, strings.ToLower(engines[table])) {
			found = append(found, s.tables.Plain(table))
		}
	}
	return found
}

// NoTransactions returns the physical names of the tables that writes change and that have
// no transactions. One query.
func (s *Store) NoTransactions(ctx context.Context) ([]string, error) {
	written := s.written()
	engines, err := s.engines(ctx, written)
	return s.noTransactions(engines, written), err
}

// startIndexes returns the indexes of the occurrence table by start. One query, or none for
// the embedded engine.
func (s *Store) startIndexes(ctx context.Context) (found wpstore.StartIndexes, err error) {
	if s.run.Dialect().Embedded() {
		return found, nil
	}
	table := s.tables.Plain("tec_occurrences")
	query := sq.Select().
		Column(s.run.Dialect().IndexFor(table, "start_date")).
		Column(s.run.Dialect().IndexFor(table, "start_date_utc"))
	var local, utc sql.NullString
	err = s.run.Query(ctx, "site.indexes", query, sqlconn.EachRow(func() {
		found = wpstore.StartIndexes{Local: local.String, UTC: utc.String}
	}, &local, &utc))
	return found, err
}
