package jsontree

import (
	"encoding/json"
	"strings"
	"testing"
)

func parse(t *testing.T, text string) *Node {
	t.Helper()
	root, err := Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return root
}

func TestParseJSON(t *testing.T) {
	root := parse(t, " {\"b\":[1, {\"x\":null}],\"a\":\"\\u010d\\/\",\"b\":true} \n")
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
	for _, bad := range []string{"", "{", "[1,]", `{"a"}`, `{"a":}`, `{a:1}`, "nul", "01", "-", `"x`, "\"\n\"", "[1]x", `"\u12"`, strings.Repeat("[", 5000), strings.Repeat("[", 2000) + strings.Repeat("]", 2000)} {
		if _, err := Parse(bad); err == nil {
			t.Errorf("%.20q is accepted", bad)
		}
	}
}

func TestKinds(t *testing.T) {
	for text, want := range map[string]string{"{ }": "object", "[\n]": "list", `"\""`: "text", "-1.5e+3": "number", "7": "number", "true": "boolean", "false": "boolean", "null": "null"} {
		if root := parse(t, "\t"+text+" "); root.Kind.String() != want || root.Raw() != text {
			t.Errorf("%s: %s %q", text, root.Kind, root.Raw())
		}
	}
}

// The tree has every value of the document, as encoding/json reads them.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.5e+3,"x\n",null,true,false],"a\u0022":{}}`, `[[[ ]] , ""]`, `"\ud83d\ude00\\"`, " 1 "} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		root, err := Parse(text)
		if err != nil {
			return
		}
		root.Walk(func(n *Node) {
			if !json.Valid([]byte(n.Raw())) {
				t.Errorf("%q is not a value", n.Raw())
			}
			if n.Kind == Object && len(n.Names) != len(n.Items) || n.Kind != Object && n.Names != nil {
				t.Errorf("%q: %d names, %d items", n.Raw(), len(n.Names), len(n.Items))
			}
			switch count := 0; n.Kind {
			case Array:
				var items []json.RawMessage
				_ = json.Unmarshal([]byte(n.Raw()), &items)
				count = len(items)
				fallthrough
			case String, Number, Bool, Null:
				if len(n.Items) != count {
					t.Errorf("%q has %d items", n.Raw(), len(n.Items))
				}
			}
		})
	})
}

func TestUnwrapJSONP(t *testing.T) {
	for body, want := range map[string][3]string{
		`/**/show({"a":1})`: {"/**/show(", `{"a":1}`, ")"}, `{"a":1}`: {"", `{"a":1}`, ""}, `show({})`: {"", "show({})", ""}, `/**/)`: {"", "/**/)", ""},
	} {
		if before, middle, after := UnwrapJSONP(body); [3]string{before, middle, after} != want {
			t.Errorf("%s: %q %q %q", body, before, middle, after)
		}
	}
}
