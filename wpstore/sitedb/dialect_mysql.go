package sitedb

import (
	"errors"

	"github.com/go-sql-driver/mysql"
)

type mysqlDialect struct{ name string }

func (m mysqlDialect) engine() string { return m.name }

func (m mysqlDialect) castSigned(expr string) string { return "CAST(" + expr + " AS SIGNED)" }

func (m mysqlDialect) castDatetime(expr string) string { return "CAST(" + expr + " AS DATETIME)" }

func (m mysqlDialect) binary(expr string) string { return "BINARY " + expr }

func (m mysqlDialect) forUpdate() string { return "FOR UPDATE" }

func (m mysqlDialect) classify(err error) failure {
	var reported *mysql.MySQLError
	if errors.As(err, &reported) {
		return mysqlFailures[reported.Number]
	}
	if errors.Is(err, mysql.ErrInvalidConn) {
		return failureNode
	}
	return failureOther
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
	3024: failureUnavailable, // max_execution_time exceeded
	1205: failureConflict,    // lock wait timeout
	1213: failureConflict,    // deadlock
	1020: failureConflict,    // record has changed since last read
	1142: failurePrivilege,   // command denied on a table
	1143: failurePrivilege,   // command denied on a column
	1054: failureSchema,      // unknown column
	1146: failureSchema,      // no such table
}
