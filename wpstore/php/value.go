package php

import (
	"math"
	"slices"
)

// Value is any PHP value; see the package comment for the possible types.
type Value = any

// Object is a serialized object as data; no class is ever instantiated. As in PHP, two
// places may hold the same object.
type Object struct {
	Class string
	// Props are the properties in order. Their keys are strings, even those that look like
	// integers. The keys of private and protected properties contain NUL bytes
	// ("\x00Class\x00name", "\x00*\x00name").
	Props *Array
	// Raw is the serialized text of enum cases and of objects with a format of their own.
	// Props is nil for these.
	Raw string
}

// Identical implements PHP's ===: same type and value, and for arrays the same pairs in the
// same order. Objects are identical only to themselves.
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
	return a.Len() == b.Len() && (a.Len() == 0 || slices.EqualFunc(a.entries, b.entries, func(x, y entry) bool {
		return x.key == y.key && Identical(x.value, y.value)
	}))
}
