// Package sqlconn runs SQL on the servers of a WordPress site. It knows nothing of
// what is stored there.
//
// What comes in are settings ([Config]) and named statements, and what goes out are
// rows, counts and errors of a kind. [Open] gives the [Servers] of a site; a [Runner]
// runs the statements of one request, or of one transaction.
//
//	config.go                          settings
//	servers.go                         opening and closing, what is shared by all requests
//	runner.go, kept_conn.go, route.go  one request: its statements, the connection that it
//	                                   keeps, the replica that it reads from
//	transaction.go                     turns, attempts and the end of a transaction
//	statement.go, argument.go          statements, cached ones, lists of ids, LIKE
//	rowset.go, text_protocol.go        results that are read at once, past the driver
//	dialect*.go, errors.go             what depends on the engine; kinds of errors
//	mysql.go, mysql_conn.go, sqlite.go connections; advice.go says why there is none
//	server.go                          a pool and the queue before it
//	cluster.go, replica.go, node.go    roles, replicas, what servers say of themselves
//	watch.go, succession.go            who may be read from, and who is the primary
//	inspect.go                         a look at a replica, for the check command
//
// # Servers
//
// MySQL 8.0 and MariaDB 10.6 or later. Sessions are set up on connecting: utf8mb4
// under the collation utf8mb4_unicode_520_ci unless the DSN names another, UTC,
// SQL modes as lax as WordPress has them, and a limit to the time of a statement,
// so that the server stops what nobody waits for. A statement is sent in one piece
// with its values escaped, without preparing it first. A server that has become
// read-only is left for a fresh connection, which may reach its successor.
//
// Statements go to the primary, except where [Runner.UseReplica] sends queries to one
// of the replicas. Before each server stands a queue of our own, which bounds how long
// a statement waits for a connection. No statement is tried twice on one server; a
// query that a replica fails is asked of the primary, and a transaction is run again
// only after the server itself has rolled it back.
//
// The embedded SQLite (package sqlite) runs the same queries behind its own dialect,
// for demonstrations and tests. It has the collation and LIKE of MySQL, but not its
// truncation of long texts and clamping of numbers, and compares numbers with texts by
// its own rules.
//
// # What holds everywhere
//
//   - Every statement has a name, which labels its metrics, stands before it as a
//     comment, and begins its errors; a deadline of its own; and is counted for the
//     request.
//   - Errors match [wpstore.ErrUnavailable] when the database cannot be asked, and
//     [wpstore.ErrSchema] when a table or column is not there.
//
// It imports the domain types for these errors and for digests, and leaves: nothing
// that makes queries of a site.
package sqlconn
