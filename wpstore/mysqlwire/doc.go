// Package mysqlwire implements the client/server protocol of MySQL and MariaDB below the
// driver of database/sql. It is used to read the rows of a result without the driver, to
// follow a binary log, and to inspect the traffic between a client and its server. The
// protocol is described at https://mariadb.com/kb/en/clientserver-protocol/.
//
//   - packet.go: [Reader] reads packets from a stream; [AppendPacket] writes them.
//   - field.go: [Fields] reads numbers and texts from the front of a packet, including
//     length-encoded ones.
//   - result.go: the columns and rows of a result, and the error of a server.
//   - login.go, tls.go: [Login] logs in with the driver. Its connection can then be used
//     without the driver: TLS is started below it.
//   - conn.go: [Conn], a client's connection: statements through the driver, and other
//     commands without it.
//
// Reads return slices of the buffer: what a Reader returns is valid until the next read.
// Errors of the server are [*mysql.MySQLError], like the driver's. The package imports only
// guard of this module.
package mysqlwire
