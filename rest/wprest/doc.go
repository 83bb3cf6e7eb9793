// Package wprest is the engine of a REST API in the manner of WordPress: it finds the route of a
// path, checks, converts and completes arguments, and describes all of it to clients. It knows no
// route, no argument and no handler of a particular API.
//
//   - dialect.go: Dialect, a namespace with its routes, of which a server has one or several
//   - route.go: Route and Endpoint, which an API declares; handlers, permissions
//   - table.go: Table, which finds the route of a path
//   - request.go: Request, the argument of a handler
//   - args.go: Arg, a declared argument
//   - checks.go: required arguments, validators, conversion, in WordPress's order
//   - index.go: the index of a namespace, responses to OPTIONS
//   - parameter.go: arguments as OpenAPI documents describe them
//
// It turns a path and a method into an Endpoint or a refusal. It imports neither the tables of an
// API nor its handlers, and knows stores as calendar.Stores only. An operation that writes has no
// handler here: the server has those, which also take the session to write through.
package wprest
