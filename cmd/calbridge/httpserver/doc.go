// Package httpserver makes HTTP servers that hostile and slow clients can't exhaust.
//
//   - address.go: opening an address, with advice where that fails
//   - server.go: two kinds of servers with their limits; request smuggling
//   - conn_limit.go: the limit on open connections
//   - certificate.go: TLS, with a certificate that can be replaced
//   - coalesce.go: answers in one system call instead of two
//
// It turns a handler and a listener into an http.Server. The package must not import
// anything of calbridge.
package httpserver
