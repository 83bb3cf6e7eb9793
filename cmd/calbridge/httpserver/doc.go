// Package httpserver is what stands between the sockets and the handlers: it opens
// addresses and makes HTTP servers that hostile and slow clients cannot exhaust.
//
//   - address.go: opening an address, with advice where that fails
//   - server.go: the two kinds of servers with their limits, and serving
//   - connlimit.go: how many connections may be open
//   - certificate.go: TLS, with a certificate that can be replaced
//   - whole.go: answers in one system call instead of two
//
// In come a handler and a listener; out goes an http.Server. The package knows
// neither settings nor handlers, and imports nothing of calbridge.
package httpserver
