// Package wprest has the part of WordPress's REST server that determines what a
// recorded exchange is about.
//
//   - request.go: which route a request asks for, with what; the JSON that answers it
//   - index.go: the routes and arguments that a namespace index shows
//   - namespace.go: a namespace, and one in the place of another
//   - language.go: the language that a request is in
//
// Exchanges come in, routes, arguments and languages go out. Of compat it imports jsontree and
// recording only.
package wprest
