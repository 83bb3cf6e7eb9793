package jsontree

import (
	"strings"
	"testing"

	"calbridge/compat/excerpt"
)

func TestParseJSON(t *testing.T) {
	root, err := Parse(" {\"b\":[1, {\"x\":null}],\"a\":\"\\u010d\\/\",\"b\":true} \n")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(root.Names, ","); got != "b,a,b" {
		t.Errorf("names %s", got)
	}
	if got := root.Member("a").Text(); got != "č/" {
		t.Errorf("text %q", got)
	}
	if got := root.Member("b").Items[1].Raw(); got != `{"x":null}` {
		t.Errorf("raw %q", got)
	}
	if root.Member("none").Member("x").Text() != "" {
		t.Error("look-ups below nothing give nothing")
	}
	for _, bad := range []string{"", "{", "[1,]", `{"a"}`, `{"a":}`, `{a:1}`, "nul", "01", "-", `"x`, "\"\n\"", "[1]x", `"\u12"`, strings.Repeat("[", 5000)} {
		if _, err := Parse(bad); err == nil {
			t.Errorf("%q is accepted", excerpt.Head(bad, 20))
		}
	}
}
