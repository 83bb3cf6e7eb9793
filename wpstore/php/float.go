package php

import (
	"math"
	"strconv"
	"strings"
)

// PHP's default settings: precision for echo; for json_encode and serialize the shortest
// text that parses to the same number, which has at most 17 digits.
const (
	echoDigits     = 14
	shortestDigits = 17
)

// FormatFloat returns f as PHP's string conversion writes it, with at most 14 significant
// digits: 10, 0.1, 0.3 for 0.1+0.2, 1.0E+25, -0, INF, NAN.
func FormatFloat(f float64) string {
	return formatFloat(f, strconv.FormatFloat(f, 'e', echoDigits-1, 64), echoDigits, 'E')
}

// FormatSerializedFloat returns f as PHP's serialize and var_export write it, in the
// shortest form that parses to f: 10, 0.30000000000000004, 1.0E+25, -0, INF, NAN.
func FormatSerializedFloat(f float64) string {
	return formatFloat(f, strconv.FormatFloat(f, 'e', -1, 64), shortestDigits, 'E')
}

// FormatJSONFloat returns f as PHP's json_encode writes it: like FormatSerializedFloat with
// a lower-case exponent: 10, 0.1, 1.0e+25, -0. JSON has no INF and NAN; callers must not
// pass them.
func FormatJSONFloat(f float64) string {
	return formatFloat(f, strconv.FormatFloat(f, 'e', -1, 64), shortestDigits, 'e')
}

// formatFloat formats f with the digits of scientific ("-1.25e-07"): in fixed notation if
// the decimal exponent is in -4..limit-1, else with a mantissa of at least one decimal and
// a signed exponent.
func formatFloat(f float64, scientific string, limit int, exponent byte) string {
	switch {
	case math.IsInf(f, 1):
		return "INF"
	case math.IsInf(f, -1):
		return "-INF"
	case math.IsNaN(f):
		return "NAN"
	}
	mantissa, exp, _ := strings.Cut(scientific, "e")
	e, _ := strconv.Atoi(exp)
	sign := ""
	if mantissa[0] == '-' {
		sign, mantissa = "-", mantissa[1:]
	}
	digits := mantissa[:1]
	if len(mantissa) > 2 {
		digits += strings.TrimRight(mantissa[2:], "0")
	}
	switch {
	case e < -4 || e >= limit:
		tail := digits[1:]
		if tail == "" {
			tail = "0"
		}
		direction := "+"
		if e < 0 {
			direction, e = "-", -e
		}
		return sign + digits[:1] + "." + tail + string(exponent) + direction + strconv.Itoa(e)
	case e < 0:
		return sign + "0." + strings.Repeat("0", -e-1) + digits
	case len(digits) <= e+1:
		return sign + digits + strings.Repeat("0", e+1-len(digits))
	}
	return sign + digits[:e+1] + "." + digits[e+1:]
}
