// Package sqlconn runs SQL on the servers of a WordPress site. It does not depend on what
// is stored there.
//
// What comes in are settings ([Config]) and named statements; what goes out are rows,
// counts and errors of a kind. [Open] returns the [Servers] of a site; a [Runner] runs
// the statements of one request, or of one transaction.
//
//	config.go                          settings
//	servers.go                         opening and closing, what all requests share
//	runner.go, request_conn.go         one request: its statements, its connection
//	route.go                           the replica that a request reads from
//	transaction.go                     places, attempts and the end of a transaction
//	transaction_conn.go                what is sent together within one; transaction_result.go and
//	interpolate.go                     its results, and its arguments as text
//	statement.go, argument.go          statements, their cache, lists of ids, LIKE
//	rowset.go, read_rows.go            results that are read at once, or row by row as text
//	text_protocol.go                   reading past the driver, and pipelining
//	dialect*.go, errors.go             what depends on the engine; kinds of errors
//	charset.go, narrow.go              character sets: of connections, and what columns hold
//	mysql*.go, wire.go, sqlite.go      connections; advice.go says why there is none
//	server.go                          a connection pool and the queue before it
//	replica.go, watch.go, inspect.go   replicas: which of them may be read from
//	node.go, kind.go                   positions of servers, and how to compare them
//
// It imports the domain types for errors and digests, and leaf packages: nothing that
// makes queries of a site.
//
// # Servers
//
// MySQL 8.0 and MariaDB 10.6 or later. Sessions are set up on connecting: the
// character set and collation of the site's WordPress, UTC, SQL modes as lax as its own, and a limit to the time of a statement, so that the server
// ends it after its client has gone. A statement is sent in one piece with its values
// escaped, without preparing it first.
//
// Statements go to the primary, except where [Runner.UseReplica] sends queries to one of
// the replicas. Before each server stands a queue of our own, which bounds how long a
// statement waits for a connection. No statement is tried twice on one server; a query
// that fails on a replica runs on the primary, and a transaction runs again only after
// the server itself has rolled it back, or after a conflict ([ErrConflict]).
// Half of the connections are for transactions, so that queries still find some.
//
// Which server is the primary is decided elsewhere: by a proxy, a virtual address or a
// cluster. Connections to a server that has become read-only are dropped, and new ones
// follow the address.
//
// The embedded SQLite (package sqlite) runs the same queries behind its own dialect, for
// demonstrations and tests. It has the collation and LIKE of MySQL, but not its
// truncation of long texts and clamping of numbers, and compares numbers with texts by
// its own rules.
//
// # Everywhere
//
//   - Every statement has a name, which labels its metrics, stands before it as a
//     comment, and begins its errors; a deadline of its own; and is counted for the
//     request.
//   - Within a transaction, statements whose results nobody needs are sent with the next
//     one, and COMMIT after all others have succeeded.
//   - Errors match [wpstore.ErrUnavailable] when the database cannot be asked, and
//     [wpstore.ErrSchema] when a table or column is missing.
package sqlconn
