// Package server has one database server: how it is connected to, its pool of connections,
// and the queue before that.
//
//   - server.go: [Server], the pool and the queue; settings.go: [Settings]
//   - mysql.go: opening MySQL and MariaDB, and setting sessions up; sqlite.go: opening the
//     embedded engine
//   - errors.go: errors of connections; advice.go: what to mend when there is none
package server
