package php

import (
	"math"
	"strconv"
	"strings"
)

// PHP's settings as it ships with them: precision for echo, and for json_encode
// and serialize the shortest text that reads back as the same number, which is
// never longer than 17 digits.
const (
	echoDigits     = 14
	shortestDigits = 17
)

// FormatFloat writes f as PHP's string conversion does, with at most 14
// significant digits: 10, 0.1, 0.3 for 0.1+0.2, 1.0E+25, -0, INF, NAN.
func FormatFloat(f float64) string {
	return formatFloat(f, strconv.FormatFloat(f, 'e', echoDigits-1, 64), echoDigits, 'E')
}

// FormatSerializedFloat writes f as PHP's serialize and var_export do, in the
// shortest form that reads back the same: 10, 0.30000000000000004, 1.0E+25, -0,
// INF, NAN.
func FormatSerializedFloat(f float64) string {
	return formatFloat(f, strconv.FormatFloat(f, 'e', -1, 64), shortestDigits, 'E')
}

// FormatJSONFloat writes f as PHP's json_encode does: like FormatSerializedFloat
// with a lower-case exponent: 10, 0.1, 1.0e+25, -0. JSON knows no INF and NAN;
// the caller must not pass them.
func FormatJSONFloat(f float64) string {
	return formatFloat(f, strconv.FormatFloat(f, 'e', -1, 64), shortestDigits, 'e')
}

// formatFloat lays out the number f, whose digits are those of scientific
// ("-1.25e-07"): fixed notation while its decimal exponent is in -4..limit-1, else
// a mantissa with at least one decimal and an exponent with a sign.
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
