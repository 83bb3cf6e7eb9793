package shortcode

import (
	"strings"
	"testing"

	"calbridge/rest/wptext/texttest"
)

func FuzzShortcodes(f *testing.F) {
	for _, s := range texttest.ContentSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		scanner := NewScanner(s, All)
		for pos := 0; ; {
			found, ok := scanner.next(pos)
			if !ok {
				break
			}
			if found.start < pos || found.end <= found.start || found.end > len(s) || s[found.start] != '[' {
				t.Fatalf("%q: shortcode at %d to %d", s, found.start, found.end)
			}
			for key := range ParseAttrs(found.Attrs).All() {
				if name := key.String(); strings.ContainsAny(name, " \n=\"'") {
					t.Fatalf("%q: attribute %q", s, name)
				}
			}
			pos = found.end
		}
	})
}
