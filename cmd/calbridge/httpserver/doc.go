// Package httpserver makes HTTP servers that hostile and slow clients can't exhaust.
//
//   - address.go: opening an address, with advice where that fails
//   - server.go: two kinds of servers with their limits; request smuggling
//   - conn_limit.go: the limit on open connections
//   - certificate.go: TLS, with a certificate that can be replaced
//   - ratelimit.go: the limit on the requests per second of each client
//   - coalesce.go: answers in one system call instead of two
//
// It turns a handler and a listener into an http.Server. Of calbridge it imports only rest/api,
// for the client's address behind proxies.
package httpserver
