package compat

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestParseJSON(t *testing.T) {
	root, err := parseJSON(" {\"b\":[1, {\"x\":null}],\"a\":\"\\u010d\\/\",\"b\":true} \n")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(root.names, ","); got != "b,a,b" {
		t.Errorf("names %s", got)
	}
	if got := root.member("a").text(); got != "č/" {
		t.Errorf("text %q", got)
	}
	if got := root.member("b").items[1].raw(); got != `{"x":null}` {
		t.Errorf("raw %q", got)
	}
	if root.member("none").member("x").text() != "" {
		t.Error("look-ups below nothing give nothing")
	}
	for _, bad := range []string{"", "{", "[1,]", `{"a"}`, `{"a":}`, `{a:1}`, "nul", "01", "-", `"x`, "\"\n\"", "[1]x", `"\u12"`, strings.Repeat("[", 5000)} {
		if _, err := parseJSON(bad); err == nil {
			t.Errorf("%q is accepted", cut(bad, 20))
		}
	}
}

func FuzzParseJSON(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.5e+3,"x\n",null,true]}`, `[[[]]]`, `"\ud83d\ude00"`, " 1 ", `{"":{}}`, "[1,", "\"\xff\""} {
		f.Add(seed)
	}
	rules, err := compileNoise([]string{"$.a", "$[0].id", "$.json_ld.email"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		root, err := parseJSON(text)
		if valid := json.Valid([]byte(text)); valid != (err == nil) {
			if !valid || !strings.Contains(err.Error(), "too deeply") {
				t.Fatalf("encoding/json says %v, we say %v", valid, err)
			}
		}
		if err != nil {
			return
		}
		if canonical := rules.canonical(root, nil); len(diffBody(text, text, rules, nil, LevelBytes)) > 0 && canonical != "" {
			t.Errorf("differs from itself")
		}
		diffBody(text, `{"a":1}`, rules, nil, LevelBytes)
		diffBody(`[{"id":1},[2]]`, text, rules, nil, LevelBytes)
	})
}
