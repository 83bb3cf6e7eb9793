// Package routes holds the tables of the interface: routes with their methods, parameters
// and permissions, and what derives from them: routing, checks, the index, OPTIONS, the
// Allow header, the OpenAPI document.
//
//   - routes.go: the routes and their operations; handlers are handed in by operation
//   - table.go: Table, which finds the route of a path
//   - request.go: Request, what a handler is given
//   - params.go: the parameters of each endpoint; defaults.go: defaults that take a clock
//   - checks.go: required parameters, validators, conversion, in WordPress's order;
//     validate.go, validate_write.go: the validators
//   - permission.go: who may use an endpoint
//   - index.go, openapi.go, openapi_schema.go: descriptions of the table
//
// A path and a method go in, an Endpoint comes out, or a refusal. It imports no handler:
// not read, edit or render.
package routes
