// Package mysqlconn is a database/sql driver for MySQL and MariaDB that saves round trips. It opens
// connections through go-sql-driver/mysql, takes the network connection over, and speaks the text
// protocol on it.
//
//   - connector.go: opening a connection, and its session settings
//   - conn.go: a connection: queries, statements, its watch over the caller's context
//   - transaction.go: a transaction, which sends queued statements and those of a batch together
//   - interpolate.go: arguments written into the text of a statement
//   - text.go: rows of the text protocol; result.go: the outcome of a statement
//   - rowset.go: [RowSet], rows in memory; buffer.go: [Buffer], which collects them, or passes them on
//     one by one
//   - wire.go: the network connection, whose deadlines belong to the caller's context
//
// It knows no table and builds no SQL. Package mysqlwire below it reads and writes packets.
package mysqlconn
