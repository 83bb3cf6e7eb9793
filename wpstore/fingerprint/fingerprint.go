// Package fingerprint writes values as texts that a later build writes alike.
//
// The journal and the tokens of changes store hashes of such texts. If a build added a field to a
// struct, or moved one, encoding/json would write every value differently, and all clients would
// have to begin again. Here, fields are sorted by name, and those with the zero value are left out.
// A new field therefore needs a zero value that means what earlier builds did.
package fingerprint

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Text returns the same text for equal values, and different texts for different ones. A nil slice
// and an empty one differ. Fields of embedded structs count as fields of the struct around them. It
// fails for a value with unexported fields, functions or channels.
func Text(v any) (string, error) {
	text, err := appendValue(nil, reflect.ValueOf(v))
	if err != nil {
		return "", fmt.Errorf("fingerprint of %T: %w", v, err)
	}
	return string(text), nil
}

func appendValue(b []byte, v reflect.Value) ([]byte, error) {
	switch v.Kind() {
	case reflect.Invalid:
		return append(b, "null"...), nil
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool()), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.AppendInt(b, v.Int(), 10), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return strconv.AppendUint(b, v.Uint(), 10), nil
	case reflect.Float32, reflect.Float64:
		return strconv.AppendFloat(b, v.Float(), 'g', -1, 64), nil
	case reflect.String:
		return strconv.AppendQuote(b, v.String()), nil
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return append(b, "null"...), nil
		}
		return appendValue(b, v.Elem())
	case reflect.Slice, reflect.Array:
		return appendList(b, v)
	case reflect.Map:
		return appendMap(b, v)
	case reflect.Struct:
		fields, err := fieldsOf(v, nil)
		if err != nil {
			return nil, err
		}
		return appendSorted(b, fields), nil
	}
	return nil, fmt.Errorf("a %s can't be written", v.Type())
}

func appendList(b []byte, v reflect.Value) (_ []byte, err error) {
	if v.Kind() == reflect.Slice && v.IsNil() {
		return append(b, "null"...), nil
	}
	b = append(b, '[')
	for i := range v.Len() {
		if b, err = appendValue(b, v.Index(i)); err != nil {
			return nil, err
		}
		b = append(b, ',')
	}
	return append(b, ']'), nil
}

func appendMap(b []byte, v reflect.Value) ([]byte, error) {
	if v.IsNil() {
		return append(b, "null"...), nil
	}
	var entries []string
	for key, value := range v.Seq2() {
		entry, err := appendValue(nil, key)
		if err == nil {
			entry, err = appendValue(append(entry, ':'), value)
		}
		if err != nil {
			return nil, err
		}
		entries = append(entries, string(entry))
	}
	return appendSorted(b, entries), nil
}

// fieldsOf appends the fields of a struct that don't have the zero value, as texts.
func fieldsOf(v reflect.Value, fields []string) (_ []string, err error) {
	for i := range v.NumField() {
		f, value := v.Type().Field(i), v.Field(i)
		switch {
		case f.Anonymous && value.Kind() == reflect.Struct:
			if fields, err = fieldsOf(value, fields); err != nil {
				return nil, err
			}
		case !f.IsExported():
			return nil, fmt.Errorf("the field %s of %s can't be read", f.Name, v.Type())
		case !value.IsZero():
			text, err := appendValue(strconv.AppendQuote(nil, f.Name), value)
			if err != nil {
				return nil, err
			}
			fields = append(fields, string(text))
		}
	}
	return fields, nil
}

func appendSorted(b []byte, entries []string) []byte {
	slices.Sort(entries)
	return append(b, "{"+strings.Join(entries, ",")+"}"...)
}
