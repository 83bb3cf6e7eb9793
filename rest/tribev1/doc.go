// Package tribev1 holds the tables of The Events Calendar's API, version 1: its routes with their
// methods, arguments and permissions, its names, error codes and URLs, and the reference's OpenAPI
// document. Package wprest does the rest by them.
//
//   - words.go: names for the kinds of posts and terms in paths, in JSON and in error codes; the
//     page of a list and the headers with its totals. The kinds themselves, which every API over the same
//     database has, are in package api
//   - errors.go: the error codes; links.go: URLs of the API in responses
//   - routes.go: the routes and their operations; the caller passes handlers by operation
//   - extensions.go: the routes of our own
//   - params.go: the arguments of each endpoint; defaults.go: defaults that take a clock
//   - validate.go, linked.go: the validators; filters.go: arguments that filter events
//   - permission.go: who may use an endpoint
//   - openapi.go, openapi_schema.go: the reference's OpenAPI document
//
// # Routes of our own
//
// With --extensions, but never under exact, the table also has routes of our own, for which
// [wprest.Route.Extension] is true. They differ from the reference's routes as follows:
//
//   - a route is in the table if the caller has passed its handler
//   - rollout answers them natively in every mode, and compares them with nothing
//   - a response may have another content type than JSON (api.Result.ContentType), and may be
//     streamed (api.Result.Stream)
//   - [wprest.Route.Anonymous] ones ignore credentials, cookies, and the argument password
//
// # Packages below
//
// They import this package, which imports none of them:
//
//   - eventlist: the query of a list of events
//   - render: rows as JSON
//   - read and edit: the handlers; they do not import each other
//   - openapi: our own OpenAPI document
package tribev1
