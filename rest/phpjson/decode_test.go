package phpjson

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"calbridge/wpstore/php"
)

func TestDecode(t *testing.T) {
	tests := []struct {
		in   string
		want php.Value
	}{
		{"null", nil}, {" true ", true}, {"\r\n\tfalse\n", false},
		{"0", int64(0)}, {"-0", int64(0)}, {"-5", int64(-5)}, {"9223372036854775807", int64(math.MaxInt64)}, {"-9223372036854775808", int64(math.MinInt64)},
		{"9223372036854775808", 9223372036854775808.0}, {"-9223372036854775809", -9223372036854775809.0}, {"123456789012345678901234567890", 1.2345678901234568e29},
		{"1.0", 1.0}, {"-0.0", math.Copysign(0, -1)}, {"1e3", 1000.0}, {"1E-2", 0.01}, {"1.5e+1", 15.0}, {"0e0", 0.0}, {"1e999", math.Inf(1)},
		{`""`, ""}, {`"a\/b\"\\\b\f\n\r\t"`, "a/b\"\\\b\f\n\r\t"}, {`"\u00E9\u0000x"`, "é\x00x"}, {`"\ud83d\uDE00"`, "😀"}, {`"é` + "\x7f" + `"`, "é\x7f"}, {`"\ufffd"`, "\ufffd"},
		{"[]", php.List()}, {"{}", php.List()}, {"[1,[2],{}]", php.List(int64(1), php.List(int64(2)), php.List())},
		{`{"a":1,"":2,"5":3,"05":4}`, dict("a", int64(1), "", int64(2), "5", int64(3), "05", int64(4))},
		{`{"a":1,"b":2,"a":3}`, dict("a", int64(3), "b", int64(2))},
		{`{"0":"x","1":"y"}`, php.List("x", "y")},
		{`{"\u0000a":1}`, dict("\x00a", int64(1))},
	}
	for _, test := range tests {
		got, err := Decode([]byte(test.in))
		if err != nil {
			t.Errorf("%s: %v", test.in, err)
			continue
		}
		if !php.Identical(got, test.want) {
			t.Errorf("%s: got %#v, want %#v", test.in, got, test.want)
		}
		if f, ok := test.want.(float64); ok && math.Signbit(f) != math.Signbit(got.(float64)) {
			t.Errorf("%s: wrong sign", test.in)
		}
	}
}

func TestDecodeErrors(t *testing.T) {
	tests := []struct {
		in   string
		code int
	}{
		{"", 4}, {" ", 4}, {"{bad", 4}, {`{"a":1,}`, 4}, {"ab", 4}, {"\xef\xbb\xbf{}", 4}, {"[1,]", 4}, {"[,1]", 4}, {"[1 2]", 4}, {"1 2", 4}, {"[1", 4}, {"{", 4}, {"[", 4},
		{`{"a"`, 4}, {`{"a":`, 4}, {`{"a" 1}`, 4}, {`{1:2}`, 4}, {`{"a":1 "b":2}`, 4}, {`{"a":1,2}`, 4}, {"'a'", 4}, {"// x\n1", 4}, {"[1]x", 4}, {"]", 4}, {"}", 4}, {":", 4}, {",", 4},
		{"True", 4}, {"NULL", 4}, {"nul", 4}, {"nullx", 4}, {"NaN", 4}, {"Infinity", 4},
		{"01", 4}, {"-", 4}, {"+1", 4}, {".5", 4}, {"5.", 4}, {"1e", 4}, {"1e+", 4}, {"-a", 4}, {"0x10", 4}, {"1.e5", 4}, {"--1", 4},
		{`"\x"`, 4}, {`"\u12"`, 4}, {`"\u12g4"`, 4}, {`"\`, 4}, {`"\u`, 4}, {"\x7f", 4}, {"é", 4},
		{"{]", 2}, {"[}", 2}, {"[1}", 2}, {`{"a":1]`, 2}, {"[[1}", 2}, {`{"a"]`, 4}, {`{"a":]`, 4}, {"[1,}", 4}, {`{"a":1,]`, 4},
		{`"x`, 3}, {"\"a\nb\"", 3}, {"\"a\x00b\"", 3}, {"\x00", 3}, {"1\x00", 3}, {"[1,\x01", 3}, {`[1 "x`, 3}, {`{"a`, 3}, {"\v", 3},
		{"\"\xff\"", 5}, {"\"\xed\xa0\x80\"", 5}, {"\"\xe2\x82", 5}, {"\xff", 5}, {"[1]\xff", 5}, {`{"a":1,` + "\xc0}", 5},
		{`"\ud800"`, 10}, {`"\udc00"`, 10}, {`"\ud800\ud800"`, 10}, {`"\ud800x"`, 10}, {`"\ud800\n"`, 10}, {`"\ud800\u12"`, 10}, {`{"\udfff":1}`, 10},
		{strings.Repeat("[", 512) + strings.Repeat("]", 512), 1}, {strings.Repeat(`{"a":`, 512), 1}, {strings.Repeat("[", 1<<20), 1},
		{strings.Repeat("[", 511), 4},
	}
	for _, test := range tests {
		v, err := Decode([]byte(test.in))
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || syntax.Code != test.code || syntax.Message == "" {
			t.Errorf("%.40q: got %#v, %v, want error %d", test.in, v, err, test.code)
		}
	}
	if _, err := Decode([]byte(strings.Repeat("[", 511) + strings.Repeat("]", 511))); err != nil {
		t.Errorf("511 levels: %v", err)
	}
}

func TestReparse(t *testing.T) {
	for _, text := range []string{"{}", "[]", `{"0":"a"}`, `{"0":{},"1":[]}`, `{"1":"a"}`, `["a",{"b":[]}]`, `"x\/y"`, "1.5", `{"a":{"0":1}}`, "-0", "[10000000000000000,1.0e+17]"} {
		v, err := Reparse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(Append(nil, v)); got != text {
			t.Errorf("%s came back as %s", text, got)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5,"x",null,true],"b":{}}`, `"\ud83d\ude00"`, "[[[[", `{"a":1,"a":2}`, "-0.0e+1", "{]", "\"\xff\"", `"\ud800"`, "9223372036854775808"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		v, err := Decode(body)
		if err != nil {
			// Go lets pass what PHP refuses: lone surrogates, bad UTF-8, depth.
			var syntax *SyntaxError
			if !errors.As(err, &syntax) {
				t.Fatal(err)
			}
			if json.Valid(body) && (syntax.Code == errSyntax || syntax.Code == errMismatch || syntax.Code == errControl) {
				t.Fatalf("%q is valid: %v", body, err)
			}
			return
		}
		if !json.Valid(body) {
			t.Fatalf("%q is not valid", body)
		}
		once := Append(nil, v)
		again, err := Reparse(once)
		if err != nil {
			t.Fatalf("%q: %v", once, err)
		}
		if twice := Append(nil, again); string(twice) != string(once) {
			t.Fatalf("%q, then %q", once, twice)
		}
		if !json.Valid(Indent(nil, Append(nil, v))) {
			t.Fatalf("%q: bad pretty form", body)
		}
	})
}

// FuzzDecodeWithin: limits change no value. They refuse what is beyond them, and nothing
// else.
func FuzzDecodeWithin(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5,"x",null,true],"b":{}}`, `[[],[],[]]`, `[[[[]]]]`, `{"a":1,"a":2,"a":3}`, `[1,2,3,4`, `[1,2}`, `"x"`, `[[[[`, "[1,\"\xff\"]"} {
		f.Add(s, uint8(3), uint8(2))
		f.Add(s, uint8(0), uint8(0))
		f.Add(s, uint8(255), uint8(255))
	}
	f.Fuzz(func(t *testing.T, text string, values, depth uint8) {
		v, err := DecodeWithin(text, Limits{Values: int(values), Depth: int(depth)})
		want, wantErr := Decode([]byte(text))
		var syntax *SyntaxError
		switch {
		case err == nil:
			if wantErr != nil || !php.Identical(v, want) {
				t.Fatalf("%q: %#v, without limits %#v, %v", text, v, want, wantErr)
			}
			if n, deep := measure(v); values > 0 && n > int(values) || depth > 0 && deep > int(depth) {
				t.Fatalf("%q: %d values, %d levels, with at most %d and %d", text, n, deep, values, depth)
			}
		case errors.Is(err, ErrTooMany):
			if most := strings.Count(text, ",") + strings.Count(text, "[") + strings.Count(text, "{"); values == 0 || most <= int(values) {
				t.Fatalf("%q has at most %d values, not more than %d", text, most, values)
			}
		case !errors.As(err, &syntax):
			t.Fatalf("%q: %v", text, err)
		case syntax.Code == errDepth && depth > 0:
			if strings.Count(text, "[")+strings.Count(text, "{") <= int(depth) {
				t.Fatalf("%q has not more than %d levels", text, depth)
			}
		case wantErr == nil || wantErr.Error() != err.Error():
			t.Fatalf("%q: %v, without limits %v", text, err, wantErr)
		}
	})
}

// measure counts the entries of all lists in v, and how deep these are in each other.
func measure(v php.Value) (values, depth int) {
	a, ok := v.(*php.Array)
	if !ok {
		return 0, 0
	}
	for _, item := range a.All() {
		n, deep := measure(item)
		values, depth = values+n+1, max(depth, deep)
	}
	return values, depth + 1
}
