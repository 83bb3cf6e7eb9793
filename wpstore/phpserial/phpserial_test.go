package phpserial

import (
	"errors"
	"math"
	"strings"
	"testing"

	"calbridge/wpstore/php"
)

// dict builds an array from alternating names and values.
func dict(pairs ...php.Value) *php.Array {
	a := &php.Array{}
	for i := 0; i < len(pairs); i += 2 {
		a.SetString(pairs[i].(string), pairs[i+1])
	}
	return a
}

func properties(pairs ...php.Value) *php.Array {
	a := &php.Array{}
	for i := 0; i < len(pairs); i += 2 {
		a.Set(php.Key{Str: pairs[i].(string)}, pairs[i+1])
	}
	return a
}

func TestBothWays(t *testing.T) {
	empty := &php.Object{Class: "stdClass"}
	tests := []struct {
		name  string
		value php.Value
		text  string
	}{
		{"null", nil, "N;"},
		{"true", true, "b:1;"},
		{"false", false, "b:0;"},
		{"int", int64(-5), "i:-5;"},
		{"int max", int64(math.MaxInt64), "i:9223372036854775807;"},
		{"int min", int64(math.MinInt64), "i:-9223372036854775808;"},
		{"float", 1.5, "d:1.5;"},
		{"whole float", 10.0, "d:10;"},
		{"negative zero", math.Copysign(0, -1), "d:-0;"},
		{"large float", 1e25, "d:1.0E+25;"},
		{"small float", 1.5e-7, "d:1.5E-7;"},
		{"tenth", 0.1, "d:0.1;"},
		{"infinity", math.Inf(1), "d:INF;"},
		{"minus infinity", math.Inf(-1), "d:-INF;"},
		{"empty string", "", `s:0:"";`},
		{"bytes, not letters", "é", `s:2:"é";`},
		{"quotes", `a"b`, `s:3:"a"b";`},
		{"text like the format", `";i:1;}`, `s:7:"";i:1;}";`},
		{"invalid UTF-8", "\xff\x00", "s:2:\"\xff\x00\";"},
		{"empty array", php.List(), "a:0:{}"},
		{"list", php.List(int64(1), int64(2)), "a:2:{i:0;i:1;i:1;i:2;}"},
		{"nested", dict("x", dict("y", nil)), `a:1:{s:1:"x";a:1:{s:1:"y";N;}}`},
		{"key kinds", dict("5", "a", "05", "b", "-1", "c", "", "d"), `a:4:{i:5;s:1:"a";s:2:"05";s:1:"b";i:-1;s:1:"c";s:0:"";s:1:"d";}`},
		{"object", &php.Object{Class: "stdClass", Props: dict("p", int64(1))}, `O:8:"stdClass":1:{s:1:"p";i:1;}`},
		{"hidden properties", &php.Object{Class: "T", Props: dict("a", int64(1), "\x00*\x00b", int64(2), "\x00T\x00c", int64(3))},
			"O:1:\"T\":3:{s:1:\"a\";i:1;s:4:\"\x00*\x00b\";i:2;s:4:\"\x00T\x00c\";i:3;}"},
		{"numeric property", &php.Object{Class: "stdClass", Props: properties("7", true)}, `O:8:"stdClass":1:{s:1:"7";b:1;}`},
		{"same object twice", php.List(empty, empty), `a:2:{i:0;O:8:"stdClass":0:{}i:1;r:2;}`},
		{"objects that refer to an earlier one", php.List(php.List(empty), "x", empty, empty), `a:4:{i:0;a:1:{i:0;O:8:"stdClass":0:{}}i:1;s:1:"x";i:2;r:3;i:3;r:3;}`},
		{"enum case", &php.Object{Class: "E", Raw: `E:3:"E:A";`}, `E:3:"E:A";`},
		{"own format", php.List(&php.Object{Class: "C", Raw: `C:1:"C":5:{a";}x}`}, int64(1)), `a:2:{i:0;C:1:"C":5:{a";}x}i:1;i:1;}`},
		{"namespaced class", &php.Object{Class: `A\B`, Props: dict()}, `O:3:"A\B":0:{}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Serialize(test.value); got != test.text {
				t.Errorf("serialized %s, want %s", got, test.text)
			}
			v, err := Unserialize(test.text)
			if err != nil {
				t.Fatal(err)
			}
			if got := Serialize(v); got != test.text {
				t.Errorf("there and back %s, want %s", got, test.text)
			}
		})
	}
}

func TestUnserializeLeniently(t *testing.T) {
	tests := []struct {
		text, same string // same is another text with the same value
	}{
		{"i:+5;", "i:5;"},
		{"i:007;", "i:7;"},
		{"i:99999999999999999999;", "i:9223372036854775807;"},
		{"i:-99999999999999999999;", "i:-9223372036854775808;"},
		{"d:1;", "d:1;"},
		{"d:1.0E+25;", "d:1.0E+25;"},
		{"d:.5;", "d:0.5;"},
		{"d:5.;", "d:5;"},
		{"d:0.10000000000000001;", "d:0.1;"},
		{"d:NAN;", "d:NAN;"},
		{"i:1; \n", "i:1;"},
		{`a:2:{s:1:"5";i:1;i:5;i:2;}`, "a:1:{i:5;i:2;}"},
		{`a:2:{s:1:"k";i:1;s:1:"k";i:2;}`, `a:1:{s:1:"k";i:2;}`},
		{`O:8:"stdClass":1:{i:7;i:1;}`, `O:8:"stdClass":1:{s:1:"7";i:1;}`},
		// References to plain values are copies.
		{`a:2:{i:0;i:1;s:4:"self";R:2;}`, `a:2:{i:0;i:1;s:4:"self";i:1;}`},
		{`a:2:{i:0;a:1:{i:0;s:1:"x";}i:1;R:2;}`, `a:2:{i:0;a:1:{i:0;s:1:"x";}i:1;a:1:{i:0;s:1:"x";}}`},
		// R takes no number of its own, r does.
		{`a:3:{i:0;s:1:"x";i:1;R:2;i:2;R:2;}`, `a:3:{i:0;s:1:"x";i:1;s:1:"x";i:2;s:1:"x";}`},
		{`a:4:{i:0;s:1:"x";i:1;R:2;i:2;s:1:"y";i:3;R:3;}`, `a:4:{i:0;s:1:"x";i:1;s:1:"x";i:2;s:1:"y";i:3;s:1:"y";}`},
		{`a:4:{i:0;O:1:"A":0:{}i:1;r:2;i:2;s:1:"y";i:3;R:4;}`, `a:4:{i:0;O:1:"A":0:{}i:1;r:2;i:2;s:1:"y";i:3;s:1:"y";}`},
	}
	for _, test := range tests {
		v, err := Unserialize(test.text)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if got := Serialize(v); got != test.same {
			t.Errorf("%s is %s, want %s", test.text, got, test.same)
		}
	}
}

func TestUnserializeRefuses(t *testing.T) {
	for _, s := range []string{
		"", ";", "N", "x", "N:", "n;", "i", "i:", "i:;", "i:5", "i:a;", "i:5.0;", "i:--5;", "i:+-5;", "i: 5;", "i:5 ;", "i:5;x", "i:5;i:6;",
		"b:2;", "b:;", "b:true;", "d:;", "d:x;", "d:1e;", "d:inf;", "d:0x1;", "d: 1;", "d:1 ;", "d:.;",
		`s:1:"";`, `s:0:"a";`, `s:1:"a"`, `s:1:"a`, `s:a:"a";`, `s:-1:"a";`, `s:1:a;`, `s:99999999999999999999:"a";`, `s:9:"a";`, `s:1:'a';`, `s::"";`,
		"a:1:{}", "a:0:{", "a:0:}", "a:0{}", "a:1:{i:0;}", "a:1:{N;N;}", "a:1:{d:1;N;}", "a:1:{b:1;N;}", "a:1:{a:0:{}N;}", "a:2:{i:0;N;}", "a:0:{i:0;N;}", "a:-1:{}", "a:1000000000:{}",
		`O:8:"stdClass":1:{}`, `O:0:"":0:{}`, `O:1:"1":0:{}`, `O:1:"\":0:{}`, `O:3:"a b":0:{}`, `O:1:"A";`, `O:1:"A":0:{`, `O:2:"A":0:{}`,
		`C:1:"A":2:{a}`, `C:1:"A":1:{a`, `C:1:"A":1:a}`, `E:3:"E:A"`, `E:2:"EA";`, `E:2:"E:";`, `S:1:"a";`,
		"r:1;", "R:1;", "R:0;", "a:1:{i:0;R:3;}", "a:1:{i:0;R:-1;}", "a:1:{i:0;R;;}", "a:1:{i:0;R:1;}", "a:1:{i:0;r:1;}", `O:1:"A":1:{s:1:"a";r:1;}`, "a:1:{i:0;r:2;}",
		"a:1:{r:1;N;}", "\xff", "\x00\x00\x00",
	} {
		if v, err := Unserialize(s); err == nil {
			t.Errorf("%q gives %s, want an error", s, Serialize(v))
		}
	}
}

func TestUnserializeIsBounded(t *testing.T) {
	nested := func(depth int) string {
		return strings.Repeat("a:1:{i:0;", depth) + "N;" + strings.Repeat("}", depth)
	}
	if _, err := Unserialize(nested(MaxDepth)); err != nil {
		t.Errorf("depth %d: %v", MaxDepth, err)
	}
	if _, err := Unserialize(nested(MaxDepth + 1)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("depth %d: %v", MaxDepth+1, err)
	}
	if _, err := Unserialize(nested(1 << 20)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("very deep: %v", err)
	}
	// Each element refers twice to the one before it.
	var laughs strings.Builder
	laughs.WriteString("a:50:{i:0;a:2:{i:0;N;i:1;N;}")
	for i, number := 1, 2; i < 50; i++ {
		laughs.WriteString("i:" + php.ToString(int64(i)) + ";a:2:{i:0;R:" + php.ToString(int64(number)) + ";i:1;R:" + php.ToString(int64(number)) + ";}")
		if i == 1 {
			number += 3
		} else {
			number++
		}
	}
	laughs.WriteString("}")
	if _, err := Unserialize(laughs.String()); !errors.Is(err, ErrTooLarge) {
		t.Errorf("references to references: %v", err)
	}
	if _, err := Unserialize(strings.Repeat(" ", MaxLength+1)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("length: %v", err)
	}
}

func TestSerializeForeignValues(t *testing.T) {
	loop := php.List()
	loop.Append(loop)
	if s := Serialize(loop); !strings.Contains(s, "N;") {
		t.Error("an array in itself must end in null")
	}
	self := &php.Object{Class: "A", Props: &php.Array{}}
	self.Props.SetString("me", self)
	if got := Serialize(self); got != `O:1:"A":1:{s:2:"me";r:1;}` {
		t.Errorf("object in itself: %s", got)
	}
	for _, v := range []php.Value{struct{}{}, (*php.Object)(nil), []byte("x")} {
		if got := Serialize(v); got != "N;" {
			t.Errorf("%#v gives %s", v, got)
		}
	}
	if got := Serialize((*php.Array)(nil)); got != "a:0:{}" {
		t.Errorf("nil array gives %s", got)
	}
}

func TestLooksSerialized(t *testing.T) {
	yes := []string{"N;", "i:5;", " a:0:{} ", "\x00\tN;\n", "b:1;", "b:9;", "d:1.5E+3;", "d:-.;", `s:1:"a";`, `s:9:"a";`, `s:1:"a"}`, "a:1:{x}", "a:1:;", `O:1:"A":0:{}`, `E:3:"E:A";`}
	for _, s := range yes {
		if !LooksSerialized(s) {
			t.Errorf("%q looks serialized", s)
		}
	}
	no := []string{"", "N", "N;;", "n;", `s:1:"a"`, "s:1:a;", `s::"a";`, `s:a:"";`, "i:;", "i:5", "i:5}", "i:5x;", "d:1e3;", "b:true;", "a:{}", "a:x:{}", "a:1{}", "a0:{}", "x:1;", `C:1:"A":0:{}`, "r:1;", "R:1;", "hello", "a: 1:{}"}
	for _, s := range no {
		if LooksSerialized(s) {
			t.Errorf("%q does not look serialized", s)
		}
	}
}

func TestMaybe(t *testing.T) {
	tests := []struct {
		stored string
		want   php.Value
	}{
		{"", ""}, {"5", "5"}, {" text ", " text "}, {"i:5;", int64(5)}, {" i:5; ", int64(5)}, {"N;", nil}, {"b:0;", false}, {`s:5:"N;N;;";`, "N;N;;"},
		{`s:9:"a";`, false}, {"a:1:{x}", false}, {"d:-.;", false}, {"a:0:{}", php.List()}, {`a:1:{i:0;s:1:"x";}`, php.List("x")},
	}
	for _, test := range tests {
		if got := Maybe(test.stored); !php.Identical(got, test.want) {
			t.Errorf("Maybe(%q) = %#v, want %#v", test.stored, got, test.want)
		}
	}
}

func FuzzUnserialize(f *testing.F) {
	for _, s := range []string{
		"N;", "b:1;", "i:-5;", "d:1.0E+25;", `s:2:"é";`, `a:2:{i:0;i:1;s:4:"self";R:2;}`, `O:1:"T":1:{s:4:"` + "\x00*\x00b" + `";i:2;}`,
		`a:2:{i:0;O:8:"stdClass":0:{}i:1;r:2;}`, `C:1:"C":3:{abc}`, `E:3:"E:A";`, `a:3:{i:0;a:1:{i:0;N;}i:1;R:2;i:2;r:2;}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		LooksSerialized(s)
		v, err := Unserialize(s)
		if err != nil {
			return
		}
		first := Serialize(v)
		again, err := Unserialize(first)
		if err != nil {
			if errors.Is(err, ErrTooLarge) {
				return
			}
			t.Fatalf("%q gives %q, which cannot be read: %v", s, first, err)
		}
		if second := Serialize(again); second != first {
			t.Fatalf("%q gives %q, then %q", s, first, second)
		}
		Maybe(first)
	})
}

func BenchmarkUnserialize(b *testing.B) {
	a := &php.Array{}
	for i := range 200 {
		a.SetString("option_"+php.ToString(int64(i)), php.List("value", int64(i), true))
	}
	text := Serialize(a)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Unserialize(text); err != nil {
			b.Fatal(err)
		}
	}
}
