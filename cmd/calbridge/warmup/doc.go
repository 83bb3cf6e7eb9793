// Package warmup sends a running server in mode auto the requests that its site's clients will
// likely send, so that package rest/proof has something to compare before they do.
// `calbridge proof warm` does this.
//
//   - site.go: [Site], how requests reach the server, in which languages
//   - contents.go: the requests that follow from the site's contents
//   - accesslog.go: [ReadLog], the requests in an access log
//   - group.go: requests that are alike; run.go: [Run], rounds of requests, paced
//
// It turns an address into anonymous GET requests and counts who answered them. It proves nothing:
// the server's rules are the same as for any client.
package warmup
