// Package mysqlwire speaks the client/server protocol of MySQL and MariaDB below the
// driver of database/sql: for reading the rows of a result without it, for following a
// binary log, and for looking at what passes between a client and its server. The
// protocol is described at https://mariadb.com/kb/en/clientserver-protocol/.
//
//   - packet.go: [Reader] takes packets from a stream; [AppendPacket] makes them.
//   - field.go: [Fields] takes numbers and texts off the front of a packet, among
//     them length-encoded ones.
//   - result.go: the columns and rows of a result, and the error of a server.
//   - login.go, tls.go: [Login] by the driver, whose connection can then be used past
//     it: TLS is started below the driver.
//   - conn.go: [Conn], a client's connection: statements by the driver, and other
//     commands past it.
//
// Bytes come in and slices of the same bytes go out: what a Reader returns is valid
// until the next read. Errors of the server are [*mysql.MySQLError], as the driver's
// are. It imports nothing of this module.
package mysqlwire
