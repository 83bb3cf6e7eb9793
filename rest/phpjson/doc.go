// Package phpjson writes and reads JSON byte for byte as PHP's json_encode and json_decode do with
// their default flags, as WordPress uses them for REST requests. It does not use reflection.
//
// It turns PHP values, or the pieces of a response, into JSON, and JSON into PHP values with PHP's
// error numbers.
//
//	encode.go   Append: any PHP value
//	writer.go   Writer: JSON piece by piece, for hot paths
//	string.go   strings, and the repair of invalid UTF-8, which is WordPress's
//	pretty.go   Indent: JSON_PRETTY_PRINT
//	buffers.go  the buffer pool of Writers
//	decode.go   Decode, Reparse
//	scan.go     tokens of JSON
//
// It imports wpstore/php and nothing else of this module.
//
// Source: PHP 8.2.
package phpjson
