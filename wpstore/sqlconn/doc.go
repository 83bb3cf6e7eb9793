// Package sqlconn runs SQL on the servers of a WordPress site. It does not depend on what
// is stored there.
//
// What comes in are settings ([Config]) and named statements; what goes out are rows,
// counts and errors of a kind. [Open] returns the [Servers] of a site; a [Runner] runs
// the statements of one request, or of one transaction.
//
//	config.go                     settings
//	servers.go                    opening and closing, what all requests share; feed.go: the
//	                              server whose log the change feed follows
//	runner.go                     one request: its statements, or those of a transaction
//	batch.go                      statements that are sent together
//	execution.go                  what all statements have in common: queue, deadline, errors
//	request_conn.go, route.go     a request's connection, and the replica that it reads from
//	transaction.go                places, attempts and the end of a transaction
//	statement.go, shape.go        statements and their cache; argument.go: lists of ids, LIKE
//	read_rows.go, each_row.go     results at once, or row by row
//	errors.go, narrow.go          kinds of errors; texts that a column can't hold
//
// Below it, each for itself:
//
//	dialect     what depends on the engine: expressions, catalogue, replication, errors
//	charset     character sets of connections, and what columns of others hold
//	rowset      results that are read at once
//	mysqlconn   connections that read past the driver, pipeline, and send transactions together
//	server      one server: connecting, its pool, and the queue before it
//	ask, node   questions of our own; the state of a server
//	replicas    which replicas may be read from
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
//
// A request has a cost class ([Runner.Classify]), which limits how many connections it and its
// like may use at a time: a quarter of them for slow reads, an eighth for exports, half for
// transactions. The rest, at least, is left to all other reads, which therefore never wait for
// slow ones. A request waits for its class before it takes a connection.
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
// # Transactions
//
// A transaction owns a connection until it ends. Nothing that steers its statements travels in a
// context: the [Runner] of the transaction calls its mysqlconn.Transaction.
//
//   - StartTransaction takes the isolation, the variables of the session, and where the GTID goes.
//   - Later queues a statement whose result nobody needs. It is sent with the next one.
//   - Start and End frame a [Batch]: its first statement is sent with those that follow, which
//     get their answers in their order.
//   - Commit sends what is queued, and COMMIT when all of that has succeeded.
//
// Where the driver alone sends statements, and on the embedded engine, there is no
// mysqlconn.Transaction, and each statement is sent by itself.
//
// # Round trips
//
// Code that waits for the database says so. A transaction waits in a call that returns a result
// (Query, Rows, Number, Text, IDs, Exec, Insert), in [Batch.Send], and in COMMIT. Change and [Lock]
// return no result: they queue their statement for the next of these. Nothing is read that the
// caller has not asked for, so that no answer is ever dropped or out of date. Statements that write
// declare their table; nothing parses SQL for it.
//
// A function that reads something on its own is named for it, such as posts.Store.PostHeads. The
// one that only queues the same statements for a batch of its caller's begins with Queue, such as
// QueueHeads: its results are there when the batch was sent.
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
