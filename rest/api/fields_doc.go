// Package fields reduces a response to the fields that the client requested with _fields.
//
// It takes the parameter and a response as a PHP value, and returns the requested part. All of it
// is in fields.go: Parse reads the parameter into a Set, and Apply reduces.
//
// It imports wpstore/php and nothing else of this module.
//
// Source: WordPress's REST server.
package api
