package compat

import (
	"strings"
	"testing"
)

func diffsOf(t *testing.T, recorded, got string, rules ...string) []Difference {
	t.Helper()
	n, err := compileNoise(rules)
	if err != nil {
		t.Fatal(err)
	}
	if n.body || recorded == got {
		return nil
	}
	return diffBody(recorded, got, n, nil, LevelBytes)
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

func TestNoiseOfHeaders(t *testing.T) {
	x := exchange("a", "GET", "/", `{}`)
	x.Noise = []string{"headers.X-WP-Nonce"}
	x.Response.Headers["x-wp-nonce"] = HeaderValues{"1"}
	got := Answer{Status: 200, Body: `{}`, Headers: map[string]HeaderValues{
		"content-type": x.Response.Headers["content-type"], "link": x.Response.Headers["link"], "vary": {"Origin"},
		"x-wp-nonce": {"2"}, "server": {"another"}, "content-length": {"2"}, "keep-alive": {"timeout=5"},
	}}
	if diffs, err := bytewise.diff(x, x.Response, got, false); err != nil || len(diffs) > 0 {
		t.Errorf("error %v, differences %v", err, diffs)
	}
	x.Noise = []string{"what is this"}
	if _, err := bytewise.diff(x, x.Response, got, false); err == nil {
		t.Error("a rule that is not understood must be an error")
	}
}

func TestHeadAndPages(t *testing.T) {
	head := exchange("a", "HEAD", "/", "")
	if diffs, _ := bytewise.diff(head, head.Response, Answer{Status: 200, Headers: head.Response.Headers, Body: "x"}, false); len(diffs) > 0 {
		t.Errorf("HEAD: %v", diffs)
	}
	page := exchange("a", "GET", "/", "<!DOCTYPE html>")
	page.Response.Headers["content-type"] = HeaderValues{"text/html; charset=UTF-8"}
	plain := map[string]HeaderValues{"content-type": {"text/html; charset=UTF-8"}, "x-other": {"1"}}
	if diffs, _ := bytewise.diff(page, page.Response, Answer{Status: 200, Headers: plain, Body: "<html>"}, false); len(diffs) > 0 {
		t.Errorf("page: %v", diffs)
	}
	plain["content-type"] = HeaderValues{"application/json"}
	if diffs, _ := bytewise.diff(page, page.Response, Answer{Status: 500, Headers: plain}, false); len(diffs) != 2 {
		t.Errorf("page of another type and status: %v", diffs)
	}
	if diffs, _ := bytewise.diff(page, page.Response, Answer{Status: 200, Headers: plain}, true); len(diffs) != 0 {
		t.Errorf("by status only: %v", diffs)
	}
}

func FuzzJSONPath(f *testing.F) {
	for _, seed := range []string{"$", "$.a[0].b", `$["a b"]['c"\'']`, "$[*].*", "$.a[n]", "$..", "$[", `$["`, `$["\`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		path, err := parseJSONPath(text)
		if err != nil {
			return
		}
		for _, step := range path {
			if step.any {
				return
			}
		}
		if !path.matches(path) {
			t.Errorf("%q does not match itself", text)
		}
	})
}

// TestEntityTags: what an entity tag says is its server's own business; that there is
// none any more is not.
func TestEntityTags(t *testing.T) {
	x := &Exchange{Request: Request{Method: "GET", Path: "/x"}, Response: Response{Status: 200, Body: `{}`, Headers: map[string]HeaderValues{"etag": {`"a"`}}}}
	for tag, want := range map[string]int{`"b-gzip"`: 0, "": 1} {
		got := Answer{Status: 200, Body: `{}`, Headers: map[string]HeaderValues{"content-encoding": {"gzip"}}}
		if tag != "" {
			got.Headers["etag"] = HeaderValues{tag}
		}
		diffs, err := bytewise.diff(x, x.Response, got, false)
		if err != nil || len(diffs) != want {
			t.Errorf("%q: %v %v", tag, diffs, err)
		}
	}
}
