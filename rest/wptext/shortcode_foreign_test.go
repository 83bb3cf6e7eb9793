package wptext

import (
	"strings"
	"testing"
)

// FuzzShortcodeWords: what is counted stands in the text, as a shortcode would.
func FuzzShortcodeWords(f *testing.F) {
	for _, seed := range append([]string{"[a_b][c d=1][e]x[/e]", "[" + strings.Repeat("x", 100) + "_]", "[[a_b]]", "[/"}, contentSeeds...) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var names []string
		noteForeignShortcodes(s, nil, true, func(name string) { names = append(names, name) })
		for _, name := range names {
			if !strings.Contains(s, strings.TrimSuffix(name, "]")) || len(name) > maxShortcodeWord+2 {
				t.Errorf("%q in %q", name, s)
			}
		}
	})
}
