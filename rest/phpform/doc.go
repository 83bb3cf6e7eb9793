// Package phpform reads and writes query strings and forms as PHP does: names with
// brackets become nested arrays, names are mangled, bad escapes stay as they are.
//
// It turns raw query strings and urlencoded or multipart bodies, with PHP's limits, into *php.Array
// values and URLs.
//
//	parse.go      Parse: query strings and urlencoded bodies, brackets in names
//	multipart.go  ParseMultipart and Boundary
//	url.go        AddQueryArg, RemoveQueryArg, as WordPress's functions of these names
//	escape.go     urlencode, rawurlencode and their inverses
//
// It imports wpstore/php and nothing else of this module.
//
// Source: PHP 8.2; the URL functions WordPress 7.0.
package phpform
