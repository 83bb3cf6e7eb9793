package php

// EqualTexts reports whether two texts are equal under PHP's ==: numbers compare by value.
func EqualTexts(a, b string) bool {
	if a == b {
		return true
	}
	return IsNumericString(a) && IsNumericString(b) && ToFloat(a) == ToFloat(b)
}
