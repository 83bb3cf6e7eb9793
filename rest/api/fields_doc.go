// # Fields
//
// fields.go reduces a response to the fields that the client requested with _fields, as
// WordPress's REST server does: ParseFields reads the parameter into a Set, and ApplyFields
// returns the requested part of a response as a PHP value.
package api
