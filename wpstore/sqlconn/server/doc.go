// Package server has the database servers of a site: how each is connected to, its pool of
// connections, the queue before that, its state, and the replicas that may be read from.
//
//   - server.go: [Server], the pool and the queue; settings.go: [Settings]
//   - mysql.go: opening MySQL and MariaDB, and setting sessions up; sqlite.go: opening the
//     embedded engine
//   - errors.go: errors of connections; advice.go: what to mend when there is none
//   - ask.go: [Ask], a question of our own, neither counted nor queued; package sqlconn runs the
//     statements of requests
//   - node.go: [Node], the state of a server: which one it is, what it may be used for, how far it
//     is, and how it follows another
//   - replica.go: [Replica], a server that follows the primary, and [LeastBusy] of them
//   - watch.go: [Watcher], which takes replicas into use and out of it
//   - inspect.go: [InspectReplica], a look at one replica for check
package server
