package sqlconn

import (
	"database/sql"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/ddl"
)

// Dialect answers every question that depends on the engine: an engine is one
// dialect. The arguments are SQL expressions, never values, unless they are said to
// be names.
type Dialect interface {
	// Engine is "mysql", "mariadb" or "sqlite", for messages and metrics.
	Engine() string
	// Embedded: there is no server, and thus no users, replicas and binary log.
	Embedded() bool
	// OldestServer is the oldest version that is tested and promised.
	OldestServer() (major, minor int)

	// CastSigned is the leading integer of a text, 0 when there is none:
	// CAST(expr AS SIGNED).
	CastSigned(expr string) string
	// CastDatetime is the text as "YYYY-MM-DD HH:MM:SS", NULL when it is no date:
	// CAST(expr AS DATETIME).
	CastDatetime(expr string) string
	// Binary makes comparisons and ordering of expr go by bytes instead of by the
	// column's collation.
	Binary(expr string) string
	// Concat joins texts.
	Concat(exprs ...string) string
	// JoinInOrder joins two tables and keeps the optimizer from swapping them.
	JoinInOrder() string
	// TieBreak orders rows by a column where all that a query orders by is equal.
	// Servers have an order of their own then, which WordPress shows, and get nothing.
	TieBreak(column string) []string
	// ForUpdate is the end of a SELECT that locks its rows until the transaction
	// ends; "" where transactions lock everything anyway.
	ForUpdate() string
	// Upsert is the end of an INSERT that updates the columns instead where there is a
	// row of the same key.
	Upsert(key string, columns []string) string
	// CreateTable are the statements that make a table.
	CreateTable(t ddl.Table) []string

	// TablesNamed selects those of some physical names that tables have.
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

	// FeedAdvice names the privilege that reading the position of the binary log takes,
	// and says what else than log_bin a server needs to write one.
	FeedAdvice() (privilege, options string)

	replication
	// isolation is the kind of a writing transaction.
	isolation() *sql.TxOptions
	// classify sorts an error of this engine's driver.
	classify(err error) failure
}

// replication is how servers of an engine tell how far they are. It is asked of
// servers only.
type replication interface {
	// Flavor is how package binlog calls the engine.
	Flavor() binlog.Flavor
	// kind is how replicas follow by the ids of transactions.
	kind() kind
	// clusters: servers may form a Galera cluster.
	clusters() bool
	// running asks for a name and for whether the server applies what others have
	// written: neither "" nor "0".
	running() sq.Sqlizer
}

// TextCollation is the collation of WordPress's text columns on every server
// that has it; SQLite gets an emulation under the same name.
const TextCollation = "utf8mb4_unicode_520_ci"

// failure is what kind of error the engine reported.
type failure int

const (
	failureOther failure = iota
	failureUnavailable
	failureNode // this server of several: it stops, is read-only or has left its cluster
	failureSchema
	failureConflict  // deadlock or lock wait: the transaction may be run again
	failurePrivilege // the user may not do this
)
