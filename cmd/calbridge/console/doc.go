// Package console shows operators what an instance is doing: a page and its data on the ops
// listener, read-only.
//
//   - now.go: rates between two readings of the metrics (package figures)
//   - proof.go: what mode auto has proved
//   - sites.go: the table of several sites
//   - history.go: the last hour; slowest.go: its slowest requests
//   - console.go: Console, which samples and serves; stream.go: server-sent events
//   - page: the page, embedded; modules and style sheets without a build step
//
// It turns a gatherer of metrics, finished requests, and functions that return what only the
// program knows (facts, findings, settings) into an http.Handler. It shows route templates,
// never paths, arguments, names or addresses of clients. Of cmd it imports httpserver, diffmode and figures only.
package console
