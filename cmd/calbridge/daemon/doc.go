// Package daemon serves a site until a signal stops it.
//
//   - daemon.go: Daemon, from its listeners to the last request
//   - reload.go: SIGHUP
//   - ops.go: the ops listener: metrics, health, profiles, notices
//   - notify.go: readiness for systemd
//   - memlimit.go: the garbage collector's memory limit, by the size of the caches
//
// It serves an open site on open listeners until a context ends. The package must not import
// app, which starts it.
package daemon
