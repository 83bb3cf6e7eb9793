// Package server has one database server: how it is connected to, its pool of connections, the
// queue before that, and its state.
//
//   - server.go: [Server], the pool and the queue; settings.go: [Settings]
//   - mysql.go: opening MySQL and MariaDB, and setting sessions up; sqlite.go: opening the
//     embedded engine
//   - errors.go: errors of connections; advice.go: what to mend when there is none
//   - ask.go: [Ask], a question of our own, neither counted nor queued; package sqlconn runs the
//     statements of requests
//   - node.go: [Node], the state of a server: which one it is, what it may be used for, how far it
//     is, and how it follows another
package server
