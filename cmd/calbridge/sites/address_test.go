package sites

import (
	"slices"
	"testing"
)

func TestHostOf(t *testing.T) {
	for host, want := range map[string]string{
		"Sit.Example":       "sit.example",
		"sit.example:80":    "sit.example",
		"sit.example:443":   "sit.example",
		"sit.example:8080":  "sit.example:8080",
		"sit.example:4430":  "sit.example:4430",
		"sit.example.":      "sit.example.",
		"[2001:db8::1]:443": "[2001:db8::1]",
		"":                  "",
	} {
		t.Run(host, func(t *testing.T) {
			if got := hostOf(host); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

func TestCandidates(t *testing.T) {
	for _, c := range []struct {
		name, host, path string
		depth            int
		want             []string
	}{
		{"no folder", "a.example", "/", 1, []string{"a.example/"}},
		{"no path", "a.example", "", 1, []string{"a.example/"}},
		{"folder", "a.example", "/x/wp-json/", 1, []string{"a.example/x/", "a.example/"}},
		{"folder without a slash", "a.example", "/x", 1, []string{"a.example/x/", "a.example/"}},
		{"the longest first", "a.example", "/x/y/z", 2, []string{"a.example/x/y/", "a.example/x/", "a.example/"}},
		{"no folders wanted", "a.example", "/x/y", 0, []string{"a.example/"}},
		{"case", "a.example", "/Divadlo/wp-json/", 1, []string{"a.example/divadlo/", "a.example/"}},
		{"slashes in front", "a.example", "//x/y", 1, []string{"a.example/x/", "a.example/"}},
		{"slashes at the end", "a.example", "/x//", 3, []string{"a.example/x/", "a.example/"}},
		{"not decoded", "a.example", "/%64ivadlo/", 1, []string{"a.example/%64ivadlo/", "a.example/"}},
		{"www", "www.a.example", "/x/", 1, []string{"www.a.example/x/", "www.a.example/", "a.example/x/", "a.example/"}},
		{"www in the middle", "b.www.a.example", "/", 1, []string{"b.www.a.example/"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := candidates(c.host, c.path, c.depth); !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
