package sqlconn

import (
	"database/sql"
	"errors"
	"strings"

	sq "github.com/Masterminds/squirrel"
	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/ddl"
)

// mysqlDialect is MySQL's, and what MariaDB has in common with it.
type mysqlDialect struct{}

func (mysqlDialect) Engine() string                   { return "mysql" }
func (mysqlDialect) Embedded() bool                   { return false }
func (mysqlDialect) OldestServer() (major, minor int) { return 5, 6 }

func (mysqlDialect) CastSigned(expr string) string   { return "CAST(" + expr + " AS SIGNED)" }
func (mysqlDialect) CastDatetime(expr string) string { return "CAST(" + expr + " AS DATETIME)" }
func (mysqlDialect) Binary(expr string) string       { return "BINARY " + expr }
func (mysqlDialect) Concat(exprs ...string) string   { return "CONCAT(" + strings.Join(exprs, ",") + ")" }
func (mysqlDialect) JoinInOrder() string             { return "STRAIGHT_JOIN" }
func (mysqlDialect) Windows() bool                   { return true }
func (mysqlDialect) TieBreak(string) []string        { return nil }
func (mysqlDialect) ForUpdate() string               { return "FOR UPDATE" }

func (mysqlDialect) Upsert(_ string, columns []string) string {
	sets := make([]string, len(columns))
	for i, c := range columns {
		sets[i] = c + " = VALUES(" + c + ")"
	}
	return "ON DUPLICATE KEY UPDATE " + strings.Join(sets, ", ")
}

func (mysqlDialect) CreateTable(t ddl.Table) []string { return []string{t.MySQL(TextCollation)} }

// catalogue selects from a view of information_schema, of the connection's database.
func catalogue(view, columns string) sq.SelectBuilder {
	return sq.Select(columns).From("information_schema." + view).Where("table_schema = DATABASE()")
}

func (mysqlDialect) TablesNamed(names []string) sq.SelectBuilder {
	return catalogue("tables", "table_name, COALESCE(engine, '')").Where(sq.Eq{"table_name": names})
}

func (mysqlDialect) TablesLike(pattern string) sq.SelectBuilder {
	return catalogue("tables", "table_name").Where("table_name LIKE ?", pattern).OrderBy("table_name")
}

func (mysqlDialect) ColumnsOf(tables []string) sq.SelectBuilder {
	return catalogue("columns", "table_name, column_name").Where(sq.Eq{"table_name": tables})
}

func (mysqlDialect) IndexFor(table, column string) sq.Sqlizer {
	return sq.Expr("(?)", catalogue("statistics", "MIN(index_name)").Where(sq.Eq{"table_name": table, "seq_in_index": 1, "column_name": column}))
}

func (mysqlDialect) RowEstimate(table string) sq.Sqlizer {
	return sq.Expr("(?)", catalogue("tables", "MIN(table_rows)").Where(sq.Eq{"table_name": table}))
}

func (mysqlDialect) FeedAdvice() (privilege, options string) {
	return "REPLICATION CLIENT", "gtid_mode=ON and enforce_gtid_consistency=ON; then restart it."
}

func (mysqlDialect) Flavor() binlog.Flavor { return binlog.MySQL }
func (mysqlDialect) kind() kind            { return mysqlGTID }
func (mysqlDialect) lastGTID() bool        { return false }

func (mysqlDialect) running() sq.Sqlizer {
	return sq.Select("'appliers'", "COUNT(*)").
		From("performance_schema.replication_applier_status").
		Where(sq.Eq{"SERVICE_STATE": "ON"})
}

// isolation shows committed rows of others at once, and leaves ranges unlocked.
func (mysqlDialect) isolation() *sql.TxOptions {
	return &sql.TxOptions{Isolation: sql.LevelReadCommitted}
}

func (mysqlDialect) classify(err error) failure {
	var serverErr *mysql.MySQLError
	if errors.As(err, &serverErr) {
		return mysqlFailures[serverErr.Number]
	}
	if errors.Is(err, mysql.ErrInvalidConn) {
		return failureNode
	}
	return failureOther
}

// oldMySQLDialect is that of MySQL before 8.0.
type oldMySQLDialect struct{ mysqlDialect }

func (oldMySQLDialect) Windows() bool { return false }

// mariadbDialect is MariaDB's.
type mariadbDialect struct{ mysqlDialect }

func (mariadbDialect) Engine() string                   { return "mariadb" }
func (mariadbDialect) OldestServer() (major, minor int) { return 10, 6 }
func (mariadbDialect) Flavor() binlog.Flavor            { return binlog.MariaDB }
func (mariadbDialect) kind() kind                       { return mariadbGTID }
func (mariadbDialect) lastGTID() bool                   { return true }

func (mariadbDialect) FeedAdvice() (privilege, options string) {
	return "BINLOG MONITOR", "then restart it."
}

func (mariadbDialect) running() sq.Sqlizer {
	return sq.Expr(`SHOW GLOBAL STATUS LIKE 'slaves\_running'`)
}

// mysqlFailures sorts the error numbers of MySQL and MariaDB.
var mysqlFailures = map[uint16]failure{
	1040: failureUnavailable, // too many connections
	1041: failureUnavailable, // out of resources
	1043: failureUnavailable, // bad handshake
	1044: failureUnavailable, // access to the database denied
	1045: failureUnavailable, // user or password refused
	1047: failureNode,        // Galera: the node has left its cluster
	1049: failureUnavailable, // unknown database
	1053: failureNode,        // server shutdown in progress
	1129: failureUnavailable, // host blocked
	1130: failureUnavailable, // host not allowed
	1152: failureNode,        // aborted connection
	1158: failureUnavailable, // network: read error
	1159: failureUnavailable, // network: read timeout
	1160: failureUnavailable, // network: write error
	1161: failureUnavailable, // network: write timeout
	1203: failureUnavailable, // user has too many connections
	1226: failureUnavailable, // user exceeded a resource limit
	1290: failureNode,        // server runs with --read-only
	1317: failureUnavailable, // query interrupted
	1698: failureUnavailable, // user may not log in this way
	1792: failureNode,        // read-only transaction
	1836: failureNode,        // server in read-only mode
	1927: failureNode,        // connection was killed
	1969: failureUnavailable, // max_statement_time exceeded
	3032: failureNode,        // server in offline mode
	3159: failureUnavailable, // connection without TLS refused
	3024: failureUnavailable, // max_execution_time exceeded
	1205: failureConflict,    // lock wait timeout
	1213: failureConflict,    // deadlock
	1062: failureConflict,    // a row with this key that another transaction has just added
	1020: failureConflict,    // record has changed since last read
	1142: failurePrivilege,   // command denied on a table
	1143: failurePrivilege,   // command denied on a column
	1054: failureSchema,      // unknown column
	1146: failureSchema,      // no such table
}
