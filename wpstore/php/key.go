package php

import "strconv"

// Key is an array key. PHP has integer and string keys; a string that is a canonical
// decimal integer ("5", "-1", not "05" or "+1") becomes an integer.
type Key struct {
	Int   int64
	Str   string
	IsInt bool
}

// IntKey returns the integer key n.
func IntKey(n int64) Key { return Key{Int: n, IsInt: true} }

// KeyOf returns the key that PHP uses for the array offset s.
func KeyOf(s string) Key {
	if n, ok := canonicalInt(s); ok {
		return IntKey(n)
	}
	return Key{Str: s}
}

// String returns the key as PHP prints it.
func (k Key) String() string {
	if k.IsInt {
		return strconv.FormatInt(k.Int, 10)
	}
	return k.Str
}

func canonicalInt(s string) (int64, bool) {
	if s == "" || len(s) > 20 {
		return 0, false
	}
	digits := s
	if s[0] == '-' {
		digits = s[1:]
	}
	if digits == "" || !isDigit(digits[0]) || (digits[0] == '0' && len(s) > 1) {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}
