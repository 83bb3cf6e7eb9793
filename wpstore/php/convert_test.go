package php

import (
	"math"
	"testing"
)

func TestIsNumeric(t *testing.T) {
	yes := []Value{int64(0), 1.5, "0", "5", "5.0", " 5", "5 ", "\t5\n", "\v5\f", "+5", "-5", "-0", ".5", "5.", "1e3", "1E+3", "1.e3", "-.5e-3", "00012", "99999999999999999999"}
	for _, v := range yes {
		if !IsNumeric(v) {
			t.Errorf("%#v is numeric", v)
		}
	}
	no := []Value{nil, true, false, "", " ", ".", "-", "+", "e3", ".e3", "1e", "1e+", "0x1A", "1_000", "5a", "a5", "5 5", "--5", "5\x00", "\u00a05", List(), List("5"), &Object{}}
	for _, v := range no {
		if IsNumeric(v) {
			t.Errorf("%#v is not numeric", v)
		}
	}
}

func TestToInt(t *testing.T) {
	tests := []struct {
		in   Value
		want int64
	}{
		{nil, 0}, {false, 0}, {true, 1}, {int64(-7), -7},
		{1.9, 1}, {-1.9, -1}, {math.NaN(), 0}, {math.Inf(1), 0}, {math.Inf(-1), 0},
		{1e19, 1e19 - 1<<64}, {-1e19, 1<<64 - 1e19}, {math.Ldexp(1, 63), math.MinInt64}, {-math.Ldexp(1, 64), 0},
		{"", 0}, {"12", 12}, {"  12abc", 12}, {"+12", 12}, {"-12 ", -12}, {"abc", 0}, {"1.9", 1}, {"-1.9", -1}, {"1e3", 1000}, {"1e", 1}, {".5", 0}, {"0x1A", 0}, {"012", 12},
		{"9223372036854775807", math.MaxInt64}, {"9223372036854775808", math.MaxInt64}, {"-9999999999999999999", math.MinInt64},
		{"1e30", math.MaxInt64}, {"-1e30", math.MinInt64}, {"1e1000", math.MaxInt64}, {"9223372036854775807.0", math.MaxInt64},
		{List(), 0}, {List("a"), 1}, {&Object{}, 1},
	}
	for _, test := range tests {
		if got := ToInt(test.in); got != test.want {
			t.Errorf("ToInt(%#v) = %d, want %d", test.in, got, test.want)
		}
	}
}

func TestToFloat(t *testing.T) {
	tests := []struct {
		in   Value
		want float64
	}{
		{nil, 0}, {true, 1}, {int64(3), 3}, {2.5, 2.5}, {"", 0}, {"1.5abc", 1.5}, {" 1e3", 1000}, {".5.5", .5}, {"1e999", math.Inf(1)}, {"x", 0}, {List("a"), 1},
	}
	for _, test := range tests {
		if got := ToFloat(test.in); got != test.want {
			t.Errorf("ToFloat(%#v) = %v, want %v", test.in, got, test.want)
		}
	}
}

func TestEmptyAndToBool(t *testing.T) {
	empty := []Value{nil, false, int64(0), 0.0, math.Copysign(0, -1), "", "0", List(), (*Array)(nil)}
	for _, v := range empty {
		if !Empty(v) || ToBool(v) {
			t.Errorf("%#v is empty", v)
		}
	}
	filled := []Value{true, int64(-1), 0.1, math.NaN(), "00", "0.0", " ", "false", List("0"), &Object{}}
	for _, v := range filled {
		if Empty(v) || !ToBool(v) {
			t.Errorf("%#v is not empty", v)
		}
	}
}

func TestToString(t *testing.T) {
	tests := []struct {
		in   Value
		want string
	}{
		{nil, ""}, {true, "1"}, {false, ""}, {int64(-5), "-5"}, {"x", "x"}, {List(), "Array"}, {&Object{}, ""}, {10.0, "10"}, {0.5, "0.5"},
	}
	for _, test := range tests {
		if got := ToString(test.in); got != test.want {
			t.Errorf("ToString(%#v) = %q, want %q", test.in, got, test.want)
		}
	}
}

func TestFormatFloat(t *testing.T) {
	tests := []struct {
		in                     float64
		echo, serialized, json string
	}{
		{0, "0", "0", "0"},
		{math.Copysign(0, -1), "-0", "-0", "-0"},
		{10, "10", "10", "10"},
		{-1.5, "-1.5", "-1.5", "-1.5"},
		{0.1, "0.1", "0.1", "0.1"},
		{0.30000000000000004, "0.3", "0.30000000000000004", "0.30000000000000004"},
		{1.0 / 3, "0.33333333333333", "0.3333333333333333", "0.3333333333333333"},
		{0.0001, "0.0001", "0.0001", "0.0001"},
		{0.00001, "1.0E-5", "1.0E-5", "1.0e-5"},
		{1.5e-7, "1.5E-7", "1.5E-7", "1.5e-7"},
		{123456.789, "123456.789", "123456.789", "123456.789"},
		{12345678901234, "12345678901234", "12345678901234", "12345678901234"},
		{1e13, "10000000000000", "10000000000000", "10000000000000"},
		{1e14, "1.0E+14", "100000000000000", "100000000000000"},
		{1e15, "1.0E+15", "1000000000000000", "1000000000000000"},
		{1e16, "1.0E+16", "10000000000000000", "10000000000000000"},
		{1e17, "1.0E+17", "1.0E+17", "1.0e+17"},
		{1e25, "1.0E+25", "1.0E+25", "1.0e+25"},
		{123456789012345678, "1.2345678901235E+17", "1.2345678901234568E+17", "1.2345678901234568e+17"},
		{9.9999999999999999, "10", "10", "10"},
		{99999999999999.9, "1.0E+14", "99999999999999.9", "99999999999999.9"},
		{math.MaxFloat64, "1.7976931348623E+308", "1.7976931348623157E+308", "1.7976931348623157e+308"},
		{5e-324, "4.9406564584125E-324", "5.0E-324", "5.0e-324"},
		{math.Inf(1), "INF", "INF", "INF"}, {math.Inf(-1), "-INF", "-INF", "-INF"}, {math.NaN(), "NAN", "NAN", "NAN"},
	}
	for _, test := range tests {
		if got := FormatFloat(test.in); got != test.echo {
			t.Errorf("FormatFloat(%g) = %s, want %s", test.in, got, test.echo)
		}
		if got := FormatSerializedFloat(test.in); got != test.serialized {
			t.Errorf("FormatSerializedFloat(%g) = %s, want %s", test.in, got, test.serialized)
		}
		if got := FormatJSONFloat(test.in); got != test.json {
			t.Errorf("FormatJSONFloat(%g) = %s, want %s", test.in, got, test.json)
		}
	}
}

func TestTruthy(t *testing.T) {
	for _, v := range []Value{true, "1", "enable", "Enabled", "ON", "y", "YES", "true", int64(2), List("x")} {
		if !Truthy(v) {
			t.Errorf("%#v is truthy", v)
		}
	}
	for _, v := range []Value{nil, false, "", "0", "2", "no", "off", " yes", int64(0), List()} {
		if Truthy(v) {
			t.Errorf("%#v is not truthy", v)
		}
	}
}

func TestTrim(t *testing.T) {
	if got := Trim(" \t\n\r\x00\x0b\u00a0x\f "); got != "\u00a0x\f" {
		t.Errorf("got %q", got)
	}
}

func FuzzNumbers(f *testing.F) {
	for _, s := range []string{"", "1e5", "-.5e+3 ", "9223372036854775808", "0x1", " \v12.e", "1e99999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n := ToInt(s)
		if k := KeyOf(s); k.IsInt && k.Int != n {
			t.Errorf("key %d, number %d", k.Int, n)
		}
		if IsNumericString(s) != IsNumericString(" "+s+"\n") {
			t.Errorf("white space around %q matters", s)
		}
		text := FormatSerializedFloat(ToFloat(s))
		if back := ToFloat(text); back != ToFloat(s) && !math.IsInf(ToFloat(s), 0) {
			t.Errorf("%q -> %s -> %v", s, text, back)
		}
	})
}
