// Package routes holds the tables of the interface: routes with their methods, parameters
// and permissions, and what derives from them: routing, checks, the index, OPTIONS, the
// Allow header, the reference's OpenAPI document.
//
//   - routes.go: the routes and their operations; handlers are handed in by operation
//   - extensions.go: the routes of our own
//   - table.go: Table, which finds the route of a path
//   - request.go: Request, what a handler is given
//   - params.go: the parameters of each endpoint; defaults.go: defaults that take a clock
//   - checks.go: required parameters, validators, conversion, in WordPress's order;
//     validate.go, validate_write.go: the validators
//   - parameter.go: parameters as package openapi describes them
//   - permission.go: who may use an endpoint
//   - index.go, openapi.go, openapi_schema.go: descriptions of the table
//
// # Routes of our own
//
// Where --extensions is set, and never under exact, the table also has rows of our own, which
// begin with [Route.Extension]. They differ from the reference's in this:
//
//   - their handlers decide: a row is in the table if its handler was handed in
//   - rollout answers them natively in every mode, and compares them with nothing
//   - a response may have another content type than JSON (api.Response.ContentType), and may be
//     streamed (api.Response.Stream)
//   - [Route.Anonymous] ones ignore credentials, cookies, and the argument password
//
// A path and a method go in, an Endpoint comes out, or a refusal. It imports no handler:
// not read, edit or render.
package routes
