// Package daemon is a site at work: it serves until it is told to stop, and reloads
// when it is told to.
//
//   - daemon.go: Daemon, from its parts and addresses to the last request
//   - reload.go: SIGHUP
//   - ops.go: what those who run the server ask: metrics, health, profiles
//
// In come an open site and open addresses; out go answers, until a context ends. It
// must not import app, which starts it.
package daemon
