package phpjson

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"calbridge/wpstore/php"
)

func dict(pairs ...php.Value) *php.Array {
	a := &php.Array{}
	for i := 0; i < len(pairs); i += 2 {
		a.SetString(pairs[i].(string), pairs[i+1])
	}
	return a
}

func TestAppendString(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", ""},
		{"plain text 0-9 <b>&'</b> ~\x7f", "plain text 0-9 <b>&'<\\/b> ~\x7f"},
		{`a"b\c/d`, `a\"b\\c\/d`},
		{"\b\f\n\r\t", `\b\f\n\r\t`},
		{"\x00\x01\x0b\x1f", `\u0000\u0001\u000b\u001f`},
		{"Příliš", `P\u0159\u00edli\u0161`},
		{"é😀\u2028", `\u00e9\ud83d\ude00\u2028`},
		{"\U00010000\U0010ffff", `\ud800\udc00\udbff\udfff`},
		{"\ufffd\uffff", `\ufffd\uffff`},
		// Each invalid sequence is one question mark.
		{"a\xffb", "a?b"},
		{"\x80\xbf", "??"},
		{"\xc3", "?"},
		{"\xc3(", "?("},
		{"\xc0\xaf", "??"},
		{"\xe2\x82", "?"},
		{"\xe2\x82x", "?x"},
		{"\xe2x", "?x"},
		{"\xe0\x80\x80", "???"},
		{"\xed\xa0\x80", "???"},
		{"\xf0\x9f\x98", "?"},
		{"\xf0\x9f\x98\"", `?\"`},
		{"\xf0\x9fx", "?x"},
		{"\xf0\x80\x80\x80", "????"},
		{"\xf4\x90\x80\x80", "????"},
		{"\xf5\x80", "??"},
		{"\xe2\x82\xe2\x82\xac", `?\u20ac`},
	}
	for _, test := range tests {
		if got := string(AppendString([]byte("x"), test.in)); got != `x"`+test.want+`"` {
			t.Errorf("%q: got %s, want %s", test.in, got, test.want)
		}
	}
}

func TestAppend(t *testing.T) {
	gap := php.List("a", "b")
	gap.Delete(php.IntKey(0))
	hidden := &php.Array{}
	hidden.Set(php.Key{Str: "\x00*\x00p"}, "secret")
	hidden.Set(php.Key{Str: "7"}, true)
	tests := []struct {
		name string
		in   php.Value
		want string
	}{
		{"null", nil, "null"}, {"true", true, "true"}, {"false", false, "false"},
		{"int", int64(-42), "-42"}, {"int max", int64(math.MaxInt64), "9223372036854775807"},
		{"empty array", php.List(), "[]"}, {"nil array", (*php.Array)(nil), "[]"},
		{"list", php.List("a", int64(1), nil), `["a",1,null]`},
		{"map", dict("b", int64(1), "a/b", php.List()), `{"b":1,"a\/b":[]}`},
		{"integer keys", dict("5", "x", "-1", "y"), `{"5":"x","-1":"y"}`},
		{"list with a gap", gap, `{"1":"b"}`},
		{"empty key", dict("", int64(1)), `{"":1}`},
		{"bad key", dict("\xff", int64(1)), `{"?":1}`},
		{"empty object", &php.Object{}, "{}"},
		{"object", &php.Object{Props: dict("0", "a")}, `{"0":"a"}`},
		{"only public properties", &php.Object{Props: hidden}, `{"7":true}`},
		{"unread object", &php.Object{Raw: `E:3:"E:A";`}, "{}"},
		{"nil object", (*php.Object)(nil), "null"},
		{"foreign type", struct{}{}, "null"},
		{"nested", dict("l", php.List(dict("x", php.List(php.List())))), `{"l":[{"x":[[]]}]}`},
		{"whole float", 10.0, "10"}, {"tenth", 0.1, "0.1"}, {"negative zero", math.Copysign(0, -1), "-0"},
		{"large", 1e25, "1.0e+25"}, {"small", 1.5e-7, "1.5e-7"}, {"last fixed", 1e16, "10000000000000000"}, {"first exponent", 1e17, "1.0e+17"},
		{"nan", math.NaN(), "0"}, {"infinity", math.Inf(1), "0"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := string(Append(nil, test.in)); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestAppendStopsAtDepth(t *testing.T) {
	v := php.List()
	for range 600 {
		v = php.List(v)
	}
	got := string(Append(nil, v))
	if want := strings.Repeat("[", 512) + "null" + strings.Repeat("]", 512); got != want {
		t.Errorf("got %d bytes", len(got))
	}
}

func TestIndent(t *testing.T) {
	v := dict("a", int64(1), "empty", php.List(), "object", &php.Object{}, "s", `{"[:,]\"`+"\\", "list", php.List(php.List("x"), true))
	want := `{
    "a": 1,
    "empty": [],
    "object": {},
    "s": "{\"[:,]\\\"\\",
    "list": [
        [
            "x"
        ],
        true
    ]
}`
	if got := string(Indent([]byte("x"), Append(nil, v))); got != "x"+want {
		t.Errorf("got %s", got)
	}
	for _, plain := range []string{"null", `"a:b"`, "5", "[]", "{}"} {
		if got := string(Indent(nil, []byte(plain))); got != plain {
			t.Errorf("%s became %s", plain, got)
		}
	}
	for _, broken := range []string{`}]`, `"abc\`, `"`, `{`, `[[`, `{"a"`, ``} {
		Indent(nil, []byte(broken)) // must only not fail
	}
}

func TestWriter(t *testing.T) {
	var w Writer
	for range 2 { // the second time into used memory
		w.Reset(w.Bytes())
		w.BeginObject()
		w.KeyString("a/b", "é")
		w.KeyInt("n", -3)
		w.Key("list")
		w.BeginList()
		w.Int(1)
		w.BeginList()
		w.EndList()
		w.BeginObject()
		w.EndObject()
		w.String("x")
		w.Value(0.5)
		w.Bool(false)
		w.Null()
		w.Raw([]byte(`{"r":1}`))
		w.Value(php.List("v"))
		w.EndList()
		w.KeyBool("b", true)
		w.KeyNull("z")
		w.Key("raw")
		w.Raw([]byte("[]"))
		w.KeyValue("v", dict("k", nil))
		w.EndObject()
		want := `{"a\/b":"\u00e9","n":-3,"list":[1,[],{},"x",0.5,false,null,{"r":1},["v"]],"b":true,"z":null,"raw":[],"v":{"k":null}}`
		if string(w.Bytes()) != want || w.Len() != len(want) {
			t.Fatalf("got %s", w.Bytes())
		}
	}
}

func FuzzAppendString(f *testing.F) {
	for _, s := range []string{"", "Příliš", "\xe2\x82", "\xf0\x9f\x98\x80", "a/b\"\\\x00\x7f", "\xed\xa0\x80\xf4\x90"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := AppendString(nil, s)
		for _, c := range out {
			if c < ' ' || c > 0x7f {
				t.Fatalf("%q gives %q", s, out)
			}
		}
		var back string
		if err := json.Unmarshal(out, &back); err != nil {
			t.Fatal(err)
		}
		if utf8.ValidString(s) && back != s {
			t.Fatalf("%q came back as %q", s, back)
		}
		if v, err := Decode(out); err != nil || v != php.Value(back) {
			t.Fatalf("%s: %v, %v", out, v, err)
		}
	})
}

var sink []byte

func BenchmarkAppendString(b *testing.B) {
	for name, text := range map[string]string{
		"ascii": strings.Repeat("An evening of chamber music in the old town hall. ", 20),
		"html":  strings.Repeat(`<p class="lead">A short <a href="https://example.org/a/b">link</a></p>`+"\n", 15),
		"czech": strings.Repeat("Příliš žluťoučký kůň úpěl ďábelské ódy. ", 20),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			buf := make([]byte, 0, 8*len(text))
			for b.Loop() {
				sink = AppendString(buf[:0], text)
			}
		})
	}
}

func BenchmarkWriter(b *testing.B) {
	b.ReportAllocs()
	var w Writer
	buf := make([]byte, 0, 1<<16)
	for b.Loop() {
		w.Reset(buf)
		w.BeginList()
		for i := range int64(50) {
			w.BeginObject()
			w.KeyInt("id", i)
			w.KeyString("title", "Koncert v kostele sv. Mikuláše")
			w.KeyString("url", "https://example.org/event/koncert/")
			w.KeyBool("all_day", false)
			w.Key("tags")
			w.BeginList()
			w.String("hudba")
			w.EndList()
			w.EndObject()
		}
		w.EndList()
	}
	b.SetBytes(int64(w.Len()))
}
