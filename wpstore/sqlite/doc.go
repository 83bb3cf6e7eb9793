// Package sqlite is the embedded engine of calbridge: SQLite with the features of MySQL
// that WordPress's tables and this module's queries need.
//
//   - The collation utf8mb4_unicode_520_ci, for text columns.
//   - LIKE under the same collation, with backslash as the escape character.
//   - cast_datetime(x), which is MySQL's CAST(x AS DATETIME); see datetime.go.
//   - now() and CURRENT_TIMESTAMP, in UTC, from the clock given to [NewConnector].
//   - Transactions that take the write lock at BEGIN, in place of FOR UPDATE.
//
// In everything else it is SQLite: columns don't cut texts or clamp numbers, and a bulk
// insert reports its last id, not its first. Since the tables name these functions, the
// sqlite3 command line can read rows of a database file but not use its indexes.
//
// driver.go opens databases. The package imports only collation.
package sqlite
