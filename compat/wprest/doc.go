// Package wprest implements the part of WordPress's REST server that determines the
// route, arguments and language of a recorded exchange.
//
//   - request.go: the route and parameters of a request; the JSON of its answer
//   - index.go: the routes and arguments in a namespace index
//   - namespace.go: a namespace, and replacing it with another
//   - language.go: the language of a request
//
// Of compat it imports only jsontree and recording.
package wprest
