// Package openapi describes the interface of a site as an OpenAPI 3.1 document: each route, its
// parameters, bodies, responses and logins. Version 3.1 was chosen because its schemas are plain
// JSON Schema (2020-12): a field may be an object or false, a reference may have a description,
// and any validator of JSON Schema can check a response. openapi-typescript, Swagger UI, Redoc
// and swagger-parser read it.
//
//   - models.go: the table of what responses hold: fields, their types, and when they are there
//   - schema.go: how the table writes JSON Schema
//   - document.go: the document; operation.go: parameters, bodies and responses of an operation
//
// The rest derives from the tables of packages tribev1 (routes, parameters, errors) and api (errors). The
// package turns a [wprest.Request], whose site decides what is described, into JSON. The schemas
// are strict: a response has nothing that they do not name. Tests check each recorded response.
//
// HEAD and OPTIONS are not described, and neither are WordPress's parameters for all routes:
// _fields, _envelope, _jsonp, _embed, _pretty and _method. They change the shape of responses, and
// a schema that allowed for them could not require any field.
//
// The reference's own document, which is invalid, is in package tribev1: it is a recorded contract
// under exact and safe.
package openapi
