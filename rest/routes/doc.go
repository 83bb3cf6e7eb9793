// Package routes holds the tables of the interface: routes with their methods, parameters
// and permissions, and what derives from them: routing, checks, the index, OPTIONS, the
// Allow header, the reference's OpenAPI document.
//
//   - routes.go: the routes and their operations; the caller passes handlers by operation
//   - extensions.go: the routes of our own
//   - table.go: Table, which finds the route of a path
//   - request.go: Request, the argument of a handler
//   - params.go: the parameters of each endpoint; defaults.go: defaults that take a clock
//   - checks.go: required parameters, validators, conversion, in WordPress's order;
//     validate.go, validate_write.go: the validators
//   - parameter.go: parameters as package openapi describes them
//   - permission.go: who may use an endpoint
//   - index.go, openapi.go, openapi_schema.go: descriptions of the table
//
// # Routes of our own
//
// With --extensions, but never under exact, the table also has routes of our own, for which
// [Route.Extension] is true. They differ from the reference's routes as follows:
//
//   - a route is in the table if the caller has passed its handler
//   - rollout answers them natively in every mode, and compares them with nothing
//   - a response may have another content type than JSON (api.Response.ContentType), and may be
//     streamed (api.Response.Stream)
//   - [Route.Anonymous] ones ignore credentials, cookies, and the argument password
//
// It turns a path and a method into an Endpoint or a refusal. It does not import the packages of
// handlers: read, edit and render.
package routes
