package shortcode

import (
	"strings"
	"testing"

	"calbridge/rest/wptext/texttest"
)

// FuzzShortcodeWords: what is counted stands in the text, as a shortcode would.
func FuzzShortcodeWords(f *testing.F) {
	for _, seed := range append([]string{"[a_b][c d=1][e]x[/e]", "[" + strings.Repeat("x", 100) + "_]", "[[a_b]]", "[/"}, texttest.ContentSeeds...) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var names []string
		NoteForeign(s, nil, true, func(name string) { names = append(names, name) })
		for _, name := range names {
			if !strings.Contains(s, strings.TrimSuffix(name, "]")) || len(name) > maxName+2 {
				t.Errorf("%q in %q", name, s)
			}
		}
	})
}
