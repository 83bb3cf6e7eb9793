package sqlconn

import (
	"database/sql"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/ddl"
)

// Dialect is all that depends on the engine. Arguments are SQL expressions, never
// values, unless documented as names.
type Dialect interface {
	// Engine is "mysql", "mariadb" or "sqlite", for messages and metrics.
	Engine() string
	// Embedded means without a server, and thus without users, replicas and binary log.
	Embedded() bool
	// OldestServer is the oldest supported version.
	OldestServer() (major, minor int)

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

	// FeedAdvice names the privilege for reading the position of the binary log, and the
	// settings besides log_bin for writing one.
	FeedAdvice() (privilege, options string)

	replication
	// isolation is the kind of a writing transaction.
	isolation() *sql.TxOptions
	// classify sorts an error of this engine's driver.
	classify(err error) failure
}

// replication is how an engine replicates. Embedded engines have none.
type replication interface {
	// Flavor is the engine's name in package binlog.
	Flavor() binlog.Flavor
	// kind is how replicas follow by GTIDs.
	kind() kind
	// lastGTID says whether @@last_gtid is the GTID of a connection's last transaction.
	lastGTID() bool
	// running is a query for a name and a value that is neither "" nor "0" while the
	// server applies what others have written.
	running() sq.Sqlizer
}

// TextCollation is the collation of WordPress's text columns on every server
// that has it; SQLite gets an emulation under the same name.
const TextCollation = "utf8mb4_unicode_520_ci"

// failure is the kind of an engine's error.
type failure int

const (
	failureOther failure = iota
	failureUnavailable
	failureNode // of this server among several: it stops, is read-only or has left its cluster
	failureSchema
	failureConflict  // deadlock or lock wait: the transaction may run again
	failurePrivilege // the user may not do this
)
