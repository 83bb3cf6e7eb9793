package phpjson

import (
	"math"

	"calbridge/wpstore/php"
)

// deepest is the nesting beyond which PHP refuses to encode.
const deepest = 512

// Append appends v as PHP's json_encode writes it: an array whose keys are 0..n-1 in
// order is a list, so the empty array is [], any other array an object; an
// *php.Object is an object of its public properties. Whole floats have no ".0".
//
// What json_encode refuses is written all the same: INF and NAN as 0, values nested
// deeper than 512 and values outside of the model as null. v must not contain
// itself.
func Append(dst []byte, v php.Value) []byte { return appendValue(dst, v, 0) }

func appendValue(dst []byte, v php.Value, depth int) []byte {
	switch v := v.(type) {
	case bool:
		if v {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	case int64:
		return AppendInt(dst, v)
	case float64:
		return appendFloat(dst, v)
	case string:
		return AppendString(dst, v)
	case *php.Array:
		if depth >= deepest {
			break
		}
		if v.IsList() {
			return appendList(dst, v, depth+1)
		}
		return appendObject(dst, v, false, depth+1)
	case *php.Object:
		if depth >= deepest || v == nil {
			break
		}
		return appendObject(dst, v.Props, true, depth+1)
	}
	return append(dst, "null"...)
}

func appendFloat(dst []byte, f float64) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return append(dst, '0')
	}
	return append(dst, php.FormatJSONFloat(f)...)
}

func appendList(dst []byte, a *php.Array, depth int) []byte {
	dst = append(dst, '[')
	first := true
	for _, v := range a.All() {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = appendValue(dst, v, depth)
	}
	return append(dst, ']')
}

// appendObject writes an object. Of a PHP object it leaves out the private and
// protected properties, whose names begin with a NUL byte.
func appendObject(dst []byte, members *php.Array, publicOnly bool, depth int) []byte {
	dst = append(dst, '{')
	first := true
	for k, v := range members.All() {
		if publicOnly && len(k.Str) > 0 && k.Str[0] == 0 {
			continue
		}
		dst = appendMember(dst, k, v, first, depth)
		first = false
	}
	return append(dst, '}')
}

func appendMember(dst []byte, k php.Key, v php.Value, first bool, depth int) []byte {
	if !first {
		dst = append(dst, ',')
	}
	if k.IsInt {
		dst = append(dst, '"')
		dst = AppendInt(dst, k.Int)
		dst = append(dst, '"')
	} else {
		dst = AppendString(dst, k.Str)
	}
	dst = append(dst, ':')
	return appendValue(dst, v, depth)
}
