package php

import (
	"iter"
	"math"
	"slices"
)

// Array is PHP's ordered map. The zero value and nil are empty arrays; only
// reading is allowed on nil. Concurrent reads are safe.
type Array struct {
	entries []entry
	index   map[Key]int // position by key; only for large arrays that are mixed
	mixed   bool        // the keys may be other than 0..n-1 in this order
	next    int64
	filled  bool // whether an integer key has been used, so that next is valid
}

type entry struct {
	key   Key
	value Value
}

// linearSearch is the size up to which a scan of the keys is cheaper than an index.
const linearSearch = 8

// List returns an array with the keys 0..n-1.
func List(values ...Value) *Array {
	a := &Array{entries: make([]entry, 0, len(values))}
	for _, v := range values {
		a.Append(v)
	}
	return a
}

// Strings returns a list of strings.
func Strings(values ...string) *Array {
	a := &Array{entries: make([]entry, 0, len(values))}
	for _, v := range values {
		a.Append(v)
	}
	return a
}

// Pairs returns an array of alternating keys and values.
func Pairs(keysAndValues ...Value) *Array {
	a := &Array{}
	for pair := range slices.Chunk(keysAndValues, 2) {
		a.SetString(ToString(pair[0]), pair[1])
	}
	return a
}

// Len returns the number of elements.
func (a *Array) Len() int {
	if a == nil {
		return 0
	}
	return len(a.entries)
}

// find returns the position of k, or -1.
func (a *Array) find(k Key) int {
	switch {
	case a == nil:
		return -1
	case !a.mixed:
		if k.IsInt && k.Int >= 0 && k.Int < int64(len(a.entries)) {
			return int(k.Int)
		}
		return -1
	case a.index != nil:
		if i, ok := a.index[k]; ok {
			return i
		}
		return -1
	}
	for i := range a.entries {
		if a.entries[i].key == k {
			return i
		}
	}
	return -1
}

// Set stores v under k; an existing key keeps its place.
func (a *Array) Set(k Key, v Value) {
	if i := a.find(k); i >= 0 {
		a.entries[i].value = v
		return
	}
	if !k.IsInt || k.Int != int64(len(a.entries)) {
		a.mixed = true
	}
	a.entries = append(a.entries, entry{k, v})
	switch {
	case a.index != nil:
		a.index[k] = len(a.entries) - 1
	case a.mixed && len(a.entries) > linearSearch:
		a.reindex()
	}
	if k.IsInt && (!a.filled || k.Int >= a.next) {
		a.filled = true
		a.next = k.Int
		if k.Int < math.MaxInt64 {
			a.next++
		}
	}
}

func (a *Array) reindex() {
	a.index = nil
	if !a.mixed || len(a.entries) <= linearSearch {
		return
	}
	a.index = make(map[Key]int, 2*len(a.entries))
	for i := range a.entries {
		a.index[a.entries[i].key] = i
	}
}

// SetString stores v under the key that PHP derives from name.
func (a *Array) SetString(name string, v Value) { a.Set(KeyOf(name), v) }

// Append stores v under the next free integer key: the highest so far plus one, or 0. If
// the highest possible key is taken, it stores nothing and returns false.
func (a *Array) Append(v Value) bool {
	k := IntKey(a.next)
	if a.next == math.MaxInt64 && a.find(k) >= 0 {
		return false
	}
	a.Set(k, v)
	return true
}

// Get returns the value under k.
func (a *Array) Get(k Key) (Value, bool) {
	i := a.find(k)
	if i < 0 {
		return nil, false
	}
	return a.entries[i].value, true
}

// Lookup returns the value under the key that PHP derives from name.
func (a *Array) Lookup(name string) (Value, bool) { return a.Get(KeyOf(name)) }

// At returns the value under name, or nil.
func (a *Array) At(name string) Value {
	v, _ := a.Lookup(name)
	return v
}

// Array returns the array under name, or nil if the value is missing or not an array.
func (a *Array) Array(name string) *Array {
	inner, _ := a.At(name).(*Array)
	return inner
}

// Sub returns the array under name for writing. If the value is missing or not an array, it
// stores a new array there.
func (a *Array) Sub(name string) *Array {
	inner := a.Array(name)
	if inner == nil {
		inner = &Array{}
		a.SetString(name, inner)
	}
	return inner
}

// Delete removes k; the other keys keep their places and numbers. A running iteration still
// yields the elements that were there when it began.
func (a *Array) Delete(k Key) {
	i := a.find(k)
	if i < 0 {
		return
	}
	if i < len(a.entries)-1 {
		a.mixed = true
	}
	a.entries = slices.Concat(a.entries[:i], a.entries[i+1:]) // a copy, for iterations
	a.reindex()
}

// All iterates in insertion order.
func (a *Array) All() iter.Seq2[Key, Value] {
	return func(yield func(Key, Value) bool) {
		if a == nil {
			return
		}
		entries := a.entries
		for i := range entries {
			if !yield(entries[i].key, entries[i].value) {
				return
			}
		}
	}
}

// Values returns the values in insertion order.
func (a *Array) Values() []Value {
	out := make([]Value, 0, a.Len())
	for _, v := range a.All() {
		out = append(out, v)
	}
	return out
}

// Texts returns the values that are strings, in order.
func (a *Array) Texts() []string {
	var out []string
	for _, value := range a.All() {
		if text, ok := value.(string); ok {
			out = append(out, text)
		}
	}
	return out
}

// TextMap returns the values that are strings, by key.
func (a *Array) TextMap() map[string]string {
	out := make(map[string]string, a.Len())
	for key, value := range a.All() {
		if text, ok := value.(string); ok {
			out[key.String()] = text
		}
	}
	return out
}

// IsList reports whether the keys are 0..n-1 in this order. PHP writes such arrays as JSON
// lists.
func (a *Array) IsList() bool {
	if a == nil || !a.mixed {
		return true
	}
	for i := range a.entries {
		if a.entries[i].key != IntKey(int64(i)) {
			return false
		}
	}
	return true
}

// Clone copies the array and all arrays inside it. Objects are shared, as PHP
// shares them.
func (a *Array) Clone() *Array {
	if a == nil {
		return nil
	}
	out := &Array{entries: make([]entry, len(a.entries)), mixed: a.mixed, next: a.next, filled: a.filled}
	for i, e := range a.entries {
		if inner, ok := e.value.(*Array); ok {
			e.value = inner.Clone()
		}
		out.entries[i] = e
	}
	out.reindex()
	return out
}
