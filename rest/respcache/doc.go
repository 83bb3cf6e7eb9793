// Package respcache keeps finished answers to anonymous requests in memory, for as long as
// what they were made from stays as it was: a [invalidation.Tracker] knows.
//
//   - lookup.go: Door: which requests are looked up, under which key; one builds an answer
//     and the others wait; what is kept
//   - cache.go: Cache: the answers within a bound of memory, and whose turn it is to build
//   - answer.go: Answer, with its entity tag and compressed forms; headers.go, weight.go:
//     what it shares with others, and what it weighs
//   - send.go: Sender: conditional and compressed sending (RFC 9110, 9111); encoding.go:
//     content codings
//
// In go requests and finished answers. It makes no answer, and imports of rest only api and
// wpauth.
package respcache
