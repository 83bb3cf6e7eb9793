package sqlconn

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

// sqliteDialect is the embedded engine's.
type sqliteDialect struct {
	replication // which has none
}

func (sqliteDialect) Engine() string                   { return "sqlite" }
func (sqliteDialect) Embedded() bool                   { return true }
func (sqliteDialect) OldestServer() (major, minor int) { return 3, 40 }

func (sqliteDialect) CastSigned(expr string) string   { return "CAST(" + expr + " AS INTEGER)" }
func (sqliteDialect) CastDatetime(expr string) string { return "cast_datetime(" + expr + ")" }
func (sqliteDialect) Binary(expr string) string       { return expr + " COLLATE BINARY" }
func (sqliteDialect) Concat(exprs ...string) string   { return "''||" + strings.Join(exprs, "||") }
func (sqliteDialect) JoinInOrder() string             { return "CROSS JOIN" }
func (sqliteDialect) Windows() bool                   { return true }
func (sqliteDialect) TieBreak(column string) []string { return []string{column} }
func (sqliteDialect) ForUpdate() string               { return "" }

func (sqliteDialect) Upsert(key string, columns []string) string {
	sets := make([]string, len(columns))
	for i, c := range columns {
		sets[i] = c + " = excluded." + c
	}
	return "ON CONFLICT(" + key + ") DO UPDATE SET " + strings.Join(sets, ", ")
}

func (sqliteDialect) CreateTable(t ddl.Table) []string { return t.SQLite(collation.Name) }

func (sqliteDialect) TablesNamed(names []string) sq.SelectBuilder {
	return sq.Select("name", "''").From("sqlite_master").Where(sq.Eq{"type": "table", "name": names})
}

func (sqliteDialect) TablesLike(pattern string) sq.SelectBuilder {
	return sq.Select("name").From("sqlite_master").Where(sq.Eq{"type": "table"}).Where("name LIKE ?", pattern).OrderBy("name")
}

func (sqliteDialect) ColumnsOf(tables []string) sq.SelectBuilder {
	return sq.Select("m.name", "c.name").From("sqlite_master AS m, pragma_table_info(m.name) AS c").Where(sq.Eq{"m.name": tables})
}

func (sqliteDialect) IndexFor(string, string) sq.Sqlizer { return sq.Expr("NULL") }
func (sqliteDialect) RowEstimate(string) sq.Sqlizer      { return sq.Expr("NULL") }

func (sqliteDialect) FeedAdvice() (privilege, options string) { return "", "" }

func (sqliteDialect) isolation() *sql.TxOptions { return nil }

func (sqliteDialect) classify(err error) failure {
	var engineErr *sqlite.Error
	if !errors.As(err, &engineErr) {
		return failureOther
	}
	switch engineErr.Code() & 0xff { // the rest is the extended code
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return failureConflict
	case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_PROTOCOL:
		return failureUnavailable
	case sqlite3.SQLITE_ERROR:
		if message := engineErr.Error(); strings.Contains(message, "no such table") || strings.Contains(message, "no such column") {
			return failureSchema
		}
	}
	return failureOther
}
