package options

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/ddl"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/schema"
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

// charsets returns the character sets of the columns that writes change, by "table.column", without those in
// utf8mb4. engines holds the tables that exist. One query, one more on a site with tables of language plugins, or
// none for the embedded engine.
func (s *Store) charsets(ctx context.Context, engines map[string]string) (map[string]string, error) {
	if s.run.Dialect().Embedded() {
		return nil, nil
	}
	var exist []string
	for _, table := range append(s.written(), usersMeta) {
		if _, ok := engines[table]; ok {
			exist = append(exist, table)
		}
	}
	described, others := describe(exist)
	found, err := s.ColumnCharsets(ctx, described)
	if errors.Is(err, wpstore.ErrUnavailable) {
		return nil, err
	}
	if err != nil { // some other version's table, or no right to read it
		found, others = map[string]string{}, exist
	}
	maps.DeleteFunc(found, func(_, holds string) bool { return holds == charset.Default })
	if len(others) == 0 {
		return found, nil
	}
	names := map[string]string{}
	var physical []string
	for _, table := range others {
		name := s.tables.Plain(table)
		names[strings.ToLower(name)] = table
		physical = append(physical, name)
	}
	err = s.run.Query(ctx, "site.other_charsets", charset.Foreign(physical), func(rows *sql.Rows) error {
		var table, column, charset string
		err := rows.Scan(&table, &column, &charset)
		found[names[strings.ToLower(table)]+"."+strings.ToLower(column)] = charset
		return err
	})
	return found, err
}

// describe returns the descriptions of tables, and the names of those that are not described.
func describe(tables []string) (described []ddl.Table, others []string) {
	all := schema.Tables()
	for _, name := range tables {
		if at := slices.IndexFunc(all, func(t ddl.Table) bool { return t.Name == name }); at >= 0 {
			described = append(described, all[at])
		} else {
			others = append(others, name)
		}
	}
	return described, others
}

// ColumnCharsets returns the character sets of columns of tables, by "table.column", without those of numbers,
// dates and bytes. It fails if the database lacks one of the columns, or the user may not read it. One query. It
// must not be called for the embedded engine.
func (s *Store) ColumnCharsets(ctx context.Context, tables []ddl.Table) (map[string]string, error) {
	found := map[string]string{}
	if len(tables) == 0 {
		return found, nil
	}
	columns := map[string][]ddl.Column{}
	var of []charset.Table
	for _, t := range tables {
		columns[t.Name] = t.Columns
		asked := charset.Table{Name: t.Name, Quoted: s.tables.Quoted(t.Name)}
		for _, c := range t.Columns {
			asked.Columns = append(asked.Columns, c.Name)
		}
		of = append(of, asked)
	}
	err := s.run.Query(ctx, "site.charsets", charset.Of(of), func(rows *sql.Rows) error {
		var table, charsets string
		err := rows.Scan(&table, &charsets)
		for i, holds := range strings.Fields(charsets) {
			if holds != charset.Binary {
				found[table+"."+columns[table][i].Name] = holds
			}
		}
		return err
	})
	return found, err
}

// usersMeta is the table of users' metadata, which writes change although it isn't the site's alone.
const usersMeta = "usermeta"

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
