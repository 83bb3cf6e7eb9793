package diff

import (
	"strings"
	"testing"
)

func diffsOf(t *testing.T, recorded, got string, rules ...string) []Difference {
	t.Helper()
	n, err := CompileNoise(rules)
	if err != nil {
		t.Fatal(err)
	}
	if n.body || recorded == got {
		return nil
	}
	return Bodies(recorded, got, n, LevelBytes, MaxDifferences, nil)
}

func TestNoise(t *testing.T) {
	list := func(items ...string) string { return `{"categories":[` + strings.Join(items, ",") + `]}` }
	const a, b, c = `{"id":1,"name":"a"}`, `{"id":2,"name":"b"}`, `{"id":3,"name":"c"}`
	for _, test := range []struct {
		name          string
		recorded, got string
		rules         []string
		want          string // the first difference, "" for none
	}{
		{"value", `{"a":{"t":1},"b":2}`, `{"a":{"t":9},"b":2}`, []string{"$.a.t"}, ""},
		{"value of another type", `{"a":1}`, `{"a":[1]}`, []string{"$.a"}, ""},
		{"only that value", `{"a":1,"b":2}`, `{"a":9,"b":3}`, []string{"$.a"}, "body $.b: recorded 2, got 3"},
		{"key must stay", `{"a":1,"b":2}`, `{"b":2}`, []string{"$.a"}, "body $.a: recorded 1, got (absent)"},
		{"key order counts", `{"a":1,"b":2}`, `{"b":2,"a":5}`, []string{"$.a"}, "body $: recorded members in the order a, b, got b, a"},
		{"spelling of the rest counts", `{"a":1,"b":"\/"}`, `{"a":2,"b":"/"}`, []string{"$.a"}, `body $.b: recorded "\/", got "/"`},
		{"white space of the rest counts", `{"a":1,"b":2}`, `{"a":2, "b":2}`, []string{"$.a"}, "body byte 5"},
		{"index", `[{"x":1},{"x":2}]`, `[{"x":1},{"x":3}]`, []string{"$[1].x"}, ""},
		{"other index", `[{"x":1},{"x":2}]`, `[{"x":5},{"x":3}]`, []string{"$[1].x"}, "body $[0].x: recorded 1, got 5"},
		{"every index", `[{"x":1},{"x":2}]`, `[{"x":5},{"x":3}]`, []string{"$[*].x"}, ""},
		{"quoted names", `{"a.b":{"c d":1}}`, `{"a.b":{"c d":2}}`, []string{`$["a.b"]['c d']`}, ""},
		{"whole body", `{"a":1}`, `nothing`, []string{"body"}, ""},
		{"rows are another matter", `{"a":1}`, `{"a":2}`, []string{"rows.wp_posts.inserted[0].post_name"}, "body $.a"},

		{"order", list(a, b, c), list(c, a, b), []string{"$.categories[0].id", "$.categories[0].name", "$.categories[1].id"}, ""},
		{"order, pretty", "[\n    " + a + ",\n    " + b + "\n]", "[\n    " + b + ",\n    " + a + "\n]", []string{"$[0].id"}, ""},
		{"order, item gone", list(a, b, c), list(c, a), []string{"$.categories[0].id"}, "body $.categories: recorded 3 items, got 2 items"},
		{"order, item changed", list(a, b), list(`{"id":2,"name":"x"}`, a), []string{"$.categories[0].id", "$.categories[1].name"}, `body $.categories[1].name: recorded "b", got "x"`},
		{"order, other item", list(a, b), list(c, a), []string{"$.categories[0].id"}, "body $.categories[1]: recorded " + b + ", got no such item"},
		{"order of another list counts", `{"x":[1,2],"categories":[]}`, `{"x":[2,1],"categories":[]}`, []string{"$.categories[0].id"}, "body $.x[0]: recorded 1, got 2"},
		{"order inside an envelope", `{"body":` + list(a, b) + `}`, `{"body":` + list(b, a) + `}`, []string{"$.body.categories[0].id"}, ""},

		{"obfuscated e-mail", `{"json_ld":{"email":"&#97;@x.cz"}}`, `{"json_ld":{"email":"a&#64;x.&#x63;z"}}`, []string{"$.json_ld.email"}, ""},
		{"obfuscated e-mail without a rule", `{"json_ld":{"organizer":{"email":"&#97;@x.cz"}}}`, `{"json_ld":{"organizer":{"email":"a@x.cz"}}}`, nil, ""},
		{"obfuscated e-mail in a list", `{"organizer":[{"json_ld":{"email":"&#97;@x.cz"}}]}`, `{"organizer":[{"json_ld":{"email":"a@x.cz"}}]}`, []string{"$.organizer[0].json_ld.email"}, ""},
		{"another e-mail", `{"json_ld":{"email":"&#97;@x.cz"}}`, `{"json_ld":{"email":"b@x.cz"}}`, []string{"$.json_ld.email"}, "body $.json_ld.email"},
		{"e-mail elsewhere counts", `{"email":"&#97;@x.cz"}`, `{"email":"a@x.cz"}`, nil, "body $.email"},
		{"JSONP", `/**/cb({"a":1,"b":2})`, `/**/cb({"a":3,"b":2})`, []string{"$.a"}, ""},
		{"JSONP of another name", `/**/cb({"a":1})`, `/**/dc({"a":3})`, []string{"$.a"}, "body byte 4"},
	} {
		t.Run(test.name, func(t *testing.T) {
			diffs := diffsOf(t, test.recorded, test.got, test.rules...)
			switch {
			case test.want == "" && len(diffs) > 0:
				t.Errorf("difference %v", diffs)
			case test.want != "" && len(diffs) == 0:
				t.Errorf("no difference, want %q", test.want)
			case test.want != "" && !strings.HasPrefix(diffs[0].String(), test.want):
				t.Errorf("difference %q, want %q", diffs[0], test.want)
			}
			if test.name != "whole body" {
				if same := diffsOf(t, test.recorded, test.recorded, test.rules...); len(same) > 0 {
					t.Errorf("a body differs from itself: %v", same)
				}
			}
		})
	}
}
func TestDecodeEmail(t *testing.T) {
	for _, c := range []struct{ a, b string }{
		{"info@example.org", "&#105;nfo&#64;ex&#97;mple.org"},
		{"nový@example.org", "nov&#195;&#189;&#64;example.org"},
		{"nov?&#189;@example.org", "nov&#195;?@example.org"},
	} {
		if a, b := decodeEmail(c.a), decodeEmail(c.b); a != b {
			t.Errorf("%q and %q differ: %q, %q", c.a, c.b, a, b)
		}
	}
	if decodeEmail("a@example.org") == decodeEmail("b@example.org") {
		t.Error("different addresses came out the same")
	}
}
