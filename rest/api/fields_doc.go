// Package fields reduces a response to the fields that the client asked for with
// _fields.
//
// In: the parameter, and a response as a PHP value. Out: the part of it that was asked
// for. All of it is in fields.go: Parse reads the parameter into a Set, Apply reduces.
//
// It imports wpstore/php and nothing else of this module.
//
// Source: WordPress's REST server (spec/wp-rest-server.md).
package api
