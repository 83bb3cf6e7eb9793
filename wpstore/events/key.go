package events

import (
	"encoding/binary"
	"fmt"
	"reflect"

	"calbridge/wpstore"
)

// eventKey returns equal keys for equal statements only: for equal queries, including the other
// one, and the same variant, see [langplugin.Plugins.JoinVariant]. It has every field of a query.
func eventKey(variant string, q, other *wpstore.EventQuery) string {
	k := &keyBuffer{buf: make([]byte, 0, 256)}
	k.text(variant)
	k.value(reflect.ValueOf(q))
	k.value(reflect.ValueOf(other))
	return string(k.buf)
}

// keyBuffer encodes values unambiguously.
type keyBuffer struct{ buf []byte }

// value encodes a value with all that is in it. Like queries it distinguishes nil from empty.
func (k *keyBuffer) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		k.flag(v.Bool())
	case reflect.Int64:
		k.number(v.Int())
	case reflect.String:
		k.text(v.String())
	case reflect.Pointer:
		if k.flag(!v.IsNil()); !v.IsNil() {
			k.value(v.Elem())
		}
	case reflect.Slice:
		if k.flag(!v.IsNil()); v.IsNil() {
			return
		}
		k.number(int64(v.Len()))
		for i := range v.Len() {
			k.value(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			k.value(v.Field(i))
		}
	default:
		panic(fmt.Sprintf("a query has a field of the type %s, which has no key", v.Type()))
	}
}

func (k *keyBuffer) number(n int64) { k.buf = binary.AppendVarint(k.buf, n) }

func (k *keyBuffer) flag(on bool) {
	if on {
		k.buf = append(k.buf, 1)
	} else {
		k.buf = append(k.buf, 0)
	}
}

func (k *keyBuffer) text(s string) {
	k.number(int64(len(s)))
	k.buf = append(k.buf, s...)
}
