package compat

import (
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
