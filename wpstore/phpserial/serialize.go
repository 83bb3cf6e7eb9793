package phpserial

import (
	"strconv"

	"calbridge/wpstore/php"
)

// Serialize returns v in PHP's serialized form. An object that occurs again becomes a
// reference to its first occurrence. Values outside of the model become null, as do arrays
// within themselves.
func Serialize(v php.Value) string {
	w := writer{}
	w.value(v, 0)
	return string(w.buf)
}

// deepest stops arrays that contain themselves. It is far deeper than what Unserialize
// reads.
const deepest = 1024

type writer struct {
	buf     []byte
	written int
	objects map[*php.Object]int // number of the value by which it was written first
}

func (w *writer) value(v php.Value, depth int) {
	w.written++
	if depth > deepest {
		v = nil
	}
	switch v := v.(type) {
	case bool:
		if v {
			w.buf = append(w.buf, "b:1;"...)
		} else {
			w.buf = append(w.buf, "b:0;"...)
		}
	case int64:
		w.integer(v)
	case float64:
		w.buf = append(w.buf, "d:"...)
		w.buf = append(w.buf, php.FormatSerializedFloat(v)...)
		w.buf = append(w.buf, ';')
	case string:
		w.quoted('s', v)
		w.buf = append(w.buf, ';')
	case *php.Array:
		w.buf = append(w.buf, 'a')
		w.elements(v, false, depth)
	case *php.Object:
		w.object(v, depth)
	default:
		w.buf = append(w.buf, "N;"...)
	}
}

func (w *writer) integer(n int64) {
	w.buf = append(w.buf, "i:"...)
	w.buf = strconv.AppendInt(w.buf, n, 10)
	w.buf = append(w.buf, ';')
}

func (w *writer) quoted(kind byte, s string) {
	w.buf = append(w.buf, kind, ':')
	w.buf = strconv.AppendInt(w.buf, int64(len(s)), 10)
	w.buf = append(w.buf, ':', '"')
	w.buf = append(w.buf, s...)
	w.buf = append(w.buf, '"')
}

func (w *writer) object(o *php.Object, depth int) {
	if o == nil {
		w.buf = append(w.buf, "N;"...)
		return
	}
	if first, ok := w.objects[o]; ok {
		w.buf = append(w.buf, "r:"...)
		w.buf = strconv.AppendInt(w.buf, int64(first), 10)
		w.buf = append(w.buf, ';')
		return
	}
	if w.objects == nil {
		w.objects = make(map[*php.Object]int)
	}
	w.objects[o] = w.written
	if o.Raw != "" {
		w.buf = append(w.buf, o.Raw...)
		return
	}
	w.quoted('O', o.Class)
	w.elements(o.Props, true, depth)
}

func (w *writer) elements(a *php.Array, properties bool, depth int) {
	w.buf = append(w.buf, ':')
	w.buf = strconv.AppendInt(w.buf, int64(a.Len()), 10)
	w.buf = append(w.buf, ':', '{')
	for k, v := range a.All() {
		if k.IsInt && !properties {
			w.integer(k.Int)
		} else {
			w.quoted('s', k.String())
			w.buf = append(w.buf, ';')
		}
		w.value(v, depth+1)
	}
	w.buf = append(w.buf, '}')
}
