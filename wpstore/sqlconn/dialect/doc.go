// Package dialect has what depends on the database engine: MySQL, MariaDB and the embedded SQLite.
//
//   - dialect.go: [Dialect], the questions that other packages ask of an engine
//   - mysql.go: MySQL, and MariaDB where it agrees; sqlite.go: the embedded engine
//   - replication.go: how a replica follows the primary, and queries for its position
//   - version.go: the versions of engines that are supported and tested
//
// It turns expressions into squirrel's SQL, and errors of drivers into a [Failure]. It runs no
// statement and opens no connection.
package dialect
