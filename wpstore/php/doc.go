// Package php implements PHP's value model as far as WordPress shows it to REST clients:
// ordered arrays with integer and string keys, and the conversions between strings, numbers
// and booleans.
//
//	value.go    Value, Object, ===; equal.go: == of texts
//	array.go    Array; key.go its keys
//	convert.go  (int), (float), (bool), (string), is_numeric, empty, trim
//	float.go    floats as text
//
// A value is one of nil, bool, int64, float64, string, *Array or *Object. The packages
// phpserial (wpstore), phpjson and phpform (rest) read and write values. This package
// imports nothing of this module.
//
// Source: PHP 8.2, the version of the recorded reference.
package php
