// Package respcache is the response cache: finished responses to anonymous requests, each
// valid until something that it depends on changes (a [invalidation.Tracker]).
//
//   - lookup.go: Reader: which requests are looked up, and under which key
//   - flight.go: Build: singleflight; which answers are cached and shared
//   - cache.go: Cache: the responses within a bound of memory; weight.go: what one weighs;
//     headers.go: header values that answers share
//   - answer.go: Answer, with its entity tag and compressed forms; freshness.go: how long it is valid
//   - send.go: Sender: conditional and compressed sending (RFC 9110, 9111); encoding.go:
//     content codings
//
// It turns requests, and the responses that a Builder makes, into shared responses. The package
// builds no response itself, and of rest it imports only api and wpauth.
package respcache
