// Package phpjson writes and reads JSON byte for byte as PHP's json_encode and
// json_decode do with their default flags, which is how WordPress answers and
// reads REST requests.
//
// Append writes any php.Value, Writer writes JSON piece by piece for hot paths, and
// Decode reads a request body. Nothing here uses reflection.
//
// Source: PHP 8.2; the repair of invalid UTF-8 is WordPress's.
package phpjson
