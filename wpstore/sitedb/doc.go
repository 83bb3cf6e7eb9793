// Package sitedb reads and writes the database of a WordPress site: what package
// wpstore has types for. It is the only package that knows SQL.
//
// # What holds everywhere
//
//   - Dates are texts, "2026-11-21 12:00:00", as stored. Zero dates are common.
//     Each has a twin in UTC (post_date_gmt, start_date_utc); the plain one is in
//     the site's zone, for events in the event's own.
//   - Texts compare as the column's collation says, normally without regard to
//     case, accents and trailing spaces; see package collation. Where PHP compares
//     by bytes, so does this package.
//   - Loaders take ids in any order and number, and answer by id; what does not
//     exist is not in the answer. The number of queries of a call does not depend
//     on the number of rows, and each method tells it.
//   - Every statement has a name, which labels its metrics, stands before it as a
//     comment, and begins its errors; a deadline of its own; and is counted for the
//     request in [WithQueryCount].
//   - Errors match [wpstore.ErrUnavailable] when the database cannot be asked, and
//     [wpstore.ErrSchema] when a table or column is not there.
//
// # Changes
//
// [DB.Follow] follows the server's binary log and tells a coherence.Ledger what
// changed, by whomever, once the changes can be read; [DB.CaughtUp] proves that it
// has been told of all there is; [DB.Write] tells the ledger by itself.
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
// Statements go to the primary, except where a context from [DB.OnReplica] sends
// queries to one of the replicas. Before each server stands a queue of our own,
// which bounds how long a statement waits for a connection. No statement is tried
// twice on one server; a query that a replica fails is asked of the primary, and a
// transaction is run again only after the server itself has rolled it back.
//
// The embedded SQLite (package sqlite) runs the same queries behind a small
// dialect, for demonstrations and tests. It has the collation and LIKE of MySQL,
// but not its truncation of long texts and clamping of numbers, and compares
// numbers with texts by its own rules.
package sitedb
