package recording

import (
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHomeOfLink(t *testing.T) {
	for link, want := range map[string]string{
		`<https://town.example/wp-json/>; rel="https://api.w.org/"`:                "https://town.example",
		`<https://town.example/en/wp-json/>; rel="https://api.w.org/"`:             "https://town.example/en",
		`<https://town.example/index.php?rest_route=/>; rel="https://api.w.org/"`:  "https://town.example",
		`<https://town.example/sub/index.php/wp-json/>; rel="https://api.w.org/"`:  "https://town.example/sub",
		`<https://town.example/wp-json/tribe/events/v1/events?page=2>; rel="next"`: "",
		`https://town.example/wp-json/; rel="https://api.w.org/"`:                  "",
		`<https://town.example/wp-json/; rel="https://api.w.org/"`:                 "",
		"": "",
	} {
		if got := HomeOfLink(link); got != want {
			t.Errorf("%s: %q, want %q", link, got, want)
		}
	}
}

func TestSplitURL(t *testing.T) {
	for text, want := range map[string][2]string{
		"HTTPS://Town.example:8443/a%2Fb?x=%zz#top": {"https://Town.example:8443", "/a%2Fb?x=%zz"},
		"http://user:secret@town.example":           {"http://town.example", "/"},
		"http://town.example?rest_route=/@x":        {"http://town.example", "/?rest_route=/@x"},
		"http://[::1]:80/":                          {"http://[::1]:80", "/"},
	} {
		if origin, path, err := splitURL(text); err != nil || [2]string{origin, path} != want {
			t.Errorf("%s: %q %q %v", text, origin, path, err)
		}
	}
	for _, bad := range []string{"", "/path", "ftp://h/", "http://", "http:///x", "http://user@/x", "data:text/html,x"} {
		if origin, path, err := splitURL(bad); err == nil {
			t.Errorf("%s: %q %q", bad, origin, path)
		}
	}
}

func TestOriginOf(t *testing.T) {
	x := &Exchange{Response: Response{Headers: map[string]HeaderValues{"link": {`<https://linked.example/wp-json/>; rel="https://api.w.org/"`}}}}
	for _, want := range []string{"https://linked.example", "https://header.example", "https://asked.example"} {
		if got := originOf(x); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if x.home != "" {
			x.Origin = "https://asked.example"
		}
		x.home = "https://header.example/sub"
	}
	if got := originOf(&Exchange{}); got != "http://localhost" {
		t.Errorf("without any: %s", got)
	}
}

// TestParsePairs checks that the last value of a name wins, as in PHP, and that invalid
// escapes stay.
func TestParsePairs(t *testing.T) {
	want := url.Values{"a": {"2"}, "b c": {"x y"}, "bad%zz": {"%zz"}, "empty": {""}, "v[]": {"1"}}
	if diff := cmp.Diff(want, ParsePairs("a=1&b+c=x%20y&a=2&&=none&bad%zz=%zz&empty&v%5B%5D=1")); diff != "" {
		t.Error(diff)
	}
}

func TestReplacer(t *testing.T) {
	r := Replacer("http://a/b", "https://c/d")
	for text, want := range map[string]string{
		"see http://a/b/1": "see https://c/d/1", `"http:\/\/a\/b\/1"`: `"https:\/\/c\/d\/1"`, "u=http%3A%2F%2Fa%2Fb": "u=https%3A%2F%2Fc%2Fd", "http:%2f%2fa%2fb": "https:%2f%2fc%2fd", "a/b": "a/b",
	} {
		if got := r.Replace(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
