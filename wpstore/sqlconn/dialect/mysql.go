package dialect

import (
	"database/sql"
	"errors"
	"strings"

	sq "github.com/Masterminds/squirrel"
	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/ddl"
)

// MySQL is MySQL's dialect, and what MariaDB has in common with it.
type MySQL struct {
	mysqlExpressions
	mysqlCatalogue
	mysqlReplication
}

func (MySQL) Engine() string { return "mysql" }
func (MySQL) Embedded() bool { return false }

func (MySQL) Versions() Versions {
	return Versions{Oldest: Version{5, 6}, Tested: []Version{{5, 6}, {9, 7}}}
}

type mysqlExpressions struct{}

func (mysqlExpressions) CastSigned(expr string) string   { return "CAST(" + expr + " AS SIGNED)" }
func (mysqlExpressions) CastDatetime(expr string) string { return "CAST(" + expr + " AS DATETIME)" }
func (mysqlExpressions) Binary(expr string) string       { return "BINARY " + expr }
func (mysqlExpressions) Concat(exprs ...string) string {
	return "CONCAT(" + strings.Join(exprs, ",") + ")"
}
func (mysqlExpressions) Greatest(exprs ...string) string {
	return "GREATEST(" + strings.Join(exprs, ", ") + ")"
}
func (mysqlExpressions) JoinInOrder() string      { return "STRAIGHT_JOIN" }
func (mysqlExpressions) Windows() bool            { return true }
func (mysqlExpressions) TieBreak(string) []string { return nil }
func (mysqlExpressions) ForUpdate() string        { return "FOR UPDATE" }

func (mysqlExpressions) Upsert(_ string, columns []string) string {
	sets := make([]string, len(columns))
	for i, c := range columns {
		sets[i] = c + " = VALUES(" + c + ")"
	}
	return "ON DUPLICATE KEY UPDATE " + strings.Join(sets, ", ")
}

type mysqlCatalogue struct{}

func (mysqlCatalogue) CreateTable(t ddl.Table) []string { return []string{t.MySQL(TextCollation)} }

// OfDatabase selects from a view of information_schema, of the connection's database.
func OfDatabase(view, columns string) sq.SelectBuilder {
	return sq.Select(columns).From("information_schema." + view).Where("table_schema = DATABASE()")
}

// OfTables selects what a view of information_schema has of some tables of the connection's database, where all
// conditions hold; see [OfSchema].
func OfTables(view string, columns, tables []string, where ...sq.Sqlizer) sq.SelectBuilder {
	return ofTables(sq.Expr("table_schema = DATABASE()"), view, columns, tables, where)
}

// OfSchema selects what a view of information_schema has of some tables of a schema.
//
// Each table is selected by itself. MariaDB, and MySQL before 8.0, look a table up only if its name is compared
// with one value. For a list they read the names of all tables of the schema, which are 20,000
// on a network of a thousand sites.
func OfSchema(schema, view string, columns, tables []string) sq.SelectBuilder {
	return ofTables(sq.Eq{"table_schema": schema}, view, columns, tables, nil)
}

func ofTables(schema sq.Sqlizer, view string, columns, tables []string, where []sq.Sqlizer) sq.SelectBuilder {
	one := func(of sq.Sqlizer) sq.SelectBuilder {
		query := sq.Select(columns...).From("information_schema." + view).Where(schema).Where(of)
		for _, condition := range where {
			query = query.Where(condition)
		}
		return query
	}
	if len(tables) == 0 {
		return one(sq.Expr("1=0"))
	}
	query := one(sq.Eq{"table_name": tables[0]})
	for _, table := range tables[1:] {
		query = query.SuffixExpr(sq.ConcatExpr("UNION ALL ", one(sq.Eq{"table_name": table})))
	}
	return query
}

func (mysqlCatalogue) TablesNamed(names []string) sq.SelectBuilder {
	return OfTables("tables", []string{"table_name", "COALESCE(engine, '')"}, names)
}

func (mysqlCatalogue) TablesLike(pattern string) sq.SelectBuilder {
	return OfDatabase("tables", "table_name").Where("table_name LIKE ?", pattern).OrderBy("table_name")
}

func (mysqlCatalogue) ColumnsOf(tables []string) sq.SelectBuilder {
	return OfTables("columns", []string{"table_name", "column_name"}, tables)
}

func (mysqlCatalogue) IndexFor(table, column string) sq.Sqlizer {
	return sq.Expr("(?)", OfDatabase("statistics", "MIN(index_name)").Where(sq.Eq{"table_name": table, "seq_in_index": 1, "column_name": column}))
}

func (mysqlCatalogue) RowEstimate(table string) sq.Sqlizer {
	return sq.Expr("(?)", OfDatabase("tables", "MIN(table_rows)").Where(sq.Eq{"table_name": table}))
}

type mysqlReplication struct{}

func (mysqlReplication) FeedAdvice() (privilege, options string) {
	return "REPLICATION CLIENT", "gtid_mode=ON and enforce_gtid_consistency=ON; then restart it."
}

func (mysqlReplication) Identity() string { return "@@global.server_uuid" }
func (mysqlReplication) Kind() Kind       { return MySQLGTID }
func (mysqlReplication) LastGTID() bool   { return false }

func (mysqlReplication) Running() sq.Sqlizer {
	return sq.Select("'appliers'", "COUNT(*)").
		From("performance_schema.replication_applier_status").
		Where(sq.Eq{"SERVICE_STATE": "ON"})
}

// Isolation shows committed rows of others at once, and leaves ranges unlocked.
func (MySQL) Isolation() *sql.TxOptions {
	return &sql.TxOptions{Isolation: sql.LevelReadCommitted}
}

// ByKeys implements Dialect.
func (MySQL) ByKeys() (set, undo string) { return "", "" }

func (MySQL) Classify(err error) Failure {
	var serverErr *mysql.MySQLError
	if errors.As(err, &serverErr) {
		return failureOf(serverErr.Number)
	}
	if errors.Is(err, mysql.ErrInvalidConn) {
		return Node
	}
	return Other
}

// OldMySQL is that of MySQL before 8.0.
type OldMySQL struct{ MySQL }

func (OldMySQL) Windows() bool { return false }

// MariaDB is MariaDB's.
type MariaDB struct {
	MySQL
	mariadbReplication
}

// ByKeys makes the optimizer ignore column statistics. It looks for them with each
// statement, which takes 15 % of the CPU time of a write.
func (MariaDB) ByKeys() (set, undo string) {
	return "use_stat_tables = 'never'", "use_stat_tables = DEFAULT"
}

type mariadbReplication struct{}

func (MariaDB) Engine() string { return "mariadb" }

// Identity returns more than the number, which the nodes of a cluster may share.
func (mariadbReplication) Identity() string {
	return "CONCAT_WS(' ', @@global.server_id, @@hostname, @@port)"
}

func (mariadbReplication) Kind() Kind     { return MariaDBGTID }
func (mariadbReplication) LastGTID() bool { return true }

func (MariaDB) Versions() Versions {
	return Versions{Oldest: Version{10, 6}, Tested: []Version{{10, 11}, {11, 8}}}
}

func (mariadbReplication) FeedAdvice() (privilege, options string) {
	return "BINLOG MONITOR", "then restart it."
}

func (mariadbReplication) Running() sq.Sqlizer {
	return sq.Expr(`SHOW GLOBAL STATUS LIKE 'slaves\_running'`)
}

// failureOf sorts the error numbers of MySQL and MariaDB.
func failureOf(number uint16) Failure {
	switch number {
	case 1040, // too many connections
		1041, // out of resources
		1043, // bad handshake
		1044, // access to the database denied
		1045, // user or password refused
		1049, // unknown database
		1129, // host blocked
		1130, // host not allowed
		1158, // network: read error
		1159, // network: read timeout
		1160, // network: write error
		1161, // network: write timeout
		1203, // user has too many connections
		1226, // user exceeded a resource limit
		1317, // query interrupted
		1698, // user may not log in this way
		1969, // max_statement_time exceeded
		3159, // connection without TLS refused
		3024: // max_execution_time exceeded
		return Unavailable
	case 1047, // Galera: the node has left its cluster
		1053, // server shutdown in progress
		1152, // aborted connection
		1290, // server runs with --read-only
		1792, // read-only transaction
		1836, // server in read-only mode
		1927, // connection was killed
		3032: // server in offline mode
		return Node
	case 1046: // no database selected
		return NoDatabase
	case 1205, // lock wait timeout
		1213, // deadlock
		1062, // a row with this key that another transaction has just added
		1020, // record has changed since last read
		1412: // table definition has changed since the transaction began
		return Conflict
	case 1142, // command denied on a table
		1143: // command denied on a column
		return Privilege
	case 1054, // unknown column
		1146, // no such table
		1814, // tablespace discarded, during an import
		1932: // MariaDB: no such table in the engine
		return Schema
	}
	return Other
}
