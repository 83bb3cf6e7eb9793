package dialect

import (
	"database/sql"
	"errors"
	"strings"

	sq "github.com/Masterminds/squirrel"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"calbridge/wpstore/collation"
	"calbridge/wpstore/ddl"
)

// SQLite is the embedded engine's dialect.
type SQLite struct {
	sqliteExpressions
	sqliteCatalogue
	sqliteReplication
}

// sqliteReplication is none.
type sqliteReplication struct{ Replication }

func (sqliteReplication) FeedAdvice() (privilege, options string) { return "", "" }

func (SQLite) Engine() string     { return "sqlite" }
func (SQLite) Embedded() bool     { return true }
func (SQLite) Versions() Versions { return Versions{Oldest: Version{3, 40}} }

type sqliteExpressions struct{}

func (sqliteExpressions) CastSigned(expr string) string   { return "CAST(" + expr + " AS INTEGER)" }
func (sqliteExpressions) CastDatetime(expr string) string { return "cast_datetime(" + expr + ")" }
func (sqliteExpressions) Binary(expr string) string       { return expr + " COLLATE BINARY" }
func (sqliteExpressions) Concat(exprs ...string) string   { return "''||" + strings.Join(exprs, "||") }
func (sqliteExpressions) Greatest(exprs ...string) string {
	return "MAX(" + strings.Join(exprs, ", ") + ")"
}
func (sqliteExpressions) JoinInOrder() string             { return "CROSS JOIN" }
func (sqliteExpressions) Windows() bool                   { return true }
func (sqliteExpressions) TieBreak(column string) []string { return []string{column} }
func (sqliteExpressions) ForUpdate() string               { return "" }

func (sqliteExpressions) Upsert(key string, columns []string) string {
	sets := make([]string, len(columns))
	for i, c := range columns {
		sets[i] = c + " = excluded." + c
	}
	return "ON CONFLICT(" + key + ") DO UPDATE SET " + strings.Join(sets, ", ")
}

type sqliteCatalogue struct{}

func (sqliteCatalogue) CreateTable(t ddl.Table) []string { return t.SQLite(collation.Name) }

func (sqliteCatalogue) TablesNamed(names []string) sq.SelectBuilder {
	return sq.Select("name", "''").From("sqlite_master").Where(sq.Eq{"type": "table", "name": names})
}

func (sqliteCatalogue) TablesLike(pattern string) sq.SelectBuilder {
	return sq.Select("name").From("sqlite_master").Where(sq.Eq{"type": "table"}).Where("name LIKE ?", pattern).OrderBy("name")
}

func (sqliteCatalogue) ColumnsOf(tables []string) sq.SelectBuilder {
	return sq.Select("m.name", "c.name").From("sqlite_master AS m, pragma_table_info(m.name) AS c").Where(sq.Eq{"m.name": tables})
}

func (sqliteCatalogue) IndexFor(string, string) sq.Sqlizer { return sq.Expr("NULL") }
func (sqliteCatalogue) RowEstimate(string) sq.Sqlizer      { return sq.Expr("NULL") }

func (SQLite) Isolation() *sql.TxOptions { return nil }

// ByKeys implements Dialect.
func (SQLite) ByKeys() (set, undo string) { return "", "" }

func (SQLite) Classify(err error) Failure {
	var engineErr *sqlite.Error
	if !errors.As(err, &engineErr) {
		return Other
	}
	switch engineErr.Code() & 0xff { // the rest is the extended code
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return Conflict
	case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_PROTOCOL:
		return Unavailable
	case sqlite3.SQLITE_ERROR:
		if message := engineErr.Error(); strings.Contains(message, "no such table") || strings.Contains(message, "no such column") {
			return Schema
		}
	}
	return Other
}
