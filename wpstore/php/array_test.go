package php

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestKeyOf(t *testing.T) {
	ints := []string{"0", "5", "-1", "42", "9223372036854775807", "-9223372036854775808"}
	for _, s := range ints {
		k := KeyOf(s)
		if !k.IsInt || k.String() != s {
			t.Errorf("KeyOf(%q) = %+v, want an integer", s, k)
		}
	}
	texts := []string{"", "-", "-0", "00", "05", "+1", " 1", "1 ", "1.0", "1e3", "0x1", "9223372036854775808", "-9223372036854775809", "1_0", "123456789012345678901234567890"}
	for _, s := range texts {
		k := KeyOf(s)
		if k.IsInt || k.String() != s {
			t.Errorf("KeyOf(%q) = %+v, want a string", s, k)
		}
	}
}

// show prints an array's keys and values in order.
func show(a *Array) string {
	var b strings.Builder
	for k, v := range a.All() {
		b.WriteString(k.String() + "=" + ToString(v) + " ")
	}
	return strings.TrimSpace(b.String())
}

func TestArrayOrderAndNextKey(t *testing.T) {
	tests := []struct {
		name  string
		build func(a *Array)
		want  string
		list  bool
	}{
		{"empty", func(a *Array) {}, "", true},
		{"append", func(a *Array) { a.Append("x"); a.Append("y") }, "0=x 1=y", true},
		{"set keeps place", func(a *Array) {
			a.SetString("a", 1)
			a.SetString("b", 2)
			a.SetString("a", int64(3))
			a.SetString("b", int64(4))
		}, "a=3 b=4", false},
		{"append after strings", func(a *Array) { a.SetString("k", "v"); a.Append("x") }, "k=v 0=x", false},
		{"append after a gap", func(a *Array) { a.SetString("7", "v"); a.Append("x") }, "7=v 8=x", false},
		{"append after a negative key", func(a *Array) { a.SetString("-5", "v"); a.Append("x"); a.SetString("-1", "y"); a.Append("z") }, "-5=v -4=x -1=y 0=z", false},
		{"delete does not free numbers", func(a *Array) { a.Append("x"); a.Append("y"); a.Delete(IntKey(1)); a.Append("z") }, "0=x 2=z", false},
		{"delete the last", func(a *Array) { a.Append("x"); a.Append("y"); a.Delete(IntKey(1)) }, "0=x", true},
		{"delete the first", func(a *Array) { a.Append("x"); a.Append("y"); a.Delete(IntKey(0)) }, "1=y", false},
		{"delete what is not there", func(a *Array) { a.Append("x"); a.Delete(KeyOf("q")); a.Delete(IntKey(-1)) }, "0=x", true},
		{"list again after a detour", func(a *Array) { a.SetString("q", "v"); a.Delete(KeyOf("q")); a.Append("x") }, "0=x", true},
		{"wrong order is not a list", func(a *Array) { a.SetString("1", "b"); a.SetString("0", "a") }, "1=b 0=a", false},
		{"no room after the highest key", func(a *Array) { a.Set(IntKey(math.MaxInt64), "v"); a.Append("x") }, "9223372036854775807=v", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := &Array{}
			test.build(a)
			if got := show(a); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if a.IsList() != test.list {
				t.Errorf("IsList = %v", a.IsList())
			}
		})
	}
}

func TestArrayAppendReportsFullArray(t *testing.T) {
	a := &Array{}
	if !a.Append("x") {
		t.Error("append to an empty array failed")
	}
	a.Set(IntKey(math.MaxInt64), "v")
	if a.Append("y") || a.Len() != 2 {
		t.Error("append after the highest key must do nothing")
	}
}

func TestNilArrayReads(t *testing.T) {
	var a *Array
	if a.Len() != 0 || !a.IsList() || a.At("x") != nil || a.Clone() != nil || len(a.Values()) != 0 {
		t.Error("a nil array must read as an empty one")
	}
	a.Delete(IntKey(0))
	for range a.All() {
		t.Error("a nil array has no elements")
	}
}

// The look-up changes its method with size and kind of keys; the answers must not.
func TestArrayAgainstPlainMap(t *testing.T) {
	for _, shape := range []func(i int) Key{
		func(i int) Key { return IntKey(int64(i)) },
		func(i int) Key { return IntKey(int64(i * 3)) },
		func(i int) Key { return KeyOf("k" + strconv.Itoa(i)) },
	} {
		a, want := &Array{}, map[Key]int64{}
		for i := range 60 {
			k := shape(i)
			a.Set(k, int64(i))
			want[k] = int64(i)
			if i%7 == 3 {
				gone := shape(i / 2)
				a.Delete(gone)
				delete(want, gone)
			}
			if i%5 == 0 {
				a.Set(k, int64(-i))
				want[k] = int64(-i)
			}
			if a.Len() != len(want) {
				t.Fatalf("%d elements, want %d", a.Len(), len(want))
			}
			for k, v := range want {
				if got, ok := a.Get(k); !ok || got != v {
					t.Fatalf("after %d: %v = %v, want %v", i, k, got, v)
				}
			}
			if _, ok := a.Get(KeyOf("missing")); ok {
				t.Fatal("found what is not there")
			}
		}
	}
}

func TestDeleteWhileIterating(t *testing.T) {
	a := List("a", "b", "c")
	seen := 0
	for k := range a.All() {
		a.Delete(k)
		seen++
	}
	if seen != 3 || a.Len() != 0 {
		t.Errorf("saw %d elements, %d left", seen, a.Len())
	}
}

func TestCloneIsDeepForArrays(t *testing.T) {
	object := &Object{Class: "stdClass"}
	a := &Array{}
	a.SetString("inner", List("x"))
	a.SetString("object", object)
	for i := range 20 {
		a.SetString("k"+strconv.Itoa(i), int64(i))
	}
	b := a.Clone()
	b.At("inner").(*Array).Append("y")
	b.SetString("k3", "changed")
	if show(a.At("inner").(*Array)) != "0=x" || a.At("k3") != int64(3) {
		t.Error("changing the copy changed the original")
	}
	if b.At("object") != object {
		t.Error("objects are shared by copies")
	}
}

func TestIdentical(t *testing.T) {
	object := &Object{Class: "stdClass"}
	same := [][2]Value{{nil, nil}, {true, true}, {int64(1), int64(1)}, {"a", "a"}, {0.5, 0.5}, {List("a"), List("a")}, {List(), (*Array)(nil)}, {object, object}}
	for _, p := range same {
		if !Identical(p[0], p[1]) {
			t.Errorf("%v and %v must be identical", p[0], p[1])
		}
	}
	swapped := &Array{}
	swapped.SetString("1", "b")
	swapped.SetString("0", "a")
	other := [][2]Value{{nil, false}, {int64(1), "1"}, {int64(1), 1.0}, {1.0, int64(1)}, {"", nil}, {List("a"), List("b")}, {List("a"), List("a", "b")}, {List("a", "b"), swapped},
		{List(), nil}, {nil, List()}, {math.NaN(), math.NaN()}, {object, &Object{Class: "stdClass"}}, {object, nil}, {"x", object}}
	for _, p := range other {
		if Identical(p[0], p[1]) {
			t.Errorf("%v and %v must differ", p[0], p[1])
		}
	}
}

func TestPairs(t *testing.T) {
	a := Pairs("name", "Jazz", int64(7), true, "05", nil)
	if got := show(a); got != "name=Jazz 7=1 05=" {
		t.Errorf("%s", got)
	}
	if !Identical(Pairs(), List()) || Pairs("5", "x").IsList() || !Pairs("0", "x").IsList() {
		t.Error("keys of pairs are not PHP's")
	}
}

func TestInnerArrays(t *testing.T) {
	a := Pairs("list", List("a"), "text", "x")
	if a.Array("list").Len() != 1 || a.Array("text") != nil || a.Array("missing") != nil || (*Array)(nil).Array("x") != nil {
		t.Error("Array returns something else than the array under the name")
	}
	a.Sub("list").Append("b")
	a.Sub("text").Append("c")
	a.Sub("7").Append("d")
	if got := show(a.Array("list")) + "|" + show(a.Array("text")) + "|" + show(a.Array("7")); got != "0=a 1=b|0=c|0=d" {
		t.Error(got)
	}
	if got := show(a); got != "list=Array text=Array 7=Array" {
		t.Errorf("order of the keys: %s", got)
	}
}

func TestTexts(t *testing.T) {
	a := Pairs("cs", "Akce", "de", int64(1), "3", "Event")
	if got := a.Texts(); !slices.Equal(got, []string{"Akce", "Event"}) {
		t.Errorf("%q", got)
	}
	if got := a.TextMap(); !maps.Equal(got, map[string]string{"cs": "Akce", "3": "Event"}) {
		t.Errorf("%q", got)
	}
	if show(Strings("x", "y")) != "0=x 1=y" {
		t.Error("Strings is not a list")
	}
}
