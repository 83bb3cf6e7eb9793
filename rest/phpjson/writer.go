package phpjson

import (
	"slices"

	"calbridge/wpstore/php"
)

// Writer writes JSON piece by piece in PHP's spelling, without an intermediate value.
// It sets the commas itself. The caller ends what it begins, and writes a Key before
// each value of an object. The zero Writer is ready for use; with Reset it writes into
// a buffer from a pool.
type Writer struct {
	buf   []byte
	comma bool // a value precedes at this level
}

// Reset starts a new text in the memory of buf, overwriting it.
func (w *Writer) Reset(buf []byte) { w.buf, w.comma = buf[:0], false }

// Bytes returns what has been written; it is valid until the next call of a method.
func (w *Writer) Bytes() []byte { return w.buf }

// Len returns the number of bytes written.
func (w *Writer) Len() int { return len(w.buf) }

// Grow makes room for n more bytes.
func (w *Writer) Grow(n int) { w.buf = slices.Grow(w.buf, n) }

// value makes room for the next value of a list or the value of a key.
func (w *Writer) value() {
	if w.comma {
		w.buf = append(w.buf, ',')
	}
	w.comma = true
}

func (w *Writer) begin(bracket byte) {
	w.value()
	w.buf = append(w.buf, bracket)
	w.comma = false
}

func (w *Writer) end(bracket byte) {
	w.buf = append(w.buf, bracket)
	w.comma = true
}

// BeginObject opens an object.
func (w *Writer) BeginObject() { w.begin('{') }

// EndObject closes an object. PHP writes an empty array as [] even where a map is
// meant; for an empty map call BeginList and EndList instead.
func (w *Writer) EndObject() { w.end('}') }

// BeginList opens a list.
func (w *Writer) BeginList() { w.begin('[') }

// EndList closes a list.
func (w *Writer) EndList() { w.end(']') }

// Key writes the name of the member whose value comes next.
func (w *Writer) Key(name string) {
	w.value()
	w.buf = append(AppendString(w.buf, name), ':')
	w.comma = false
}

// String writes a string; see AppendString.
func (w *Writer) String(s string) {
	w.value()
	w.buf = AppendString(w.buf, s)
}

// Int writes an integer.
func (w *Writer) Int(n int64) {
	w.value()
	w.buf = AppendInt(w.buf, n)
}

// Bool writes true or false.
func (w *Writer) Bool(b bool) {
	w.value()
	w.buf = appendValue(w.buf, b, 0)
}

// Null writes null.
func (w *Writer) Null() {
	w.value()
	w.buf = append(w.buf, "null"...)
}

// Raw writes a value that is JSON already.
func (w *Writer) Raw(json []byte) {
	w.value()
	w.buf = append(w.buf, json...)
}

// Value writes any PHP value; see Append.
func (w *Writer) Value(v php.Value) {
	w.value()
	w.buf = Append(w.buf, v)
}

// KeyString writes a member with a string.
func (w *Writer) KeyString(name, s string) {
	w.Key(name)
	w.String(s)
}

// KeyInt writes a member with an integer.
func (w *Writer) KeyInt(name string, n int64) {
	w.Key(name)
	w.Int(n)
}

// KeyBool writes a member with true or false.
func (w *Writer) KeyBool(name string, b bool) {
	w.Key(name)
	w.Bool(b)
}

// KeyNull writes a member with null.
func (w *Writer) KeyNull(name string) {
	w.Key(name)
	w.Null()
}

// KeyValue writes a member with any PHP value.
func (w *Writer) KeyValue(name string, v php.Value) {
	w.Key(name)
	w.Value(v)
}
