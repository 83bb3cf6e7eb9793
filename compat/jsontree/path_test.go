package jsontree

import (
	"testing"
)

func FuzzJSONPath(f *testing.F) {
	for _, seed := range []string{"$", "$.a[0].b", `$["a b"]['c"\'']`, "$[*].*", "$.a[n]", "$..", "$[", `$["`, `$["\`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		path, err := ParsePath(text)
		if err != nil {
			return
		}
		for _, step := range path {
			if step.any {
				return
			}
		}
		if !path.Matches(path) {
			t.Errorf("%q does not match itself", text)
		}
	})
}

func TestDeepPaths(t *testing.T) {
	for pattern, want := range map[string]map[string]bool{
		"$..id":         {"$.id": true, "$.a[0].id": true, "$.a.b": false, "$": false, "$.id.x": false},
		"$..a..b":       {"$.a.b": true, "$.a.x.b": true, "$.x.a[1].c.b": true, "$.b.a": false},
		"$.a..*":        {"$.a.b": true, "$.a[0]": true, "$.a": false, "$.b.c": false},
		"$..[0]":        {"$[0]": true, "$.a[0]": true, "$.a[1]": false},
		"$.a[*]..id":    {"$.a[0].id": true, "$.a[0].x.id": true, "$.a.id": false},
		"$..a[*].b":     {"$.a[3].b": true, "$.a.b": false, "$.x[0].a[1].b": true},
		"$..[\"a b\"]":  {"$[\"a b\"]": true, "$.x[\"a b\"]": true},
		"$..venue..url": {"$.events[0].venue.image.url": true, "$.events[0].url": false},
	} {
		p, err := ParsePath(pattern)
		if err != nil {
			t.Fatalf("%s: %v", pattern, err)
		}
		if again, err := ParsePath(p.String()); err != nil || again.String() != p.String() {
			t.Errorf("%s is written as %s, error %v", pattern, p, err)
		}
		for text, matches := range want {
			path, err := ParsePath(text)
			if err != nil {
				t.Fatal(err)
			}
			if p.Matches(path) != matches {
				t.Errorf("%s matches %s: %v", pattern, text, !matches)
			}
		}
	}
}

func TestParsePath(t *testing.T) {
	for text, want := range map[string]string{
		`$`: "$", `$.a[0].b`: "$.a[0].b", `$["a b"]['c"\'']`: `$["a b"]["c\"'"]`, "$[*].*": "$[*].*", "$.a[n]": "$.a[*]", `$[""]`: `$[""]`, `$["*"]`: `$["*"]`, "$.č\n": `$["č\n"]`, "$..*": "$..*",
	} {
		if path, err := ParsePath(text); err != nil || path.String() != want {
			t.Errorf("%s: %s, %v", text, path, err)
		}
	}
	for _, bad := range []string{"", "a", "$a", "$.", "$..", "$.[0]", "$[", "$[]", "$[x]", "$[-1]", `$["`, `$["a"`, `$["\`, "$...a", "$[99999999999999999999]"} {
		if path, err := ParsePath(bad); err == nil {
			t.Errorf("%s is read as %s", bad, path)
		}
	}
}

func TestEndsWith(t *testing.T) {
	path, err := ParsePath("$.venue[0].json_ld.email")
	if err != nil {
		t.Fatal(err)
	}
	if !path.EndsWith("json_ld", "email") || path.EndsWith("venue", "json_ld", "email") || path.EndsWith("a", "venue", "0", "json_ld", "email") || !path.EndsWith() {
		t.Errorf("%s", path)
	}
}
