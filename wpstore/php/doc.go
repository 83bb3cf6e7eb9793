// Package php holds PHP's value model as far as WordPress shows it to a REST
// client: ordered arrays with integer and string keys, and the conversions that
// PHP makes between strings, numbers and booleans.
//
// A value is one of nil, bool, int64, float64, string, *Array or *Object. The
// packages phpserial (wpstore), phpjson and phpform (rest) read and write it.
//
// Source: PHP 8.2, which the recorded reference ran on.
package php
