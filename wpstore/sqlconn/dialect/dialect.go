package dialect

import (
	"database/sql"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/ddl"
)

// Dialect is all that depends on the engine. Arguments are SQL expressions, never
// values, unless documented as names.
type Dialect interface {
	// Engine is "mysql", "mariadb" or "sqlite", for messages and metrics.
	Engine() string
	// Embedded means without a server, and thus without users, replicas and binary log.
	Embedded() bool
	// Versions are those that are supported and tested.
	Versions() Versions
	// Isolation is the kind of a writing transaction.
	Isolation() *sql.TxOptions
	// ByKeys are assignments of session variables for a writing transaction, which finds
	// nearly all rows by their keys, and those that undo them; "" for none.
	ByKeys() (set, undo string)
	// Classify sorts an error of this engine's driver.
	Classify(err error) Failure

	Expressions
	Catalogue
	Replication
}

// Expressions are parts of statements on which engines differ.
type Expressions interface {
	// CastSigned is the leading integer of a text, 0 when there is none:
	// CAST(expr AS SIGNED).
	CastSigned(expr string) string
	// CastDatetime is the text as "YYYY-MM-DD HH:MM:SS", NULL unless it is a date:
	// CAST(expr AS DATETIME).
	CastDatetime(expr string) string
	// Binary makes comparisons and ordering of expr go by bytes instead of by the
	// column's collation.
	Binary(expr string) string
	// Concat joins texts.
	Concat(exprs ...string) string
	// Greatest is the greatest of two or more numbers.
	Greatest(exprs ...string) string
	// JoinInOrder is a join of two tables that the optimizer must not swap.
	JoinInOrder() string
	// Windows says that the engine has window functions, such as COUNT(*) OVER ().
	Windows() bool
	// TieBreak orders rows by a column where all that a query orders by is equal. For
	// servers it is nothing: WordPress shows their own order then.
	TieBreak(column string) []string
	// ForUpdate is the end of a SELECT that locks its rows until the transaction
	// ends; "" where transactions lock everything.
	ForUpdate() string
	// Upsert is the end of an INSERT that updates the columns instead where there is a
	// row of the same key.
	Upsert(key string, columns []string) string
}

// Catalogue is what an engine says of its tables, and how it makes them.
type Catalogue interface {
	// CreateTable are the statements that make a table.
	CreateTable(t ddl.Table) []string
	// TablesNamed selects those of some physical names that tables have, each with its
	// storage engine, "" where there is no choice.
	TablesNamed(names []string) sq.SelectBuilder
	// TablesLike selects the names of some tables, in order, under a LIKE pattern.
	TablesLike(pattern string) sq.SelectBuilder
	// ColumnsOf selects table and column for each column of the named tables.
	ColumnsOf(tables []string) sq.SelectBuilder
	// IndexFor is an expression: the name of an index of a named table that starts
	// with a column, or NULL.
	IndexFor(table, column string) sq.Sqlizer
	// RowEstimate is an expression: about how many rows a named table has, or NULL.
	RowEstimate(table string) sq.Sqlizer
}

// Replication is how an engine replicates. Embedded engines have none.
type Replication interface {
	// Identity is an expression: a text that identifies the server.
	Identity() string
	// Kind is how replicas follow by GTIDs.
	Kind() Kind
	// LastGTID reports whether @@last_gtid is the GTID of a connection's last transaction.
	LastGTID() bool
	// Running is a query for a name and a value that is neither "" nor "0" while the
	// server applies what others have written.
	Running() sq.Sqlizer
	// FeedAdvice names the privilege for reading the position of the binary log, and the
	// settings besides log_bin for writing one.
	FeedAdvice() (privilege, options string)
}

// Of returns the dialect of a server by its version.
func Of(version string) Dialect {
	switch {
	case strings.Contains(strings.ToLower(version), "mariadb"):
		return MariaDB{}
	case strings.HasPrefix(version, "5."):
		return OldMySQL{}
	}
	return MySQL{}
}

// TextCollation is the collation of WordPress's text columns on every server
// that has it; SQLite gets an emulation under the same name.
const TextCollation = "utf8mb4_unicode_520_ci"

// Failure is the kind of an engine's error.
type Failure int

// The kinds.
const (
	Other Failure = iota
	Unavailable
	Node // of this server among several: it stops, is read-only or has left its cluster
	// NoDatabase: the connection's database was dropped. One of the same name that is made
	// later needs new connections.
	NoDatabase
	Schema
	Conflict  // deadlock or lock wait: the transaction may run again
	Privilege // the user may not do this
)
