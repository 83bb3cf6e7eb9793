package php

import "math"

// Value is any PHP value; see the package comment for the possible types.
type Value = any

// Object is an object as it was serialized. It is kept as data; no class is
// ever instantiated. Like in PHP, two places may hold the same object.
type Object struct {
	Class string
	// Props are the properties in order. Their keys are strings, also where
	// they look like integers; those of private and protected properties
	// contain NUL bytes ("\x00Class\x00name", "\x00*\x00name").
	Props *Array
	// Raw is the serialized text of what is kept unread: enum cases and
	// objects that serialize themselves. Props is nil then.
	Raw string
}

// Identical reports what PHP's === says of two values: same type, same value,
// for arrays the same pairs in the same order. Objects are identical only if
// they are one and the same.
func Identical(a, b Value) bool {
	switch a := a.(type) {
	case *Array:
		b, ok := b.(*Array)
		return ok && identicalArrays(a, b)
	case float64:
		b, ok := b.(float64)
		return ok && a == b && !math.IsNaN(a)
	case *Object:
		b, ok := b.(*Object)
		return ok && a == b
	}
	switch b.(type) {
	case *Array, *Object, float64:
		return false
	}
	return a == b
}

func identicalArrays(a, b *Array) bool {
	if a.Len() != b.Len() {
		return false
	}
	if a.Len() == 0 {
		return true
	}
	for i, e := range a.entries {
		other := b.entries[i]
		if e.key != other.key || !Identical(e.value, other.value) {
			return false
		}
	}
	return true
}
