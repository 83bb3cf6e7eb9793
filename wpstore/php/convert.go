package php

import (
	"math"
	"strconv"
	"strings"
)

// numericPrefix finds the number at the start of s like PHP: optional white space and sign,
// then digits with an optional point and exponent. number is empty if there is none.
func numericPrefix(s string) (number string, rest string) {
	start := 0
	for start < len(s) && isSpace(s[start]) {
		start++
	}
	i := start
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	whole := afterDigits(s, i)
	digits := whole - i
	if i = whole; i < len(s) && s[i] == '.' {
		if end := afterDigits(s, i+1); digits > 0 || end > i+1 {
			digits += end - i - 1
			i = end
		}
	}
	if digits == 0 {
		return "", s
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		exponent := i + 1
		if exponent < len(s) && (s[exponent] == '+' || s[exponent] == '-') {
			exponent++
		}
		if end := afterDigits(s, exponent); end > exponent {
			i = end
		}
	}
	return s[start:i], s[i:]
}

// afterDigits returns the position after the digits that start at i.
func afterDigits(s string, i int) int {
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return i
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// IsNumeric implements PHP's is_numeric.
func IsNumeric(v Value) bool {
	switch v := v.(type) {
	case int64, float64:
		return true
	case string:
		return IsNumericString(v)
	}
	return false
}

// IsNumericString implements PHP's is_numeric for a string: not hex, not empty, not a lone
// point.
func IsNumericString(s string) bool {
	number, rest := numericPrefix(s)
	return number != "" && strings.Trim(rest, " \t\n\r\v\f") == ""
}

// ToInt converts like PHP's (int). A numeric prefix counts, out-of-range strings saturate,
// other values give 0; an array gives 0 or 1.
func ToInt(v Value) int64 {
	switch v := v.(type) {
	case bool:
		if v {
			return 1
		}
	case int64:
		return v
	case float64:
		return floatToInt(v)
	case string:
		number, _ := numericPrefix(v)
		if number == "" {
			return 0
		}
		if !strings.ContainsAny(number, ".eE") {
			n, err := strconv.ParseInt(strings.TrimPrefix(number, "+"), 10, 64)
			if err == nil {
				return n
			}
			if strings.HasPrefix(number, "-") {
				return math.MinInt64
			}
			return math.MaxInt64
		}
		return saturate(ToFloat(v))
	case *Array:
		if v.Len() > 0 {
			return 1
		}
	case *Object:
		return 1
	}
	return 0
}

// saturate converts the number of a numeric string. Unlike a float it stops at the ends of
// the range.
func saturate(f float64) int64 {
	switch {
	case f >= 9.223372036854775807e18:
		return math.MaxInt64
	case f <= -9.223372036854775808e18:
		return math.MinInt64
	}
	return int64(f)
}

func floatToInt(f float64) int64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0
	}
	if f >= -9.223372036854775808e18 && f < 9.223372036854775808e18 {
		return int64(f)
	}
	// PHP wraps modulo 2^64 on 64-bit platforms.
	m := math.Mod(math.Trunc(f), 18446744073709551616)
	if m < 0 {
		m += 18446744073709551616
	}
	return int64(uint64(m))
}

// ToFloat converts like PHP's (float).
func ToFloat(v Value) float64 {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	case string:
		number, _ := numericPrefix(v)
		f, _ := strconv.ParseFloat(number, 64)
		return f
	}
	return float64(ToInt(v))
}

// ToBool converts like PHP's (bool): "", "0", 0, 0.0, null and the empty array are false.
func ToBool(v Value) bool { return !Empty(v) }

// Empty implements PHP's empty().
func Empty(v Value) bool {
	switch v := v.(type) {
	case nil:
		return true
	case bool:
		return !v
	case int64:
		return v == 0
	case float64:
		return v == 0
	case string:
		return v == "" || v == "0"
	case *Array:
		return v.Len() == 0
	}
	return false
}

// ToString converts like PHP's string conversion: true is "1", false and null are "", an
// array is "Array".
func ToString(v Value) string {
	switch v := v.(type) {
	case bool:
		if v {
			return "1"
		}
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return FormatFloat(v)
	case string:
		return v
	case *Array:
		return "Array"
	}
	return ""
}

// Truthy reports whether a setting of The Events Calendar is true: of strings, 1, enable,
// enabled, on, y, yes and true in any letter case; for other values, PHP's (bool).
func Truthy(v Value) bool {
	s, ok := v.(string)
	if !ok {
		return ToBool(v)
	}
	switch strings.ToLower(s) {
	case "1", "enable", "enabled", "on", "y", "yes", "true":
		return true
	}
	return false
}

// Trim implements PHP's trim() with its default characters, which include NUL and the
// vertical tab but no Unicode space.
func Trim(s string) string { return strings.Trim(s, " \t\n\r\x00\x0b") }
