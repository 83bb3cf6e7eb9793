// Package routes holds the tables of The Events Calendar's API, version 1: its routes with their
// methods, arguments and permissions, and the reference's OpenAPI document. Package wprest does
// the rest by them.
//
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
//   - a response may have another content type than JSON (api.Response.ContentType), and may be
//     streamed (api.Response.Stream)
//   - [wprest.Route.Anonymous] ones ignore credentials, cookies, and the argument password
//
// It does not import the packages of handlers: read, edit and render.
package routes
