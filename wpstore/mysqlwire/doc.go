// Package mysqlwire speaks the client/server protocol of MySQL and MariaDB, below
// what a driver of database/sql offers: for those who read the rows of a result
// themselves, follow a binary log, or look at what passes between a client and its
// server. The protocol is described at
// https://mariadb.com/kb/en/clientserver-protocol/.
//
//   - packet.go: [Reader] takes packets from a stream; [AppendPacket] makes them.
//   - field.go: [Fields] takes numbers and texts off the front of a packet, among
//     them length-encoded ones.
//   - result.go: the columns and rows of a result, and the error of a server.
//   - conn.go: [Conn], a client's connection: commands and their answers.
//   - login.go: greeting, TLS, and the exchange that authenticates the account.
//   - password.go, ed25519.go: what each authentication plugin makes of a password.
//
// Bytes come in and slices of the same bytes go out: what a Reader returns is valid
// until the next read. Errors of the server are [*mysql.MySQLError], as the driver's
// are. It imports nothing of this module.
package mysqlwire
