// Package replicas has servers that follow the primary and may be read from: how far behind
// they are, and which of them are in use.
//
//   - replica.go: [Replica], and [LeastBusy] of them
//   - watch.go: [Watcher], which takes replicas into use and out of it
//   - inspect.go: [InspectReplica], a look at one replica for check
package replicas
